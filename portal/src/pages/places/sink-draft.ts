/** The state of a sink's form: the request body, and the missing inputs. Pure. */
import type { Sink, SinkUpdate } from "@porchlight/shared/api";

export interface SinkDraft {
  readonly url: string;
  /** A new token; "" keeps the stored one. */
  readonly token: string;
  /** Removes the stored token. */
  readonly isTokenRemoved: boolean;
  readonly measurementPrefix: string;
}

/** @param sink undefined when there is no sink yet */
export function sinkDraftOf(sink: Sink | undefined): SinkDraft {
  const { url = "", measurementPrefix = "" } = sink ?? {};
  return { url, token: "", isTokenRemoved: false, measurementPrefix };
}

/** Only the changes: the stored token is never known here, and concurrent changes to other settings remain. */
export function sinkUpdateOf(sink: Sink | undefined, draft: SinkDraft): SinkUpdate {
  const { url, token, isTokenRemoved, measurementPrefix } = draft;
  return {
    ...(url.trim() !== sink?.url && { url: url.trim() }),
    ...(token.trim() !== "" ? { token: token.trim() } : isTokenRemoved && { token: null }),
    ...(measurementPrefix !== (sink?.measurementPrefix ?? "") && { measurementPrefix }),
  };
}

/** A stored token is sent only to the receiver that it was entered for (A14.1). */
export function needsToken(sink: Sink | undefined, { url, token, isTokenRemoved }: SinkDraft): boolean {
  if (!sink?.hasToken || token.trim() !== "" || isTokenRemoved) return false;
  const [before, after] = [originOf(sink.url), originOf(url.trim())];
  return after !== undefined && before !== after;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
