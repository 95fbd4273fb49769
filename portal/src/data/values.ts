/** The last known values of all devices of an environment, in one answer: the beginning of an event stream has them. */
import type { Porchlight } from "@porchlight/sdk";
import type { PropertyItem } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";
import { isSame, mergeNewerItems, type ValuesByDevice } from "./merge-newer.ts";

/** New values come in by events. */
export const valuesQuery = (api: Pick<Porchlight, "events">, environmentId: string) =>
  queryOptions({
    queryKey: ["values", environmentId],
    queryFn: async ({ signal, client, queryKey }): Promise<ValuesByDevice> => {
      const known = () => client.getQueryData<ValuesByDevice>(queryKey);
      const before = known();
      const types = ["property.changed"];
      for await (const item of api.events({ environmentId, types, snapshot: true, signal }))
        if (item.kind === "snapshot")
          return mergeNewerItems(
            before,
            known(),
            Map.groupBy(item.items, ({ deviceId }) => deviceId),
          );
      return new Map();
    },
    structuralSharing: false,
  });

/** The same with a newer value; the very same when what is known is newer. */
export function withDeviceValue(values: ValuesByDevice, item: PropertyItem): ValuesByDevice {
  const items = values.get(item.deviceId) ?? [];
  const at = items.findIndex((each) => isSame(each, item));
  const known = items[at];
  if (known && isObservedLater(known, item)) return values;
  return new Map(values).set(item.deviceId, at === -1 ? [...items, item] : items.with(at, item));
}

/** Whether the first was observed later. What was observed at no known time is older than all else. */
export function isObservedLater(
  one: { readonly observedAt?: string | undefined },
  other: { readonly observedAt?: string | undefined },
) {
  return (one.observedAt ?? "") > (other.observedAt ?? "");
}
