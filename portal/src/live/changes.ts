/** Maps events to the queries that they invalidate. New values need no refetch: `data/services.ts` applies them. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { SERVICES_IN } from "../data/services.ts";

/** The roots of the query keys that an event invalidates. A query's key begins with the kind of its objects. */
export function staleBy(event: Pick<PorchlightEvent, "type">): readonly string[] {
  const [kind] = event.type.split(".", 1);
  switch (kind) {
    case "property":
      return [];
    case "device":
      // A device's connection does not affect its services.
      return event.type === "device.online" || event.type === "device.offline"
        ? ["devices", "history"]
        : ["devices", "services", SERVICES_IN];
    case "hub":
      // A hub that goes offline makes its devices unknown, without events for them.
      return ["clients", "devices", "history", "activity"];
    case "zone":
      return ["zones"];
    case "scene":
      // A call changes values of devices, but not the scene.
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
