/** What an event makes old of what was fetched. New values need no fetching: `data/new-value.ts` puts them in. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { SERVICES_IN } from "../data/environment-services.ts";

/** Roots of query keys that an event makes old. A query's key begins with the kind of what it holds. */
export function staleBy(event: Pick<PorchlightEvent, "type">): readonly string[] {
  const [kind] = event.type.split(".", 1);
  switch (kind) {
    case "property":
      return [];
    case "device":
      // That a device has come online or gone changes nothing of what it can do.
      return event.type === "device.online" || event.type === "device.offline"
        ? ["devices", "history"]
        : ["devices", "services", SERVICES_IN];
    case "hub":
      // A hub's going offline makes its devices unknown without events of their own.
      return ["clients", "devices", "history", "activity"];
    case "zone":
      return ["zones"];
    case "scene":
      // A call changes values of devices, and nothing of the scene.
      return event.type === "scene.called" ? [] : ["scenes"];
    case "environment":
      return ["environments", "ecosystems"];
    case "user":
      return ["users"];
    case "command":
      return ["commands"];
    case "webhook":
      return event.type === "webhook.disabled" ? ["webhooks", "activity"] : ["webhooks"];
    case "alert":
      return ["alerts", "activity"];
    default:
      return [];
  }
}
