/** What every device of an environment can do, with its last known values, in one answer. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";
import { mergeNewer } from "./merge-newer.ts";
import type { ServicesByDevice } from "./new-value.ts";

/** What the API must be able to do. */
export interface EnvironmentServicesApi {
  readonly environments: Pick<Porchlight["environments"], "services">;
}

/** The root of its keys: an event about what devices can do makes them old. */
export const SERVICES_IN = "services-in";

export const environmentServicesKey = (environmentId: string) => [SERVICES_IN, environmentId] as const;

/** New values come in by events. */
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
