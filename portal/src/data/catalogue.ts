/** The catalogue of standard service classes. It does not change while the page is open. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

export const catalogueQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["catalogue"],
    queryFn: ({ signal }) => api.service.catalogue({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
