/**
 * Advances one sink along the log of its ecosystem: a slice, an answer, a position.
 *
 * Invariant: the position moves only past lines that the receiver has accepted, or rejected for their contents. If the
 * process dies between the answer and the position, the slice is sent again, and each line replaces itself.
 */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Keyring } from "../access/index.ts";
import type { LoggedEvent, LogReader } from "../events/index.ts";
import { GiveWay, type SinkRow, type Store } from "../store/index.ts";
import type { Outcome } from "../webhooks/index.ts";
import { changeOf, lineOf } from "./line.ts";
import { type Posted, type Posts, postLines, type Receiver, type Refusals, waitAfter } from "./post-lines.ts";
import { aliasesOf, findSink, moveSink, type Progress, tokenPurpose } from "./sink-rows.ts";

export interface DeliverDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly reader: LogReader;
  readonly posts: Posts;
}

/** Reported when the stored token cannot be opened, because its sealing key is missing. */
export const TOKEN_LOST = "the stored token cannot be decrypted: set it again";

/** Error of an event without a possible line, and of a receiver's answer that cannot be stored. */
const UNWRITABLE = "an event could not be written as a line";
const UNREPORTED = "the receiver's answer could not be stored";
/** Maximum events, and so lines, of one request. */
const SLICE = 1_000;
/** Maximum characters of the lines of one request, not counting the last line. */
const SLICE_LENGTH = 1_000_000;
/** Slices of one sink before another gets its turn. */
const SLICES = 20;

/**
 * @returns `more` when its turn is over before it has reached the end of the log
 * @throws "Service Unavailable", or the signal's reason
 */
export async function deliver(deps: DeliverDeps, eco: string, signal: AbortSignal): Promise<"done" | "more"> {
  const { store, clock } = deps;
  // A portion mostly waits for the receiver, so its duration does not measure the thread's load.
  const pace = new GiveWay({ store, clock }, "sink gives way");
  for (let turn = 0; turn < SLICES; turn++) {
    const progress = await pace.portion(signal, false, () => deliverSlice(deps, eco, signal));
    if (progress === "done") return "done";
  }
  return "more";
}

async function deliverSlice(deps: DeliverDeps, eco: string, signal: AbortSignal): Promise<"done" | "more"> {
  const { store, clock, reader } = deps;
  const sink = await findSink(store.of(eco).sql, eco);
  if (sink?.enabled !== 1 || (sink.retry_at ?? 0) > clock.now()) return "done";
  const slice = await reader.read(eco, sink.position, SLICE);
  signal.throwIfAborted();
  if (slice.kind === "lost") return (await pass(deps, sink, slice.after)) ? "more" : "done";
  const { lines, position, unwritable } = await linesOf(deps, sink, slice.events);
  if (position === sink.position || !(await write(deps, sink, { lines, position, unwritable }, signal))) return "done";
  return slice.more || position !== slice.events.at(-1)?.sequence ? "more" : "done";
}

/** The lines of the first events of a slice. */
interface Lines {
  readonly lines: readonly string[];
  /** Sequence of the last of these events. */
  readonly position: number;
  /** Events without a possible line. */
  readonly unwritable: number;
}

/** @returns whether the position has advanced */
async function write(deps: DeliverDeps, sink: SinkRow, { lines, position, unwritable }: Lines, signal: AbortSignal) {
  const { clock, posts } = deps;
  const none: Refusals = { lines: unwritable, error: UNWRITABLE };
  if (lines.length === 0) return move(deps, sink, { position, ...refusedBy(sink, none) });
  const receiver = receiverOf(deps.keyring, sink);
  const posted: Posted = receiver
    ? await postLines(posts, receiver, lines, sink.proven === 1, signal)
    : { kind: "failed", outcome: { kind: "failed", error: TOKEN_LOST }, error: TOKEN_LOST };
  signal.throwIfAborted();
  const now = clock.now();
  const progress =
    posted.kind === "done" ? taken(sink, posted, { position, unwritable }, now) : failed(deps, sink, posted, now);
  return (await move(deps, sink, progress)) && posted.kind === "done";
}

