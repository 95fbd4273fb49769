/** One request of the hub, from its first try to its end, as a pure state machine without timers and bytes, so that tables can test it. */
import { BUSY_WAITS, ERROR_CODE, type Message, type MessageName, TIMES, TRIES } from "@porchlight/shared/wire";

/** How a request ended. `sent`: bytes of it may have reached the node, and no answer has settled them. */
export type ExchangeEnd =
  /** `repeated`: more than one copy has left, so that the answer may be one that the node remembered. */
  | { readonly kind: "answered"; readonly message: Message; readonly repeated: boolean }
  | { readonly kind: "error"; readonly code: number; readonly text: string; readonly sent: boolean }
  /** ERROR 9 to every seq of the request. */
  | { readonly kind: "busy"; readonly sent: boolean }
  /** No answer to any of its tries. */
  | { readonly kind: "silence" }
  /** Time or permission ended before a try. */
  | { readonly kind: "withheld"; readonly sent: boolean }
  /** The link went down or the node rebooted. */
  | { readonly kind: "lost"; readonly sent: boolean }
  /** The request does not fit the node's frame, or the protocol cannot encode it. */
  | { readonly kind: "rejected"; readonly detail: string };

/** The history of a request. */
interface Past {
  /** Number of ERROR 9 answers. */
  readonly busy: number;
  /** A copy of an earlier seq was never answered: the node may still execute it. */
  readonly inDoubt: boolean;
  /** The node has sent HELLO since the first copy of the present seq left: it has forgotten which requests it executed (R5). */
  readonly isForgotten: boolean;
}

/** `copies`: unanswered copies of the present seq that have left. */
export type ExchangeState =
  /** A try waits for the line to take it. */
  | (Past & { readonly kind: "ready"; readonly since: number; readonly tries: number; readonly copies: number })
  /** The line has taken its bytes. */
  | (Past & { readonly kind: "leaving"; readonly since: number; readonly tries: number; readonly copies: number })
  | (Past & { readonly kind: "waiting"; readonly leftAt: number; readonly tries: number; readonly copies: number })
  /** A copy was answered with ERROR 9, and others not yet: a node that forgets its ERROR 9 executes those. */
  | (Past & { readonly kind: "settling"; readonly leftAt: number; readonly copies: number })
  /** After ERROR 9 to all copies. */
  | (Past & { readonly kind: "pausing"; readonly until: number })
  | { readonly kind: "ended"; readonly end: ExchangeEnd };

export type ExchangeInput =
  | { readonly kind: "taken"; readonly at: number }
  | { readonly kind: "left"; readonly at: number }
  /** The clock is checked. `heardAt`: when the last byte arrived. */
  | { readonly kind: "time"; readonly at: number; readonly heardAt: number }
  | { readonly kind: "came"; readonly at: number; readonly message: Message }
  | { readonly kind: "withheld" }
  /** Time or permission has ended: no further copy is sent, but a sent copy may still be answered. */
  | { readonly kind: "late"; readonly at: number }
  /** The node has sent HELLO in the same boot: S5. */
  | { readonly kind: "hello"; readonly at: number }
  | { readonly kind: "lost" };

export interface ExchangeRules {
  /** The type of the expected answer. */
  readonly answer: MessageName;
  /** How long a try may stay unanswered, ms: {@link tryTimeout}. */
  readonly timeoutMs: number;
  /** The request changes something at the node, so that each copy counts. */
  readonly acts: boolean;
}

/** Number of timeouts that a line may take to send the bytes of a try. */
const PATIENCE = 10;
/** END, frame, END; ten bits a byte (8N1). */
const LARGEST_FRAME_BITS = (4095 + 2) * 10;

/**
 * How long a try may stay unanswered, ms: on a serial line, longer by the transmission time of the largest frame.
 * @param baudRate bits a second; absent for a line that has none
 */
export function tryTimeout(baudRate?: number): number {
  return TIMES.tryFails + (baudRate === undefined ? 0 : (LARGEST_FRAME_BITS * 1000) / baudRate);
}

/** The state before the first try. */
export function beginExchange(at: number): ExchangeState {
  return { kind: "ready", since: at, tries: 1, copies: 0, busy: 0, inDoubt: false, isForgotten: false };
}

/** When the clock must be checked next; undefined when the request has ended. */
export function exchangeTimerAt(
  state: ExchangeState,
  heardAt: number,
  { timeoutMs }: Pick<ExchangeRules, "timeoutMs">,
): number | undefined {
  switch (state.kind) {
    case "ready":
    case "leaving":
      return state.since + PATIENCE * timeoutMs;
    case "waiting":
    case "settling":
      return Math.min(Math.max(state.leftAt, heardAt) + timeoutMs, state.leftAt + timeoutMs + TIMES.tryLengthens);
    case "pausing":
      return state.until;
    case "ended":
      return undefined;
  }
}

