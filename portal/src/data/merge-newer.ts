/**
 * What events told while an answer was on its way is kept: the service may have made the answer before they happened. Times are of whole
 * seconds, so that is decided by what came in between, and by time only where the answer is plainly newer.
 */
import type { ServiceList } from "@porchlight/shared/api";

type Property = ServiceList["items"][number]["properties"][number];

/**
 * A device's services as they were fetched, with what is newer.
 * @param before what was known when it was asked for @param now what is known when the answer has come
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

/** Whether `known` came while `fetched` was on its way, and is not plainly older. */
function isNewer(before: Observed | undefined, known: Observed, fetched: Observed): boolean {
  if (known === before || known.observedAt === undefined) return false;
  return fetched.observedAt === undefined || fetched.observedAt <= known.observedAt;
}
