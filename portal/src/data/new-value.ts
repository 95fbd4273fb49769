/** Puts a value from an event into fetched data, unless the data has a newer value. */
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";

/** Services of many devices, by device ID. */
export type ServicesByDevice = ReadonlyMap<string, ServiceList>;

/** Returns the services with the newer value; the same list when it has no such property or already has a newer value. */
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

/** The same for many devices; returns the same map when nothing changes. */
export function withDeviceValue(all: ServicesByDevice, item: PropertyItem): ServicesByDevice {
  const list = all.get(item.deviceId);
  const next = list && withValue(list, item);
  return next === undefined || next === list ? all : new Map(all).set(item.deviceId, next);
}

interface Observed {
  readonly observedAt?: string | undefined;
}

/** Whether the first value was observed later. A value without an observation time is older than any other. */
function isObservedLater(one: Observed, other: Observed): boolean {
  return (one.observedAt ?? "") > (other.observedAt ?? "");
}