/** DP5, "Requests". The state `ready` requests a try: under a new seq when it follows `pausing`. */
export function stepExchange(state: ExchangeState, input: ExchangeInput, rules: ExchangeRules): ExchangeState {
  if (state.kind === "ended") return state;
  switch (input.kind) {
    case "taken":
      return state.kind === "ready" ? { ...state, kind: "leaving", since: input.at, copies: state.copies + 1 } : state;
    case "left":
      return state.kind === "leaving" ? waiting(state, input.at, state.tries) : state;
    case "time":
      return atTime(state, input.at, input.heardAt, rules);
    case "came":
      return atAnswer(state, input.at, input.message, rules);
    case "late":
      if (!mayHaveActed(state)) return ended({ kind: "withheld", sent: false });
      if (state.kind !== "ready" || state.copies === 0) return ended({ kind: "withheld", sent: true });
      return waiting(state, input.at, TRIES);
    case "hello":
      return rules.acts ? atHello(state, input.at) : state;
    case "withheld":
    case "lost":
      return ended({ kind: input.kind, sent: mayHaveActed(state) });
  }
}

type Open = Exclude<ExchangeState, { kind: "ended" }>;
type Trying = Extract<ExchangeState, { kind: "ready" | "leaving" }>;

function waiting({ copies, busy, inDoubt, isForgotten }: Trying, leftAt: number, tries: number): ExchangeState {
  return { kind: "waiting", leftAt, tries, copies, busy, inDoubt, isForgotten };
}

/** S5: once a copy of an acting request has left, no further copy leaves; the sent copy may still be answered. */
function atHello(state: Open, at: number): ExchangeState {
  if (!mayHaveActed(state)) return state;
  if (state.kind === "pausing" || (state.kind === "ready" && state.copies === 0))
    return ended({ kind: "busy", sent: true });
  const forgotten = { ...state, isForgotten: true };
  return forgotten.kind === "ready" ? waiting(forgotten, at, TRIES) : forgotten;
}

function atTime(state: Open, at: number, heardAt: number, rules: ExchangeRules): ExchangeState {
  if (at < (exchangeTimerAt(state, heardAt, rules) ?? 0)) return state;
  const { busy, inDoubt, isForgotten } = state;
  switch (state.kind) {
    case "pausing":
      return { kind: "ready", since: at, tries: 1, copies: 0, busy, inDoubt, isForgotten: false };
    case "ready":
      return ended({ kind: "withheld", sent: mayHaveActed(state) });
    case "settling":
      return pause(at, { busy, inDoubt: true, isForgotten });
    case "leaving":
    case "waiting":
      if (state.tries === TRIES || isForgotten) return ended({ kind: "silence" });
      return { kind: "ready", since: at, tries: state.tries + 1, copies: state.copies, busy, inDoubt, isForgotten };
  }
}

function atAnswer(state: Open, at: number, message: Message, { answer, acts }: ExchangeRules): ExchangeState {
  if (state.kind === "pausing" || state.copies === 0) return state;
  const { busy, inDoubt, isForgotten } = state;
  if (message.type === answer) {
    const repeated = inDoubt || state.kind === "settling" || state.copies > 1;
    return ended({ kind: "answered", message, repeated });
  }
  if (message.type !== "ERROR") return state;
  const copies = state.copies - 1;
  if (message.code !== ERROR_CODE.busy)
    return ended({ kind: "error", code: message.code, text: message.text, sent: inDoubt });
  if (!acts || copies === 0) return pause(at, { busy, inDoubt, isForgotten });
  const leftAt = state.kind === "settling" ? state.leftAt : at;
  return { kind: "settling", leftAt, copies, busy, inDoubt, isForgotten };
}

/**
 * This seq only gets ERROR 9: try another seq, or give up after enough tries. B7: ERROR 9 from a node that has forgotten which requests
 * it executed (R6) does not prove that an unanswered copy was not executed.
 */
function pause(at: number, { busy, inDoubt, isForgotten }: Past): ExchangeState {
  const wait = BUSY_WAITS[busy];
  if (wait === undefined || (inDoubt && isForgotten)) return ended({ kind: "busy", sent: inDoubt });
  return { kind: "pausing", until: at + wait, busy: busy + 1, inDoubt, isForgotten: false };
}

/** Whether the node may have executed the request without an answer. ERROR 9 to each copy of a seq settles that seq. */
function mayHaveActed(state: Open): boolean {
  return state.inDoubt || (state.kind !== "pausing" && state.copies > 0);
}

function ended(end: ExchangeEnd): ExchangeState {
  return { kind: "ended", end };
}
