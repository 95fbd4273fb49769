/**
 * Keeps values from events that arrived while a response was in flight, because the service may have created it before them. Time stamps
 * have whole seconds, so the order of arrival decides, and time only where the response is clearly newer.
 */
import type { ServiceList } from "@porchlight/shared/api";

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
