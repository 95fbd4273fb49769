/** Fetches a document as the service serves it to the public, without the log-in, and extracts the content of its frame. */
import { queryOptions } from "@tanstack/react-query";

export interface FetchedDocument {
  readonly title: string;
  readonly content: Element;
  /** Addresses of the content's style sheets. */
  readonly styles: readonly string[];
}

export const documentQuery = (path: string) =>
  queryOptions({
    queryKey: ["document", path],
    queryFn: ({ signal }) => fetchDocument(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: (last, fetched) => keepSame(last as FetchedDocument | undefined, fetched as FetchedDocument),
  });

/** Keeps the displayed document when the refetched one is equal, because the user may have typed into it. */
function keepSame(last: FetchedDocument | undefined, fetched: FetchedDocument): FetchedDocument {
  return last?.content.isEqualNode(fetched.content) ? last : fetched;
}

/** @throws Error when the service is unreachable, or responds with something other than a page */
async function fetchDocument(path: string, signal: AbortSignal): Promise<FetchedDocument> {
  const response = await fetch(path, { signal, credentials: "omit", headers: { accept: "text/html" } });
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  const content = parsed.querySelector(".document");
  if (!content) throw new Error(`Could not load the page (status ${response.status}).`);
  const links = parsed.querySelectorAll<HTMLLinkElement>("link[data-document]");
  const styles = [...links].map((link) => link.getAttribute("href") ?? "");
  return { title: parsed.title, content, styles };
}
