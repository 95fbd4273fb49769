/** Requests to one node: values by radio, one at a time, and settings. Apart, because reads, writes and checks share it. */
import { acceptedValue, allows, isNoValue, type Patience, type Read, worthOf } from "@porchlight/driver-kit";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { z } from "zod";
import type { ValueSetting, ZwaveProperty } from "./classes/zwave-property.ts";
import { CommandNotDone, CommandRefused, type ServerCommandOptions } from "./server/server-channel.ts";
import { isMeasured, PAIR_MS, type ValueId, valueKey } from "./values/node-state.ts";
import type { ZwaveNode } from "./zwave-node.ts";

/** Sends a command to the server. @throws CommandRefused, CommandNotDone, NoAnswer; what `touch` throws */
export type AskServer = (
  command: string,
  args: object,
  patience: Patience,
  touch?: ServerCommandOptions["touch"],
) => Promise<unknown>;

/** The node did not answer with a value. */
class NodeSilent extends Error {
  constructor(why = "The node has not answered.") {
    super(why);
  }
}

/** Maximum repetitions of a request whose value changes meanwhile. */
const MOST_AGAIN = 3;

const NOTIFICATION = 113;
const SELDOM: ReadonlySet<number> = new Set([NOTIFICATION, 112]);
const timestampAnswer = z.object({ timestamp: z.number().optional() });
const valueAnswer = z.object({ value: z.unknown().optional() });
const setAnswer = z.object({ result: z.object({ status: z.number(), message: z.string().optional() }) });

/** `SetValueStatus` of Z-Wave JS. */
const STATUS = { working: 1, unsupervised: 254, success: 255 } as const;

/** Reason why nothing was done, by status. */
const REFUSED: Readonly<Record<number, string>> = {
  0: "The device does not support this command.",
  2: "The device has refused the command.",
  3: "The device has no such endpoint.",
  4: "The Z-Wave server cannot set this value.",
  5: "The value is not valid for the device.",
};

/**
 * `done`: the device has confirmed completion. `accepted`: the device has confirmed the start. `sent`: the device's radio has received
 * the command, with unknown effect.
 */
export type SetResult =
  | { readonly kind: "done" | "accepted" | "sent" }
  | { readonly kind: "refused"; readonly why: string; readonly code: number | undefined };

export class NodeAsker {
  readonly #node: Pick<ZwaveNode, "id" | "values">;
  readonly #ask: AskServer;
  readonly #counters: { wrongType: number };
  readonly #clock: Clock;
  readonly #polled = new PolledValues();
  /** Called for a value that was reported during a request that the node did not answer. */
  readonly #unanswered: (id: ValueId) => void;

  constructor(
    node: Pick<ZwaveNode, "id" | "values">,
    clock: Clock,
    ask: AskServer,
    counters: { wrongType: number },
    unanswered: (id: ValueId) => void,
  ) {
    this.#unanswered = unanswered;
    this.#node = node;
    this.#clock = clock;
    this.#ask = ask;
    this.#counters = counters;
  }

  /** Value of a property from the known values: `null` for no value; undefined while the server has none. */
  now({ address, description, of, read }: ZwaveProperty): Read<Value> {
    const { raw } = this.#node.values;
    const value = read(raw);
    if (value === undefined) return undefined;
    const isWrong = value === null ? of.some((id) => isStrange(raw(id))) : worthOf(description, value) === "wrong_type";
    if (isWrong) this.#counters.wrongType += 1;
    return acceptedValue(address, description, value);
  }

  /** Whether the node has the value. */
  has(id: ValueId): boolean {
    return this.#node.values.has(id);
  }

  /** Takes a report of the server. @returns true during a request for the value: the answer then decides */
  report(id: ValueId): boolean {
    const raw = this.#node.values.raw(id);
    const isAsked = this.#polled.report(id, raw);
    if (isAsked && isStrange(raw)) this.#counters.wrongType += 1;
    return isAsked;
  }

