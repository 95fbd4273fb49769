/** A document as the service has it for everybody: the page is fetched without the log-in, and what stands in its frame is taken out. */
import { queryOptions } from "@tanstack/react-query";

export interface FetchedDocument {
  readonly title: string;
  readonly content: Element;
  /** Addresses of the style sheets of what stands in the frame. */
  readonly styles: readonly string[];
}

export const documentQuery = (path: string) =>
  queryOptions({
    queryKey: ["document", path],
    queryFn: ({ signal }) => fetchDocument(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: (last, fetched) => keepSame(last as FetchedDocument | undefined, fetched as FetchedDocument),
  });

/** A document that was fetched anew and is the same stays the one that is shown, with what was typed into it. */
function keepSame(last: FetchedDocument | undefined, fetched: FetchedDocument): FetchedDocument {
  return last?.content.isEqualNode(fetched.content) ? last : fetched;
}

/** @throws Error when the service cannot be reached, or answers with what is no page */
async function fetchDocument(path: string, signal: AbortSignal): Promise<FetchedDocument> {
  const response = await fetch(path, { signal, credentials: "omit", headers: { accept: "text/html" } });
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  const content = parsed.querySelector(".document");
  if (!content) throw new Error(`Could not load the page (status ${response.status}).`);
  const links = parsed.querySelectorAll<HTMLLinkElement>("link[data-document]");
  const styles = [...links].map((link) => link.getAttribute("href") ?? "");
  return { title: parsed.title, content, styles };
}
