/** Puts a value that an event told into what was fetched. What is known better already stays. */
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";

/** Services of many devices, by the device's ID. */
export type ServicesByDevice = ReadonlyMap<string, ServiceList>;

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

/** The same of many devices; the very same map when nothing changes. */
export function withDeviceValue(all: ServicesByDevice, item: PropertyItem): ServicesByDevice {
  const list = all.get(item.deviceId);
  const next = list && withValue(list, item);
  return next === undefined || next === list ? all : new Map(all).set(item.deviceId, next);
}

interface Observed {
  readonly observedAt?: string | undefined;
}

/** Whether the first was observed later. What was observed at no known time is older than all else. */
function isObservedLater(one: Observed, other: Observed): boolean {
  return (one.observedAt ?? "") > (other.observedAt ?? "");
}
