/** A line that can disappear and return: opened again and again, and logged only when its state changes. Knows no protocol. */
import type { Clock, Log } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";

export interface HotPlugDeps {
  /** The name of the line, for logs. */
  readonly name: string;
  readonly connect: (signal: AbortSignal) => Promise<ByteLink>;
  /** Owns an opened line until it is down; resolves with the reason. Closes it when `signal` is aborted. */
  readonly serve: (link: ByteLink, signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
  /** Waits before the next try, after a line is gone or could not be opened. `lastedMs`: how long it was open, 0 when never. */
  readonly pause: (lastedMs: number, signal: AbortSignal) => Promise<void>;
}

/** Interval between checks for a missing port, ms. */
export const RETRY_MS = 250;

/** Keeps a line open until `signal` is aborted; settles then. Never rejects. */
export async function keepPlugged(deps: HotPlugDeps, signal: AbortSignal): Promise<void> {
  const { name, clock, log, pause } = deps;
  let said: string | undefined;
  while (!signal.aborted) {
    const opened = await open(deps, signal);
    const openedAt = clock.monotonic();
    let lastedMs = 0;
    if (opened.kind === "open") {
      said = undefined;
      log.info({ line: name }, "the line is open");
      const reason = await serve(deps, opened.link, signal);
      lastedMs = clock.monotonic() - openedAt;
      if (!signal.aborted) log.warn({ line: name, reason }, "the line was removed");
    } else if (said !== opened.reason && !signal.aborted) {
      said = opened.reason;
      log.warn({ line: name, reason: opened.reason }, "the line cannot be opened; the hub tries again until it can");
    }
    if (!signal.aborted) await pause(lastedMs, signal).catch(() => undefined);
  }
}

/** An error of a line ends only that line. */
async function serve(deps: HotPlugDeps, link: ByteLink, signal: AbortSignal): Promise<string> {
  try {
    return await deps.serve(link, signal);
  } catch (error) {
    deps.log.error({ line: deps.name, error }, "a line has failed");
    link.close();
    return "an internal fault";
  }
}

type Opened = { readonly kind: "open"; readonly link: ByteLink } | { readonly kind: "absent"; readonly reason: string };

async function open({ connect }: HotPlugDeps, signal: AbortSignal): Promise<Opened> {
  try {
    const link = await connect(signal);
    if (!signal.aborted) return { kind: "open", link };
    link.close();
    return { kind: "absent", reason: "stopped" };
  } catch (error) {
    return { kind: "absent", reason: error instanceof Error ? error.message : String(error) };
  }
}
