/** What people call what a device can do, in any part of a page. */
import { useQuery } from "@tanstack/react-query";
import { catalogueQuery } from "../data/catalogue.ts";
import { type Titles, titlesOf } from "../data/titles.ts";
import { useApi } from "../session/context.tsx";

/** Nothing while the catalogue is fetched, so that no word is replaced by another; names as words when it cannot be had. */
export function useTitles(): Titles {
  const { data, isPending } = useQuery({ ...catalogueQuery(useApi()), select: titlesOf });
  return data ?? (isPending ? NOT_YET : WITHOUT_CATALOGUE);
}

const NOT_YET: Titles = { ofClass: () => "", ofProperty: () => "", unitOf: () => undefined };
const WITHOUT_CATALOGUE = titlesOf([]);
