/** The state of a link, from WHO to live and back, as a pure state machine without timers and bytes, so that tables can test it. */
import { ERROR_CODE, type HelloInfo, PINGS, TIMES } from "@porchlight/shared/wire";

export type SessionState =
  /** No HELLO yet: WHO every second. */
  | { readonly kind: "calling"; readonly nextWhoAt: number; readonly describedAt: number }
  /** The HELLO was answered with ERROR 11 or 12. */
  | { readonly kind: "refused"; readonly life: Life; readonly describedAt: number }
  | Joined;

export interface Joined {
  /** Live: every device is described and read. */
  readonly kind: "describing" | "live";
  readonly node: HelloInfo;
  readonly helloSeq: number;
  readonly life: Life;
  /** When the whole link was last described, or will be; monotonic ms. */
  readonly describedAt: number;
}

/** The PINGs since the last input. */
interface Life {
  readonly since: number;
  readonly pings: number;
  readonly pingedAt: number;
}

export type SessionInput =
  | {
      readonly kind: "hello";
      readonly at: number;
      readonly seq: number;
      readonly node: HelloInfo;
      readonly admitted: boolean;
    }
  | { readonly kind: "other_version"; readonly at: number; readonly seq: number }
  /** Every device is described and read. */
  | { readonly kind: "described" }
  /** The clock is checked. `heardAt`: when the last valid frame arrived. */
  | { readonly kind: "time"; readonly at: number; readonly heardAt: number };

export type SessionEffect =
  | { readonly kind: "who" }
  | { readonly kind: "ping" }
  | { readonly kind: "acknowledge"; readonly seq: number }
  | { readonly kind: "refuse"; readonly seq: number; readonly code: number; readonly reason: string }
  /** Describe and read everything, from `at` on; requests to the node's previous boot are lost. */
  | { readonly kind: "begin"; readonly node: HelloInfo; readonly at: number; readonly reboot: boolean }
  /** The node has sent HELLO in the same boot: with that it forgets which requests it has executed (R5, S5). */
  | { readonly kind: "same_boot" }
  /** A node that does not count its boots has rebooted: the record of its reports is void. */
  | { readonly kind: "forget_reports"; readonly node: string }
  /** The devices are offline. `silent`: the line has no input any more. */
  | { readonly kind: "down"; readonly reason: string; readonly silent: boolean };

export interface SessionStep {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

/** A line that has just been opened. */
export function openSession(at: number): SessionState {
  return { kind: "calling", nextWhoAt: at, describedAt: Number.NEGATIVE_INFINITY };
}

/** When the clock must be checked next, monotonic ms. */
export function sessionTimerAt(state: SessionState, heardAt: number): number {
  if (state.kind === "calling") return state.nextWhoAt;
  const { since, pings, pingedAt } = state.life;
  if (pings === 0 || heardAt >= pingedAt) return Math.max(since, heardAt) + TIMES.silence;
  return pingedAt + TIMES.pong;
}

/** DP5, "Start", "Reboot" and "Life". */
export function stepSession(state: SessionState, input: SessionInput): SessionStep {
  switch (input.kind) {
    case "hello":
      return input.admitted
        ? atHello(state, input)
        : refuse(state, input.at, input.seq, ERROR_CODE.notAdmitted, "not admitted");
    case "other_version":
      return refuse(state, input.at, input.seq, ERROR_CODE.versionNotSupported, "version not supported");
    case "described":
      return { state: state.kind === "describing" ? { ...state, kind: "live" } : state, effects: [] };
    case "time":
      return atTime(state, input.at, input.heardAt);
  }
}

type Hello = Extract<SessionInput, { kind: "hello" }>;

function atHello(state: SessionState, { at, seq, node }: Hello): SessionStep {
  const acknowledge: SessionEffect = { kind: "acknowledge", seq };
  const known = state.kind === "describing" || state.kind === "live" ? state : undefined;
  if (known && isSameBoot(known, node, seq)) return { state, effects: [{ kind: "same_boot" }, acknowledge] };

  // A description that is planned and has not begun serves this boot as well.
  const planned = state.describedAt > at ? state.describedAt : state.describedAt + TIMES.describeSpacing;
  const startAt = Math.max(at, planned);
  const effects: SessionEffect[] = [];
  if (known && node.boot === 0 && known.node.id === node.id) effects.push({ kind: "forget_reports", node: node.id });
  effects.push(acknowledge, { kind: "begin", node, at: startAt, reboot: known !== undefined });
  return { state: { kind: "describing", node, helloSeq: seq, life: alive(at), describedAt: startAt }, effects };
}

/**
 * A node that does not count its boots repeats a HELLO, with the same seq, only until its HELLO_ACK comes: after that every HELLO is a
 * reboot.
 */
function isSameBoot(known: Joined, node: HelloInfo, seq: number): boolean {
  if (known.node.id !== node.id || known.node.boot !== node.boot) return false;
  return node.boot !== 0 || (known.kind === "describing" && known.helloSeq === seq);
}

function refuse(state: SessionState, at: number, seq: number, code: number, reason: string): SessionStep {
  const refusal: SessionEffect = { kind: "refuse", seq, code, reason };
  const joined = state.kind === "describing" || state.kind === "live";
  return {
    state: { kind: "refused", life: alive(at), describedAt: state.describedAt },
    effects: joined ? [{ kind: "down", reason, silent: false }, refusal] : [refusal],
  };
}

function atTime(state: SessionState, at: number, heardAt: number): SessionStep {
  if (at < sessionTimerAt(state, heardAt)) return { state, effects: [] };
  if (state.kind === "calling") return { state: { ...state, nextWhoAt: at + TIMES.hello }, effects: [{ kind: "who" }] };
  const pings = heardAt >= state.life.pingedAt ? 0 : state.life.pings;
  if (pings < PINGS) {
    const life: Life = { since: state.life.since, pings: pings + 1, pingedAt: at };
    return { state: { ...state, life }, effects: [{ kind: "ping" }] };
  }
  return {
    state: { kind: "calling", nextWhoAt: at + TIMES.hello, describedAt: state.describedAt },
    effects: [{ kind: "down", reason: `${PINGS} PINGs unanswered`, silent: true }, { kind: "who" }],
  };
}

function alive(at: number): Life {
  return { since: at, pings: 0, pingedAt: Number.NEGATIVE_INFINITY };
}
