/** A sink while somebody fills in its form: what is sent of it, and what it still lacks. Pure. */
import type { Sink, SinkUpdate } from "@porchlight/shared/api";

export interface SinkDraft {
  readonly url: string;
  /** Typed anew; "" leaves the stored one as it is. */
  readonly token: string;
  /** The stored one is taken away. */
  readonly isTokenRemoved: boolean;
  readonly measurementPrefix: string;
}

/** @param sink undefined where there is none yet */
export function sinkDraftOf(sink: Sink | undefined): SinkDraft {
  const { url = "", measurementPrefix = "" } = sink ?? {};
  return { url, token: "", isTokenRemoved: false, measurementPrefix };
}

/** Only what has changed: the token is never known here, and what others have changed stays. */
export function sinkUpdateOf(sink: Sink | undefined, draft: SinkDraft): SinkUpdate {
  const { url, token, isTokenRemoved, measurementPrefix } = draft;
  return {
    ...(url.trim() !== sink?.url && { url: url.trim() }),
    ...(token.trim() !== "" ? { token: token.trim() } : isTokenRemoved && { token: null }),
    ...(measurementPrefix !== (sink?.measurementPrefix ?? "") && { measurementPrefix }),
  };
}

/** A stored token goes only to the receiver that it was given for (A14.1). */
export function needsToken(sink: Sink | undefined, { url, token, isTokenRemoved }: SinkDraft): boolean {
  if (!sink?.hasToken || token.trim() !== "" || isTokenRemoved) return false;
  const [before, after] = [originOf(sink.url), originOf(url.trim())];
  return after !== undefined && before !== after;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
