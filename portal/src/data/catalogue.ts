/**
 * The catalogue of standard service classes, and the display names that it gives to classes and properties; other names are shown as
 * words.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { ServiceClass } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";

export const catalogueQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["catalogue"],
    queryFn: ({ signal }) => api.service.catalogue({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

export interface Titles {
  /** "Colour temperature" for "LightTemperature". */
  readonly ofClass: (service: string) => string;
  /** "Brightness" for `LightLevel.level`. */
  readonly ofProperty: (service: string, property: string) => string;
  /** The unit of a standard property: `%`. */
  readonly unitOf: (service: string, property: string) => string | undefined;
}

export function titlesOf(catalogue: readonly ServiceClass[]): Titles {
  const known = new Map(catalogue.map((each) => [each.service, each]));
  const find = (service: string, property: string) => {
    const found = known.get(service);
    return [...(found?.properties ?? []), ...(found?.optional ?? [])].find((each) => each.property === property);
  };
  return {
    ofClass: (service) => known.get(service)?.title ?? wordsOf(service),
    ofProperty: (service, property) => find(service, property)?.title ?? wordsOf(property),
    unitOf: (service, property) => find(service, property)?.unit,
  };
}

/** Splits a name into words: "targetTemp_2" becomes "Target temp 2". */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
