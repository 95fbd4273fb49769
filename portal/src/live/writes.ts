/** This tab's writes to properties: sends them in order at a limited rate, and tracks the state of each. */
import { isPorchlightError, type Porchlight, type PorchlightEvent } from "@porchlight/sdk";
import type { Command, PropertyItem } from "@porchlight/shared/api";
import { keyOf, selectorOf, type Target } from "./target.ts";
import { nextState, type Refusal, SETTLES_WITHIN, STILL, type WriteInput, type WriteState } from "./write-state.ts";

/** Options of a write. */
export interface How {
  /** On a virtual device: report the value as its own sensor would. */
  readonly report?: true | undefined;
  /** How many seconds the write waits for the hub; undefined: it takes effect at once or fails. */
  readonly ttlSeconds?: number | undefined;
}

/** The API methods that writes need. The client must not retry, because a person waits for the result. */
interface WriteApi {
  readonly devices: Pick<Porchlight["devices"], "set" | "setAsync">;
  readonly commands: Pick<Porchlight["commands"], "get">;
}

interface WritesDeps {
  readonly api: WriteApi;
  /** The device has confirmed the write before its event arrived. */
  readonly onConfirmed: (item: PropertyItem) => void;
  /** A device or its hub was unreachable, contrary to its last known state. */
  readonly onUnreachable: () => void;
  readonly now: () => number;
  /** Calls `job` once. @returns cancels the timer */
  readonly timer: (ms: number, job: () => void) => () => void;
}

/** The write state of one property. */
interface Line {
  readonly target: Target;
  state: WriteState;
  waiting: { readonly value: unknown; readonly how: How; readonly askedAt: number } | undefined;
  isOut: boolean;
  sentAt: number | undefined;
  cancel: (() => void) | undefined;
}

export class Writes {
  readonly #deps: WritesDeps;
  readonly #lines = new Map<string, Line>();
  readonly #listeners = new Set<() => void>();

  constructor(deps: WritesDeps) {
    this.#deps = deps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  stateOf(target: Target): WriteState {
    return this.#lines.get(keyOf(target))?.state ?? STILL;
  }

  /** Requests a value, as often as the hand moves. A newer value replaces an unsent one, and the last is always sent. */
  ask(target: Target, value: unknown, how: How = {}): void {
    const line = this.#line(target);
    const askedAt = this.#deps.now();
    line.waiting = { value, how, askedAt };
    this.#take(line, { kind: "ask", value, at: askedAt });
    this.#plan(line);
  }

  /** Clears a refusal that the user has read. */
  dismiss(target: Target): void {
    const line = this.#lines.get(keyOf(target));
    if (line) this.#take(line, { kind: "dismissed" });
  }

  hear(event: PorchlightEvent): void {
    if (event.type === "property.changed") {
      const line = this.#lines.get(keyOf(event.data.item));
      if (line) this.#take(line, { kind: "event", commandId: event.data.cause.commandId });
    } else if (event.type === "command.completed") this.#end(event.data);
  }

  /** Fetches the command behind a refusal or a waiting write, because its event may have been missed. @throws PorchlightError */
  async inquire(target: Target): Promise<Command | undefined> {
    const state = this.stateOf(target);
    const id =
      state.kind === "waiting" ? state.command.id : state.kind === "refused" ? state.refusal.commandId : undefined;
    if (id === undefined) return undefined;
    const command = await this.#deps.api.commands.get(id);
    this.#end(command);
    return command;
  }

  /** Fetches the commands of all waiting writes, because their events may have been missed. */
  recheck(): void {
    for (const { target, state } of this.#lines.values())
      if (state.kind === "waiting") void this.inquire(target).catch(() => undefined);
  }

  close(): void {
    for (const line of this.#lines.values()) line.cancel?.();
    this.#lines.clear();
  }

  #end(command: Command): void {
    const line = this.#lines.get(keyOf(command));
    if (line) this.#take(line, { kind: "completed", command, at: this.#deps.now() });
  }

  #line(target: Target): Line {
    const key = keyOf(target);
    const known = this.#lines.get(key);
    if (known) return known;
    const line: Line = {
      target,
      state: STILL,
      waiting: undefined,
      isOut: false,
      sentAt: undefined,
      cancel: undefined,
    };
    this.#lines.set(key, line);
    return line;
  }

  #plan(line: Line): void {
    line.cancel?.();
    const { isOut, sentAt, waiting } = line;
    const atRest = waiting?.how.ttlSeconds !== undefined;
    const due = dueIn({ isOut, sentAt, askedAt: waiting?.askedAt, atRest }, this.#deps.now());
    if (due === 0) void this.#send(line);
    else if (due !== undefined) line.cancel = this.#deps.timer(due, () => this.#plan(line));
  }

