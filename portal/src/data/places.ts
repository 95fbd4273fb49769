/** What pages ask of one ecosystem, environment, zone or scene, and of how many there may be of what. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

export const ecosystemQuery = (api: Porchlight, ecosystemId: string) =>
  queryOptions({
    queryKey: ["ecosystems", "one", ecosystemId],
    queryFn: ({ signal }) => api.ecosystems.get(ecosystemId, { signal }),
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
