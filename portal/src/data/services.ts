/**
 * Services with their last known values: fetched for a whole environment, and kept current by values from events. Time stamps have whole
 * seconds, so the order of arrival decides, and time only where one value is clearly newer.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";

/** The API methods that the query needs. */
interface EnvironmentServicesApi {
  readonly environments: Pick<Porchlight["environments"], "services">;
}

/** Root of its query keys: events about services invalidate it. */
export const SERVICES_IN = "services-in";

export const environmentServicesKey = (environmentId: string) => [SERVICES_IN, environmentId] as const;

/** Events bring new values, so the query does not poll. */
export const environmentServicesQuery = (api: EnvironmentServicesApi, environmentId: string) =>
  queryOptions({
    queryKey: environmentServicesKey(environmentId),
    queryFn: async ({ signal, client, queryKey }): Promise<ServicesByDevice> => {
      const known = () => client.getQueryData<ServicesByDevice>(queryKey);
      const before = known();
      const fetched = await api.environments.services(environmentId, { signal });
      const now = known();
      return new Map(
        fetched.map(({ deviceId, services }) => [
          deviceId,
          mergeNewer(before?.get(deviceId), now?.get(deviceId), { items: services }),
        ]),
      );
    },
    structuralSharing: false,
  });

type Property = ServiceList["items"][number]["properties"][number];

/**
 * Merges a fetched list of services with newer values.
 * @param before the known values at the time of the request
 * @param now the known values at the time of the response
 */
export function mergeNewer(
  before: ServiceList | undefined,
  now: ServiceList | undefined,
  fetched: ServiceList,
): ServiceList {
  if (now === undefined || now === before) return fetched;
  const items = fetched.items.map((service) => {
    const of = (list: ServiceList | undefined) =>
      list?.items.find((each) => each.service === service.service && each.index === service.index)?.properties;
    const properties = service.properties.map((property) => {
      const same = (each: Property) => each.property === property.property;
      const known = of(now)?.find(same);
      return known && isNewer(of(before)?.find(same), known, property)
        ? {
            ...property,
            value: known.value,
            modifiedAt: known.modifiedAt,
            observedAt: known.observedAt,
            source: known.source,
          }
        : property;
    });
    return { ...service, properties };
  });
  return { items };
}

interface Observed {
  readonly observedAt?: string | undefined;
}

/** Whether `known` arrived while `fetched` was in flight, and is not clearly older. */
function isNewer(before: Observed | undefined, known: Observed, fetched: Observed): boolean {
  if (known === before || known.observedAt === undefined) return false;
  return fetched.observedAt === undefined || fetched.observedAt <= known.observedAt;
}

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

/** Whether the first value was observed later. A value without an observation time is older than any other. */
function isObservedLater(one: Observed, other: Observed): boolean {
  return (one.observedAt ?? "") > (other.observedAt ?? "");
}
