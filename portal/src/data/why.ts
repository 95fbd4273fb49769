/** Why a value is what it is: asked for anew each time, because a minute later it may be for another reason. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

export const whyQuery = (api: Porchlight, deviceId: string, selector: string) =>
  queryOptions({
    queryKey: ["why", deviceId, selector],
    queryFn: ({ signal }) => api.devices.why(deviceId, selector, { signal }),
    gcTime: 0,
  });
