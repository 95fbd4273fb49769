/** What `--debug` shows of each request: its line, its headers without the credential, and what came back. Never a body: it may hold a secret. */
import type { Fetch } from "@porchlight/sdk";
import { CONSOLE_VERSION } from "../settings/version.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Watch {
  readonly isDebug: boolean;
  readonly note: (text: string) => void;
}

/** Headers that hold a secret. */
const SECRET = /^(authorization|x-current-password|(set-)?cookie)$/i;

/** `fetch` that says who calls, ends with the session, and tells what it does when it is asked to. */
export function watched(
  fetch: Fetch,
  { clock, signal, machine }: Pick<Surroundings, "clock" | "signal" | "machine">,
  watch: Watch,
): Fetch {
  // A header takes no character beyond these.
  const agent = `porchlight/${CONSOLE_VERSION} (${machine.replace(/[^\w.-]/g, "") || "unknown"})`;
  return async (url, init) => {
    const both = init.signal ? AbortSignal.any([init.signal, signal]) : signal;
    const headers = new Headers(init.headers);
    headers.set("user-agent", agent);
    const sent = { ...init, headers, signal: both };
    if (!watch.isDebug) return fetch(url, sent);
    watch.note(`> ${init.method ?? "GET"} ${url}`);
    for (const [name, value] of headers) watch.note(`> ${name}: ${shown(name, value)}`);
    const began = clock.monotonic();
    try {
      const response = await fetch(url, sent);
      watch.note(`< ${response.status} in ${Math.round(clock.monotonic() - began)} ms`);
      for (const [name, value] of response.headers) watch.note(`< ${name}: ${shown(name, value)}`);
      return response;
    } catch (failure) {
      watch.note(`< no answer after ${Math.round(clock.monotonic() - began)} ms: ${reasonOf(failure)}`);
      throw failure;
    }
  };
}

/** The kind of a token is no secret, and tells whose it was. */
function shown(name: string, value: string): string {
  return SECRET.test(name) ? `${/(?:Bearer )?(?:plt_[a-z]+_)?/.exec(value)?.[0] ?? ""}…` : value;
}

function reasonOf(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined;
  const inner = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `${failure instanceof Error ? failure.message : String(failure)}${inner}`;
}
