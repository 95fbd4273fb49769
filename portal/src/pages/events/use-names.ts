/** Names of the devices of an ecosystem, for lines that have their IDs only. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { devicesQuery, environmentsQuery } from "../../data/queries.ts";
import { nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

/** Environments whose devices are fetched for their names. */
const MOST_ENVIRONMENTS = 10;

/** Names by ID. */
export type Names = ReadonlyMap<string, string>;

export function useNames(ecosystemId: string): Names {
  const api = useApi();
  const { data: environments = [] } = useQuery(environmentsQuery(api));
  const own = environments.filter((each) => each.ecosystemId === ecosystemId).slice(0, MOST_ENVIRONMENTS);
  const devices = useQueries({
    queries: own.map(({ id }) => devicesQuery(api, id)),
    combine: (results) => results.flatMap(({ data = [] }) => data),
  });
  return useMemo(() => new Map(devices.map((device) => [device.id, nameOf(device)])), [devices]);
}
