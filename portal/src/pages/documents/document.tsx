/** A document in the portal's frame: the service's own page, with the reader's names in its samples and a form to send operations. */
import type { Environment } from "@porchlight/shared/api";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { QueryView } from "../../kit/display/query-view.tsx";
import { useAccess } from "../../session/context.tsx";
import classes from "./document.module.css";
import { codeText, fillIn, type OwnNames, useOwnNames } from "./fill.ts";
import type { TriedOperation } from "./send.ts";
import { TryIt } from "./try-it.tsx";

interface FetchedDocument {
  readonly title: string;
  readonly content: Element;
  /** Addresses of the content's style sheets. */
  readonly styles: readonly string[];
}

const documentQuery = (path: string) =>
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

interface DocumentPageProps {
  readonly path: string;
  readonly ecosystemId: string | undefined;
  readonly environment: Environment | undefined;
}

export function DocumentPage({ path, ecosystemId, environment }: DocumentPageProps) {
  const query = useQuery(documentQuery(path));
  const names = useOwnNames(ecosystemId, environment);
  return (
    <div className={classes.frame}>
      <QueryView query={query}>{(document) => <Shown key={path} document={document} names={names} />}</QueryView>
    </div>
  );
}

function Shown({
  document: page,
  names,
}: {
  readonly document: FetchedDocument;
  readonly names: OwnNames | undefined;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [slot, setSlot] = useState<HTMLElement>();
  const { session } = useAccess();
  const router = useRouter();
  const hash = useRouterState({ select: ({ location }) => location.hash });

  useLayoutEffect(() => {
    document.title = page.title;
    const content = document.importNode(page.content, true);
    for (const button of content.querySelectorAll<HTMLElement>("button.copy")) button.hidden = false;
    for (const each of content.querySelectorAll(".strangers")) each.remove();
    host.current?.replaceChildren(content);
    setSlot(content.querySelector<HTMLElement>("[data-operation]") ?? undefined);
  }, [page]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page needs its samples filled in again
  useLayoutEffect(() => {
    if (host.current) fillIn(host.current, names ?? {});
  }, [page, names]);
  // The address's anchor did not exist yet when the router scrolled to it.
  useEffect(() => {
    if (hash !== "") document.getElementById(hash)?.scrollIntoView();
  }, [hash]);

  const copy = async (button: Element) => {
    const code = button.previousElementSibling;
    if (!code) return;
    try {
      await navigator.clipboard.writeText(codeText(code, await session.token()));
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy failed";
    }
  };
  const click = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest("button.copy");
    if (button) void copy(button);
    const link = event.target.closest("a");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const href = link?.getAttribute("href") ?? "";
    if (!isPlain || !href.startsWith("/docs")) return;
    event.preventDefault();
    router.history.push(href);
  };
  /** Resets the label of a copy button when the reader moves on. */
  const leave = ({ target }: { readonly target: EventTarget }) => {
    if (target instanceof Element && target.matches("button.copy")) target.textContent = "Copy";
  };
  const operation = slot && operationOf(slot);
  return (
    <>
      {page.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="document" />
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the click targets are the links and buttons within it */}
      <div ref={host} onClick={click} onBlur={leave} onPointerOut={leave} />
      {slot && operation && names && createPortal(<TryIt operation={operation} names={names} />, slot)}
    </>
  );
}

/** Parses the operation that the service has embedded in its page. */
function operationOf({ dataset }: HTMLElement): TriedOperation | undefined {
  return dataset.operation === undefined ? undefined : (JSON.parse(dataset.operation) as TriedOperation);
}
