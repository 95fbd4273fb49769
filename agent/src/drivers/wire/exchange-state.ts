/** One request of the hub, from its first try to its end, as a pure machine: apart from timers and bytes, so that tables can test it. */
import { BUSY_WAITS, ERROR_CODE, type Message, type MessageName, TIMES, TRIES } from "@porchlight/shared/wire";

/** How a request ended. `sent`: bytes of it may have reached the node, and no answer has settled them. */
export type ExchangeEnd =
  | { readonly kind: "answered"; readonly message: Message }
  | { readonly kind: "error"; readonly code: number; readonly text: string }
  /** ERROR 9 to every seq under which it was asked. */
  | { readonly kind: "busy" }
  /** No answer to any of its tries. */
  | { readonly kind: "silence" }
  /** Out of time or of leave before a try. */
  | { readonly kind: "withheld"; readonly sent: boolean }
  /** The link went down or the node rebooted. */
  | { readonly kind: "lost"; readonly sent: boolean }
  /** It does not fit the node's frame, or the protocol cannot carry it. */
  | { readonly kind: "rejected"; readonly detail: string };

export type ExchangeState =
  /** A try waits for the line to take it. */
  | { readonly kind: "ready"; readonly since: number; readonly tries: number; readonly busy: number }
  /** The line has its bytes. */
  | { readonly kind: "leaving"; readonly since: number; readonly tries: number; readonly busy: number }
  | { readonly kind: "waiting"; readonly leftAt: number; readonly tries: number; readonly busy: number }
  /** After ERROR 9; nothing of it is under way. */
  | { readonly kind: "pausing"; readonly until: number; readonly busy: number }
  | { readonly kind: "ended"; readonly end: ExchangeEnd };

export type ExchangeInput =
  | { readonly kind: "taken"; readonly at: number }
  | { readonly kind: "left"; readonly at: number }
  /** The clock is looked at. `heardAt`: when the last byte arrived. */
  | { readonly kind: "time"; readonly at: number; readonly heardAt: number }
  | { readonly kind: "came"; readonly at: number; readonly message: Message }
  | { readonly kind: "withheld" }
  /** Its time or leave is over: it is not sent any more, but what has been sent may still be answered. */
  | { readonly kind: "late"; readonly at: number }
  | { readonly kind: "lost" };

export interface ExchangeRules {
  /** The answer that it waits for. */
  readonly answer: MessageName;
  /** How long a try may be silent, ms: {@link tryTimeout}. */
  readonly timeoutMs: number;
}

/** A try ends after so many of its timeouts even on a line on which other bytes keep coming. */
const PATIENCE = 10;
/** END, frame, END; ten bits a byte (8N1). */
const LARGEST_FRAME_BITS = (4095 + 2) * 10;

/**
 * How long a try may be silent, ms: longer by the largest frame's time on a serial line.
 * @param baudRate bits a second; left out for a line that has none
 */
export function tryTimeout(baudRate?: number): number {
  return TIMES.tryFails + (baudRate === undefined ? 0 : (LARGEST_FRAME_BITS * 1000) / baudRate);
}

/** The first try, as soon as the window lets it through. */
export function beginExchange(at: number): ExchangeState {
  return { kind: "ready", since: at, tries: 1, busy: 0 };
}

/** When the clock is to be looked at next, or undefined when it has ended. */
export function exchangeWakesAt(
  state: ExchangeState,
  heardAt: number,
  { timeoutMs }: ExchangeRules,
): number | undefined {
  switch (state.kind) {
    case "ready":
    case "leaving":
      return state.since + PATIENCE * timeoutMs;
    case "waiting":
      return Math.min(Math.max(state.leftAt, heardAt) + timeoutMs, state.leftAt + PATIENCE * timeoutMs);
    case "pausing":
      return state.until;
    case "ended":
      return undefined;
  }
}

/** Contract section 4, "Requests". A state of kind `ready` asks for a try: under a new seq when it comes out of `pausing`. */
export function stepExchange(state: ExchangeState, input: ExchangeInput, rules: ExchangeRules): ExchangeState {
  if (state.kind === "ended") return state;
  switch (input.kind) {
    case "taken":
      return state.kind === "ready" ? { ...state, kind: "leaving", since: input.at } : state;
    case "left":
      return state.kind === "leaving"
        ? { kind: "waiting", leftAt: input.at, tries: state.tries, busy: state.busy }
        : state;
    case "time":
      return atTime(state, input.at, input.heardAt, rules);
    case "came":
      return atAnswer(state, input.at, input.message, rules);
    case "late":
      if (!mayHaveActed(state)) return ended({ kind: "withheld", sent: false });
      return { kind: "waiting", leftAt: input.at, tries: TRIES, busy: state.busy };
    case "withheld":
    case "lost":
      return ended({ kind: input.kind, sent: mayHaveActed(state) });
  }
}

type Open = Exclude<ExchangeState, { kind: "ended" }>;

function atTime(state: Open, at: number, heardAt: number, rules: ExchangeRules): ExchangeState {
  if (at < (exchangeWakesAt(state, heardAt, rules) ?? 0)) return state;
  switch (state.kind) {
    case "pausing":
      return { kind: "ready", since: at, tries: 1, busy: state.busy };
    case "ready":
      return ended({ kind: "withheld", sent: mayHaveActed(state) });
    case "leaving":
    case "waiting":
      if (state.tries === TRIES) return ended({ kind: "silence" });
      return { kind: "ready", since: at, tries: state.tries + 1, busy: state.busy };
  }
}

function atAnswer(state: Open, at: number, message: Message, { answer }: ExchangeRules): ExchangeState {
  if (!mayHaveActed(state)) return state;
  if (message.type === answer) return ended({ kind: "answered", message });
  if (message.type !== "ERROR") return state;
  if (message.code !== ERROR_CODE.busy) return ended({ kind: "error", code: message.code, text: message.text });
  const pause = BUSY_WAITS[state.busy];
  return pause === undefined ? ended({ kind: "busy" }) : { kind: "pausing", until: at + pause, busy: state.busy + 1 };
}

/** Whether the node may be carrying it out without our knowing. ERROR 9 settles a seq, so a pause knows. */
function mayHaveActed(state: Open): boolean {
  return state.kind === "ready" ? state.tries > 1 : state.kind !== "pausing";
}

function ended(end: ExchangeEnd): ExchangeState {
  return { kind: "ended", end };
}
