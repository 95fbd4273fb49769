/** Queries for one ecosystem with its settings, environment, zone or scene, and for the limits on the number of objects. */
import { isPorchlightError, type Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

export const ecosystemQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["ecosystems", "one", ecosystemId],
    queryFn: ({ signal }) => api.ecosystems.get(ecosystemId, { signal }),
  });

export const historySettingsQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["history-settings", ecosystemId],
    queryFn: ({ signal }) => api.ecosystems.historySettings(ecosystemId, { signal }),
  });

/** Poll interval in ms: no event reports a sink's writes. */
const SINK_AGAIN = 5000;

/** null when the ecosystem has no sink. */
export const sinkQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["sink", ecosystemId],
    queryFn: ({ signal }) =>
      api.ecosystems.sink(ecosystemId, { signal }).catch((error: unknown) => {
        if (isPorchlightError(error) && error.name === "Sink Not Found") return null;
        throw error;
      }),
    refetchInterval: ({ state }) => (state.data ? SINK_AGAIN : false),
  });

export const environmentQuery = (api: Porchlight, environmentId: string) =>
  queryOptions({
    queryKey: ["environments", "one", environmentId],
    queryFn: ({ signal }) => api.environments.get(environmentId, { signal }),
  });

export const zoneQuery = (api: Porchlight, zoneId: string) =>
  queryOptions({
    queryKey: ["zones", "one", zoneId],
    queryFn: ({ signal }) => api.zones.get(zoneId, { signal }),
  });

/** Includes the entity tag, so that an update cannot overwrite another user's change. */
export const sceneQuery = (api: Porchlight, sceneId: string) =>
  queryOptions({
    queryKey: ["scenes", "one", sceneId],
    queryFn: ({ signal }) => api.scenes.getTagged(sceneId, { signal }),
  });

export const quotasQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["quotas"], queryFn: ({ signal }) => api.service.quotas({ signal }) });