  /** Values to request for reading a property; empty when the node only reports it by itself. */
  pollsOf({ polls, of }: Pick<ZwaveProperty, "polls" | "of">): readonly ValueId[] {
    return polls?.(this.#node.values.raw) ?? of;
  }

  /** Requests the property from the node. @throws NodeSilent, what the server throws */
  async read(property: ZwaveProperty, patience: Patience, touch?: ServerCommandOptions["touch"]): Promise<Read<Value>> {
    const polls = this.pollsOf(property);
    for (const id of polls) await this.#poll(id, patience, touch);
    // The unit of an answer may follow it.
    const ms = Math.min(PAIR_MS, patience.deadline - this.#clock.monotonic());
    if (polls.some(isMeasured) && ms > 0) await sleep(this.#clock, "unit of an answer", ms, patience.signal);
    return this.beside(property, patience);
  }

  /**
   * Value of a property after its values were requested. The server may update values that accompany a report only after the answer, so
   * they are read from it again.
   */
  async beside(property: ZwaveProperty, patience: Patience): Promise<Read<Value>> {
    const polls = this.pollsOf(property);
    const stated = new Set(polls.filter(({ commandClass }) => commandClass !== NOTIFICATION).map(valueKey));
    for (const id of property.of) if (!stated.has(valueKey(id))) await this.#recall(id, patience);
    return this.now(property);
  }

  /**
   * Properties to request on the driver's own initiative, each value once. Parameters are left out because they seldom change,
   * notifications because the node reports them.
   */
  *askable(properties: readonly ZwaveProperty[]): Iterable<ZwaveProperty> {
    const asked = new Set<string>();
    for (const property of properties) {
      const keys = this.pollsOf(property).map(valueKey);
      const isSeldom = property.of.some(({ commandClass }) => SELDOM.has(commandClass));
      if (isSeldom || !allows(property.description, "read") || keys.every((key) => asked.has(key))) continue;
      for (const key of keys) asked.add(key);
      yield property;
    }
  }

  /** Whether the server received one of the property's values after `since`, wall-clock ms. False when the server does not know. */
  async isReportedSince({ of }: ZwaveProperty, since: number, patience: Patience): Promise<boolean> {
    for (const id of of) {
      const args = { nodeId: this.#node.id, valueId: id };
      const answer = await this.#ask("node.get_value_timestamp", args, patience).catch(() => undefined);
      const { data } = timestampAnswer.safeParse(answer);
      if ((data?.timestamp ?? 0) > since) return true;
    }
    return false;
  }

  /** @throws Error when the answer is not understood; what the server throws */
  async set({ at, value }: ValueSetting, patience: Patience, touch: ServerCommandOptions["touch"]): Promise<SetResult> {
    const args = { nodeId: this.#node.id, valueId: at, value };
    const answer = await this.#ask("node.set_value", args, patience, touch).catch(asRefused);
    if (answer instanceof CommandRefused) return { kind: "refused", why: answer.message, code: answer.code };
    const parsed = setAnswer.safeParse(answer);
    if (!parsed.success) throw new Error("The Z-Wave server's answer is not understood.");
    const { status, message } = parsed.data.result;
    if (status === STATUS.success) return { kind: "done" };
    if (status === STATUS.working) return { kind: "accepted" };
    if (status === STATUS.unsupervised) return { kind: "sent" };
    return { kind: "refused", why: message?.slice(0, 300) || REFUSED[status] || `Refused (${status}).`, code: status };
  }

  async #poll(id: ValueId, patience: Patience, touch?: ServerCommandOptions["touch"]): Promise<void> {
    const args = { nodeId: this.#node.id, valueId: id };
    const ask = async (): Promise<unknown> => {
      const parsed = valueAnswer.safeParse(await this.#ask("node.poll_value", args, patience, touch));
      // Without an answer of the node the server sends no value; `null` is a value that the node itself does not know.
      if (!parsed.success || parsed.data.value === undefined) throw new NodeSilent();
      return parsed.data.value;
    };
    // The answer to a request for a notification is the whole report, which arrives as separate events.
    if (id.commandClass === NOTIFICATION) return void (await ask());
    let [isAnswered, isReported] = [false, false];
    try {
      for (let again = 0; again <= MOST_AGAIN; again++) {
        using polled = this.#polled.begin(id);
        const answer = await ask().finally(() => {
          isReported ||= polled.isReported();
        });
        if (polled.isOvertaken(answer)) continue;
        this.#node.values.set(id, answer, this.#clock.monotonic());
        isAnswered = true;
        return;
      }
      throw new NodeSilent("The value changed again and again while the node was asked for it.");
    } finally {
      // The reports received meanwhile are then the best information.
      if (!isAnswered && isReported) this.#unanswered(id);
    }
  }

  /** Reads the server's cached value, without radio traffic. */
  async #recall(id: ValueId, patience: Patience): Promise<void> {
    const args = { nodeId: this.#node.id, valueId: id };
    const parsed = valueAnswer.safeParse(await this.#ask("node.get_value", args, patience));
    if (parsed.success) this.#node.values.set(id, parsed.data.value, this.#clock.monotonic());
  }
}

/** @throws any other failure */
export function asRefused(failure: unknown): CommandRefused {
  if (failure instanceof CommandRefused) return failure;
  throw failure;
}

/** Whether the content is neither a value nor a spelling of "none". */
function isStrange(raw: unknown): boolean {
  return typeof raw === "string" ? !isNoValue(raw) : typeof raw === "object" && raw !== null;
}

/** Lets a caller that retries treat a missing answer as undefined. @throws any other failure */
export function silent(failure: unknown): undefined {
  if (failure instanceof NodeSilent || failure instanceof CommandNotDone) return undefined;
  throw failure;
}

/** An open request for a value. Its answer may be older than a report that arrives meanwhile. */
interface PolledValue extends Disposable {
  /** Whether a content other than the answer was reported since the request was sent. The answer itself is reported too. */
  readonly isOvertaken: (answer: unknown) => boolean;
  /** Whether anything was reported since the request was sent. */
  readonly isReported: () => boolean;
}

class PolledValues {
  /** Contents reported since each request was sent, by the value's key. */
  readonly #heard = new Map<string, Set<Set<unknown>>>();

  begin(id: ValueId): PolledValue {
    const key = valueKey(id);
    const heard = new Set<unknown>();
    const all = this.#heard.get(key) ?? new Set();
    this.#heard.set(key, all.add(heard));
    return {
      isReported: () => heard.size > 0,
      isOvertaken: (answer) => [...heard].some((raw) => raw !== asKey(answer)),
      [Symbol.dispose]: () => {
        all.delete(heard);
        if (all.size === 0 && this.#heard.get(key) === all) this.#heard.delete(key);
      },
    };
  }

  /** Takes a report of the server. @returns true during a request for the value: the answer then decides */
  report(id: ValueId, raw: unknown): boolean {
    const all = this.#heard.get(valueKey(id));
    for (const heard of all ?? []) heard.add(asKey(raw));
    return all !== undefined;
  }
}

/** Returns the same key for the same content. */
function asKey(raw: unknown): unknown {
  return typeof raw === "object" ? JSON.stringify(raw) : raw;
}
