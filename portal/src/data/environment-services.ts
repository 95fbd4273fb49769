/** The services of all devices of an environment with their last known values, in one response. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";
import { mergeNewer } from "./merge-newer.ts";
import type { ServicesByDevice } from "./new-value.ts";

/** The API methods that the query needs. */
export interface EnvironmentServicesApi {
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
