/** What pages ask of one ecosystem with its settings, environment, zone or scene, and of how many there may be of what. */
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

/** What a sink has written is no event: it is asked again, ms. */
const SINK_AGAIN = 5000;

/** null of an ecosystem without one. */
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

/** With its entity tag, so that a change does not overwrite another's. */
export const sceneQuery = (api: Porchlight, sceneId: string) =>
  queryOptions({
    queryKey: ["scenes", "one", sceneId],
    queryFn: ({ signal }) => api.scenes.getTagged(sceneId, { signal }),
  });

export const quotasQuery = (api: Porchlight) =>
  queryOptions({ queryKey: ["quotas"], queryFn: ({ signal }) => api.service.quotas({ signal }) });