/** Stores the progress; if the receiver's answer cannot be stored, without it. */
async function move({ store, log }: DeliverDeps, sink: SinkRow, progress: Progress): Promise<boolean> {
  let isMoved = false;
  const write = async (reached: Progress) => {
    isMoved = await store.writeService((tx) => moveSink(tx, sink, reached));
  };
  await store.setAside.each([progress], {
    ...{ loop: "sinks", log, about: () => ({ ecosystem: sink.ecosystem_id }) },
    work: ([reached = progress]) => write(reached),
    aside: (reached) =>
      write({
        ...reached,
        ...(typeof reached.error === "string" && { error: UNREPORTED }),
        ...(typeof reached.refused_error === "string" && { refused_error: UNREPORTED }),
      }),
  });
  return isMoved;
}

/** The sink's columns after further rejected lines. */
function refusedBy(sink: SinkRow, { lines, error }: Refusals): Progress {
  return lines > 0 ? { refused_lines: sink.refused_lines + lines, refused_error: error ?? null } : {};
}

function taken(
  sink: SinkRow,
  { outcome, refused }: Posted & { kind: "done" },
  { position, unwritable }: Omit<Lines, "lines">,
  now: number,
): Progress {
  return {
    ...{ position, proven: 1, tried_at: now, status: statusOf(outcome) },
    ...{ failing_since: null, error: null, attempts: 0, retry_at: null },
    ...refusedBy(sink, { lines: refused.lines + unwritable, error: refused.error ?? UNWRITABLE }),
  };
}

function failed(
  { random }: DeliverDeps,
  sink: SinkRow,
  { outcome, error }: Posted & { kind: "failed" },
  now: number,
): Progress {
  const attempts = sink.attempts + 1;
  return {
    ...{ tried_at: now, status: statusOf(outcome), failing_since: sink.failing_since ?? now, error, attempts },
    retry_at: now + waitAfter(attempts, outcome, random.fraction()),
  };
}

/** Skips deleted events, and logs their number. @param after sequence of the last of them */
async function pass({ store, clock, log }: DeliverDeps, sink: SinkRow, after: number): Promise<boolean> {
  const lost = after - sink.position;
  log.warn({ ecosystem: sink.ecosystem_id, events: lost }, "events were deleted before they were written to the sink");
  const progress = { position: after, lost_events: sink.lost_events + lost, lost_at: clock.now() };
  return store.writeService((tx) => moveSink(tx, sink, progress));
}

/** The lines of a slice, up to the maximum length of a request. */
async function linesOf({ store, log }: DeliverDeps, sink: SinkRow, events: readonly LoggedEvent[]): Promise<Lines> {
  const { ecosystem_id: eco, measurement_prefix: prefix } = sink;
  const of = {
    loop: "sinks",
    log,
    about: ({ id }: Pick<LoggedEvent, "id">) => ({ ecosystem: eco, event: id }),
  } as const;
  let unwritable = 0;
  const sound = <T>(event: Pick<LoggedEvent, "id">, make: () => T) => {
    const made = store.setAside.one(event, of, () => ({ value: make() }));
    if (!made) unwritable += 1;
    return made?.value;
  };
  const changes = events.map((event) => ({ ...event, change: sound(event, () => changeOf(event)) }));
  const ids = new Set(changes.flatMap(({ change }) => change?.deviceId ?? []));
  const aliases = await aliasesOf(store.of(eco).sql, eco, [...ids]);
  const lines: string[] = [];
  let [position, length] = [sink.position, 0];
  for (const { id, sequence, change } of changes) {
    if (length >= SLICE_LENGTH) break;
    position = sequence;
    const line = change && sound({ id }, () => lineOf(change, aliases.get(change.deviceId), prefix));
    if (line === undefined) continue;
    lines.push(line);
    length += line.length;
  }
  return { lines, position, unwritable };
}

/** Undefined when its token cannot be decrypted any more. */
export function receiverOf(keyring: Keyring, { ecosystem_id: eco, url, token: sealed }: SinkRow): Receiver | undefined {
  if (sealed === null) return { url, token: undefined };
  const token = keyring.open(tokenPurpose(eco), sealed);
  return token === undefined ? undefined : { url, token };
}

function statusOf(outcome: Outcome): number | null {
  return outcome.kind === "answered" ? outcome.status : null;
}
