/** What an event changes in what is shown: values at once, everything else by being fetched anew. */
import type { PorchlightEvent } from "@porchlight/sdk";
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";
import { isObservedLater } from "../data/values.ts";

/** Roots of query keys that an event makes old. A query's key begins with the kind of what it holds. */
export function staleBy(event: Pick<PorchlightEvent, "type">): readonly string[] {
  const [kind] = event.type.split(".", 1);
  switch (kind) {
    case "property":
      return [];
    case "device":
      return ["devices", "services"];
    case "hub":
      // A hub's going offline makes its devices unknown without events of their own.
      return ["clients", "devices"];
    case "zone":
      return ["zones"];
    case "environment":
      return ["environments", "ecosystems"];
    case "user":
      return ["users"];
    case "command":
      return ["commands"];
    case "webhook":
      return ["webhooks"];
    default:
      return [];
  }
}

/** A device's services with a newer value in them; the same list when it has no such property, or knows better already. */
export function withValue(list: ServiceList, item: PropertyItem): ServiceList {
  let isChanged = false;
  const items = list.items.map((service) => {
    if (service.service !== item.service || service.index !== item.index) return service;
    const properties = service.properties.map((property) => {
      if (property.property !== item.property) return property;
      if (isObservedLater(property, item)) return property;
      isChanged = true;
      const { value, modifiedAt, observedAt, source } = item;
      return { ...property, value, modifiedAt, observedAt, source };
    });
    return { ...service, properties };
  });
  return isChanged ? { ...list, items } : list;
}
