/** Writes of this tab to properties: sends them in order and at a pace, and knows how each stands. */
import { isPorchlightError, type Porchlight, type PorchlightEvent } from "@porchlight/sdk";
import type { Command, PropertyItem } from "@porchlight/shared/api";
import { keyOf, selectorOf, type Target } from "./target.ts";
import { nextState, type Refusal, SETTLES_WITHIN, STILL, type WriteInput, type WriteState } from "./write-state.ts";

/** How a value must be set. */
export interface How {
  /** Of a virtual device: as its own sensor would. */
  readonly report?: true | undefined;
  /** Kept for so many seconds until the hub is back; at once or not at all when left out. */
  readonly ttlSeconds?: number | undefined;
}

/** What of the API is needed: nothing that repeats by itself, for a person waits. */
export interface WriteApi {
  readonly devices: Pick<Porchlight["devices"], "set" | "setAsync">;
  readonly commands: Pick<Porchlight["commands"], "get">;
}

export interface WritesDeps {
  readonly api: WriteApi;
  /** The device has confirmed, and no event has said so yet. */
  readonly onConfirmed: (item: PropertyItem) => void;
  /** A device or its hub could not be reached, whatever was last known of it. */
  readonly onUnreachable: () => void;
  readonly now: () => number;
  /** Calls back once; gives how to call it off. */
  readonly timer: (ms: number, job: () => void) => () => void;
}

/** Of one property. */
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

  /** As often as a hand moves: what is overtaken is not sent, and the last is. */
  ask(target: Target, value: unknown, how: How = {}): void {
    const line = this.#line(target);
    const askedAt = this.#deps.now();
    line.waiting = { value, how, askedAt };
    this.#take(line, { kind: "ask", value, at: askedAt });
    this.#plan(line);
  }

  /** A refusal has been read. */
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

  /** What became of the command behind a refusal or a wait: events may have been missed. @throws PorchlightError */
  async inquire(target: Target): Promise<Command | undefined> {
    const state = this.stateOf(target);
    const id =
      state.kind === "waiting" ? state.command.id : state.kind === "refused" ? state.refusal.commandId : undefined;
    if (id === undefined) return undefined;
    const command = await this.#deps.api.commands.get(id);
    this.#end(command);
    return command;
  }

  /** Events may have been missed: asks after all that wait. */
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
    const told = await this.#told(target, waiting.value, waiting.how);
    line.isOut = false;
    const isLast = line.waiting === undefined;
    if (told.kind === "confirmed") {
      const { item, commandId } = told;
      const isNew = line.state.kind === "asking" && !line.state.heard.includes(commandId);
      if (isLast && isNew) this.#deps.onConfirmed(item);
      this.#take(line, { kind: "confirmed", said: item, commandId, isLast, at: this.#deps.now() });
    } else if (told.kind === "queued") this.#take(line, { ...told, isLast });
    else {
      if (isOfReach(told.refusal.name)) this.#deps.onUnreachable();
      this.#take(line, { ...told, isLast, at: this.#deps.now() });
    }
    this.#plan(line);
  }

  async #told(target: Target, value: unknown, { ttlSeconds, report }: How) {
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

/** An error as the reason of a refusal. */
function refusalFrom(error: unknown): Refusal {
  if (isPorchlightError(error)) {
    const { name, message, outcome, commandId, requestId } = error;
    return { name, detail: message, outcome, commandId, requestId };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { name: "This page has an error", detail, outcome: "unknown", commandId: undefined, requestId: undefined };
}

// When the next value of a property may be sent, while somebody drags: one at a time, so many milliseconds apart, and always the last one.
// What waits for a hub is kept by the service one by one, so there it is sent when the dragging has come to rest.

/** From one sending to the next, ms: a device follows a hand without being flooded. */
const APART = 120;
/** Without a newer value for so long, a hand has come to rest, ms. */
const AT_REST = 500;

interface Pace {
  /** Whether one is on its way. */
  readonly isOut: boolean;
  /** When the last one went, ms. */
  readonly sentAt: number | undefined;
  /** When the value that waits was asked for; undefined while none does. */
  readonly askedAt: number | undefined;
  /** It goes only when the hand is at rest. */
  readonly atRest: boolean;
}

/** Milliseconds until the value that waits goes; undefined while none waits, or another is still out. */
export function dueIn({ isOut, sentAt, askedAt, atRest }: Pace, now: number): number | undefined {
  if (askedAt === undefined || isOut) return undefined;
  if (atRest) return Math.max(0, askedAt + AT_REST - now);
  return sentAt === undefined ? 0 : Math.max(0, sentAt + APART - now);
}

// Whether an error still says what is so: what a later answer of the service contradicts must not stand beside it. Pure.

/** What the service answered last of a device. */
export interface LaterAnswer {
  /** When it came, ms since 1970 of this computer's clock. */
  readonly at: number;
  /** Of the device; undefined of one that has no connection. */
  readonly state: "online" | "offline" | "unknown" | undefined;
}

/** They say that the device, or the hub before it, cannot be reached. */
const OF_REACH: ReadonlySet<string> = new Set(["Hub Offline", "Device Unreachable"]);
/** They say that the service itself cannot be reached, or cannot answer. */
const OF_SERVICE: ReadonlySet<string> = new Set(["Connection Failed", "Timed Out", "Service Unavailable"]);

export function isOfReach(name: string): boolean {
  return OF_REACH.has(name);
}

/** @param name of the error @param at when it came, ms since 1970 of this computer's clock */
export function isContradicted(name: string, at: number, later: LaterAnswer): boolean {
  if (later.at <= at) return false;
  return OF_SERVICE.has(name) || (OF_REACH.has(name) && later.state === "online");
}
