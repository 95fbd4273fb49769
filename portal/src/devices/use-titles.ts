/** Display names of services and properties, as a hook. */
import { useQuery } from "@tanstack/react-query";
import { catalogueQuery, type Titles, titlesOf } from "../data/catalogue.ts";
import { useApi } from "../session/context.tsx";

/**
 * Returns empty titles while the catalogue loads, so that no displayed name changes; falls back to names as words when the catalogue fails
 * to load.
 */
export function useTitles(): Titles {
  const { data, isPending } = useQuery({ ...catalogueQuery(useApi()), select: titlesOf });
  return data ?? (isPending ? NOT_YET : WITHOUT_CATALOGUE);
}

const NOT_YET: Titles = { ofClass: () => "", ofProperty: () => "", unitOf: () => undefined };
const WITHOUT_CATALOGUE = titlesOf([]);