  async #send(line: Line): Promise<void> {
    const { waiting, target } = line;
    if (!waiting) return;
    line.waiting = undefined;
    line.isOut = true;
    line.sentAt = this.#deps.now();
    const answer = await this.#answerTo(target, waiting.value, waiting.how);
    line.isOut = false;
    const isLast = line.waiting === undefined;
    if (answer.kind === "confirmed") {
      const { item, commandId } = answer;
      const isNew = line.state.kind === "asking" && !line.state.heard.includes(commandId);
      if (isLast && isNew) this.#deps.onConfirmed(item);
      this.#take(line, { kind: "confirmed", reported: item, commandId, isLast, at: this.#deps.now() });
    } else if (answer.kind === "queued") this.#take(line, { ...answer, isLast });
    else {
      if (isOfReach(answer.refusal.name)) this.#deps.onUnreachable();
      this.#take(line, { ...answer, isLast, at: this.#deps.now() });
    }
    this.#plan(line);
  }

  async #answerTo(target: Target, value: unknown, { ttlSeconds, report }: How) {
    const { devices } = this.#deps.api;
    try {
      if (ttlSeconds !== undefined) {
        const command = await devices.setAsync(target.deviceId, selectorOf(target), value, { ttlSeconds });
        return { kind: "queued", command } as const;
      }
      const { item, commandId } = await devices.set(target.deviceId, selectorOf(target), value, { report });
      return { kind: "confirmed", item, commandId } as const;
    } catch (error) {
      return { kind: "refused", refusal: refusalFrom(error) } as const;
    }
  }

  #take(line: Line, input: WriteInput): void {
    const next = nextState(line.state, input);
    if (next === line.state) return;
    line.state = next;
    if (next.kind === "settling" || (next.kind === "waiting" && next.until !== undefined))
      this.#deps.timer(SETTLES_WITHIN, () => this.#take(line, { kind: "passed", at: this.#deps.now() }));
    for (const listener of this.#listeners) listener();
  }
}

/** Converts an error to the reason of a refusal. */
function refusalFrom(error: unknown): Refusal {
  if (isPorchlightError(error)) {
    const { name, message, outcome, commandId, requestId } = error;
    return { name, detail: message, outcome, commandId, requestId };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { name: "This page has an error", detail, outcome: "unknown", commandId: undefined, requestId: undefined };
}

/** Minimum interval between two sends in ms, so that a dragging hand does not flood the device. */
const APART = 120;
/** A hand rests after this many ms without a newer value. */
const AT_REST = 500;

/**
 * The pace of a property's writes while a person drags: one at a time, `APART` ms apart, and the last one always. The service queues each
 * write for an offline hub, so such a write is sent only when the hand rests.
 */
interface Pace {
  /** Whether a write is in flight. */
  readonly isOut: boolean;
  /** Time of the last send, in ms. */
  readonly sentAt: number | undefined;
  /** When the pending value was requested; undefined when none is pending. */
  readonly askedAt: number | undefined;
  /** Send only when the hand rests. */
  readonly atRest: boolean;
}

/** Milliseconds until the pending value must be sent; undefined when none is pending or a write is still in flight. */
export function dueIn({ isOut, sentAt, askedAt, atRest }: Pace, now: number): number | undefined {
  if (askedAt === undefined || isOut) return undefined;
  if (atRest) return Math.max(0, askedAt + AT_REST - now);
  return sentAt === undefined ? 0 : Math.max(0, sentAt + APART - now);
}

/** The service's latest response about a device. */
export interface LaterAnswer {
  /** Time of the response by the browser's clock, in ms since 1970. */
  readonly at: number;
  /** The device's state; undefined for a device without a connection. */
  readonly state: "online" | "offline" | "unknown" | undefined;
}

/** Errors of an unreachable device or hub. */
const OF_REACH: ReadonlySet<string> = new Set(["Hub Offline", "Device Unreachable"]);
/** Errors of an unreachable or failing service. */
const OF_SERVICE: ReadonlySet<string> = new Set(["Connection Failed", "Timed Out", "Service Unavailable"]);

export function isOfReach(name: string): boolean {
  return OF_REACH.has(name);
}

/**
 * Whether a later response of the service contradicts an error; the page must not show both. Pure.
 * @param name of the error
 * @param at time of the error by the browser's clock, in ms since 1970
 */
export function isContradicted(name: string, at: number, later: LaterAnswer): boolean {
  if (later.at <= at) return false;
  return OF_SERVICE.has(name) || (OF_REACH.has(name) && later.state === "online");
}
