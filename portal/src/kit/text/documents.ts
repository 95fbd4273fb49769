/** Links into the documentation: its index with search entries and glossary terms, fetched on first use, and the page of an error. */
import { queryOptions } from "@tanstack/react-query";

interface DocumentEntry {
  readonly name: string;
  readonly about: string;
  readonly to: string;
}

interface DocumentIndex {
  readonly entries: readonly DocumentEntry[];
  /** Glossary terms by their anchor. */
  readonly words: Readonly<Record<string, { readonly word: string; readonly meaning: string }>>;
}

export const documentIndexQuery = queryOptions({
  queryKey: ["document-index"],
  queryFn: async ({ signal }): Promise<DocumentIndex> => {
    const response = await fetch("/docs/index.json", { signal, credentials: "omit" });
    if (!response.ok) throw new Error(`Could not load the index of the documents (status ${response.status}).`);
    return response.json();
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** @param name the service's name of the error: "Hub Offline" */
export function errorPage(name: string): string {
  return `/docs/errors/${name.toLowerCase().replaceAll(" ", "-")}`;
}
