/** The cause of a value. It is refetched each time, because the cause can change within a minute. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

export const whyQuery = (api: Porchlight, deviceId: string, selector: string) =>
  queryOptions({
    queryKey: ["why", deviceId, selector],
    queryFn: ({ signal }) => api.devices.why(deviceId, selector, { signal }),
    gcTime: 0,
  });
