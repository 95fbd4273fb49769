/**
 * All that a run is judged by: what clients asked and were answered, what hubs did, what was sent to streams and webhooks,
 * and what the store has in the end. Times are ms on the one monotonic clock of the run.
 */
import type { Truth } from "../hubs/truth.ts";

/** One request of a PUT; a PUT with an idempotency key may take several, all meaning the same. */
export interface Attempt {
  /** The node that was asked, or `balancer`. */
  readonly node: string;
  readonly begin: number;
  /** Missing without an answer: the connection broke, or the caller went away. */
  end?: number;
  status?: number;
  /** The error's name. */
  title?: string;
  outcome?: string;
  value?: unknown;
  commandId?: string;
}

/** A PUT of a value that is asked for once in a run, so that it is found at the device. */
export interface Put {
  readonly kind: "put" | "keyed" | "deferred";
  /** edgeId. */
  readonly device: string;
  readonly property: string;
  readonly value: number;
  /** How long after the last attempt's begin the device may be touched, ms: the wait asked for, or the time to live. */
  readonly waitMs: number;
  readonly attempts: Attempt[];
}

/** A value that a client read. */
export interface Read {
  readonly node: string;
  readonly device: string;
  readonly property: string;
  readonly value: unknown;
  readonly begin: number;
  readonly end: number;
  /** The device itself was asked. */
  readonly refreshed: boolean;
}

/** The API's answer about a hub's connection. */
export interface Look {
  readonly node: string;
  readonly hub: string;
  readonly state: string;
  readonly begin: number;
  readonly end: number;
}

/** An event as a stream, a webhook or the store has it. */
export interface EventSeen {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly at: number;
  /** Of a changed property. */
  readonly change?: { readonly device: string; readonly property: string; readonly value: unknown };
  /** Of a completed command. */
  readonly commandId?: string;
  /** Of a command that was not confirmed while its sender waited. */
  readonly unconfirmedId?: string;
}

/** One reader of the event stream, over all its connections, which may be to different nodes. */
export interface StreamSeen {
  readonly name: string;
  /** The sequence that it began behind. */
  readonly after: number;
  readonly events: EventSeen[];
  /** How often it was answered that what it asked for is not kept. */
  resets: number;
}

export interface CommandEnd {
  readonly id: string;
  readonly state: string;
}

/** A request with a token that was revoked. */
export interface TokenUse {
  readonly node: string;
  readonly begin: number;
  readonly status: number;
}

export interface RevokedToken {
  /** When its revocation was answered. */
  readonly revokedAt: number;
  readonly uses: TokenUse[];
}

/** The state when everything has calmed down. */
export interface Final {
  readonly log: readonly EventSeen[];
  readonly commands: readonly CommandEnd[];
  /** What each node shows, and what the device has. */
  readonly values: readonly {
    readonly node: string;
    readonly device: string;
    readonly property: string;
    readonly shown: unknown;
    readonly held: unknown;
  }[];
}

export interface History {
  readonly truth: Truth;
  readonly puts: Put[];
  readonly reads: Read[];
  readonly looks: Look[];
  readonly streams: StreamSeen[];
  /** Each arrival at the receiver, which takes everything. The hook is for all events behind {@link hookAfter}. */
  readonly deliveries: EventSeen[];
  hookAfter: number;
  readonly tokens: RevokedToken[];
  readonly final: Final;
}

export function emptyHistory(truth: Truth): History {
  const final: Final = { log: [], commands: [], values: [] };
  const lists = { puts: [], reads: [], looks: [], streams: [], deliveries: [], tokens: [] };
  return { truth, ...lists, hookAfter: 0, final };
}
