/** Sets or asks one property of all devices in a zone. What the devices have said stands on the page at once. */
import type { PropertyList, WriteList } from "@porchlight/shared/api";
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { environmentServicesKey } from "../../../data/environment-services.ts";
import { type ServicesByDevice, withDeviceValue } from "../../../data/new-value.ts";
import { useApi } from "../../../session/context.tsx";

/** Without a value the devices are asked. */
export interface WideAsked {
  readonly selector: string;
  readonly value?: unknown;
}

export type Wide = UseMutationResult<PropertyList | WriteList, Error, WideAsked>;

export function useWide(environmentId: string, zoneId: string): Wide {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ selector, value }: WideAsked): Promise<PropertyList | WriteList> =>
      value === undefined
        ? api.zones.properties(zoneId, selector, { refresh: true })
        : api.zones.setProperties(zoneId, selector, value),
    onSuccess: ({ items }) => {
      queries.setQueryData<ServicesByDevice>(
        environmentServicesKey(environmentId),
        (known) => known && items.reduce(withDeviceValue, known),
      );
    },
  });
}
