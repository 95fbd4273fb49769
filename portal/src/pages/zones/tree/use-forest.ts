/** Zones and devices of an environment together: neither says anything without the other. */
import type { Device, Zone } from "@porchlight/shared/api";
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { devicesQuery, zonesQuery } from "../../../data/queries.ts";
import type { Asked } from "../../../kit/display/query-view.tsx";
import { useApi } from "../../../session/context.tsx";
import { type Forest, forestOf } from "./forest.ts";

export function useForest(environmentId: string): Asked<Forest> {
  const api = useApi();
  return useQueries({ queries: [zonesQuery(api, environmentId), devicesQuery(api, environmentId)], combine: together });
}

function together([zones, devices]: [UseQueryResult<Zone[]>, UseQueryResult<Device[]>]): Asked<Forest> {
  const error = zones.error ?? devices.error;
  return {
    data: zones.data && devices.data && forestOf(zones.data, devices.data),
    error,
    isPending: !error && (zones.isPending || devices.isPending),
    refetch: () => Promise.all([zones.refetch(), devices.refetch()]),
  };
}
