/** The catalogue of standard service classes: it does not change while a page stands. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

export const catalogueQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["catalogue"],
    queryFn: ({ signal }) => api.service.catalogue({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
