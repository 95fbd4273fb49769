/** What is asked of one node: its values by radio, one at a time, and settings. Apart, because reads, writes and checks share it. */
import { acceptedValue, allows, isNoValue, type Patience, type Read, worthOf } from "@porchlight/driver-kit";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { z } from "zod";
import type { ValueSetting, ZwaveProperty } from "../classes/zwave-property.ts";
import { CommandNotDone, CommandRefused, type ServerCommandOptions } from "../server/server-channel.ts";
import { isMeasured, PAIR_MS } from "../values/node-values.ts";
import { type ValueId, valueKey } from "../values/value-id.ts";
import type { ZwaveNode } from "./zwave-node.ts";

/** Sends a command to the server. @throws CommandRefused, CommandNotDone, NoAnswer; what `touch` throws */
export type AskServer = (
  command: string,
  args: object,
  patience: Patience,
  touch?: ServerCommandOptions["touch"],
) => Promise<unknown>;

/** The node has not said what the value is. */
class NodeSilent extends Error {
  constructor(why = "The node has not answered.") {
    super(why);
  }
}

/** How often a node is asked again for a value that changes while it is asked. */
const MOST_AGAIN = 3;

const NOTIFICATION = 113;
const SELDOM: ReadonlySet<number> = new Set([NOTIFICATION, 112]);
const timestampAnswer = z.object({ timestamp: z.number().optional() });
const valueAnswer = z.object({ value: z.unknown().optional() });
const setAnswer = z.object({ result: z.object({ status: z.number(), message: z.string().optional() }) });

/** `SetValueStatus` of Z-Wave JS. */
const STATUS = { working: 1, unsupervised: 254, success: 255 } as const;

/** Why nothing was done, by status. */
const REFUSED: Readonly<Record<number, string>> = {
  0: "The device does not support this command.",
  2: "The device has refused the command.",
  3: "The device has no such endpoint.",
  4: "The Z-Wave server cannot set this value.",
  5: "The value is not valid for the device.",
};

/**
 * `done`: the device has said that it has done it. `accepted`: it has said that it has begun. `sent`: its radio has taken the command; what
 * the device does is not known.
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
  /** Called with a value that was reported while the node was asked for it, and did not answer. */
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

  /** What the values that are known say of a property: `null` for no value; undefined while the server has said nothing of them. */
  now({ address, description, of, read }: ZwaveProperty): Read<Value> {
    const { raw } = this.#node.values;
    const value = read(raw);
    if (value === undefined) return undefined;
    const isWrong = value === null ? of.some((id) => isStrange(raw(id))) : worthOf(description, value) === "wrong_type";
    if (isWrong) this.#counters.wrongType += 1;
    return acceptedValue(address, description, value);
  }

  /** Whether the node has such a value. */
  has(id: ValueId): boolean {
    return this.#node.values.has(id);
  }

  /** The server reports a value. True while the node is asked for it: the answer says what it is. */
  report(id: ValueId): boolean {
    const raw = this.#node.values.raw(id);
    const isAsked = this.#polled.report(id, raw);
    if (isAsked && isStrange(raw)) this.#counters.wrongType += 1;
    return isAsked;
  }

  /** The values that the node is asked for to read a property; none when it only reports it by itself. */
  pollsOf({ polls, of }: Pick<ZwaveProperty, "polls" | "of">): readonly ValueId[] {
    return polls?.(this.#node.values.raw) ?? of;
  }

  /** Asks the node. @throws NodeSilent, what the server throws */
  async read(property: ZwaveProperty, patience: Patience, touch?: ServerCommandOptions["touch"]): Promise<Read<Value>> {
    const polls = this.pollsOf(property);
    for (const id of polls) await this.#poll(id, patience, touch);
    // The unit of an answer may follow it.
    const ms = Math.min(PAIR_MS, patience.deadline - this.#clock.monotonic());
    if (polls.some(isMeasured) && ms > 0) await sleep(this.#clock, "unit of an answer", ms, patience.signal);
    return this.beside(property, patience);
  }

  /** What a property is after its values were asked for: what a report says beside them, the server may tell only after the answer. */
  async beside(property: ZwaveProperty, patience: Patience): Promise<Read<Value>> {
    const polls = this.pollsOf(property);
    const said = new Set(polls.filter(({ commandClass }) => commandClass !== NOTIFICATION).map(valueKey));
    for (const id of property.of) if (!said.has(valueKey(id))) await this.#recall(id, patience);
    return this.now(property);
  }

  /** Those that the node can be asked for by itself, and no value twice: parameters seldom change, notifications are told. */
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

  /** Whether the server has heard one of a property's values after that time, wall-clock ms. False where it does not say. */
  async isSaidSince({ of }: ZwaveProperty, since: number, patience: Patience): Promise<boolean> {
    for (const id of of) {
      const args = { nodeId: this.#node.id, valueId: id };
      const answer = await this.#ask("node.get_value_timestamp", args, patience).catch(() => undefined);
      const { data } = timestampAnswer.safeParse(answer);
      if ((data?.timestamp ?? 0) > since) return true;
    }
    return false;
  }

  /** @throws Error when the answer makes no sense, what the server throws */
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
      // Without an answer of the node the server has no value; `null` is one that the node does not know itself.
      if (!parsed.success || parsed.data.value === undefined) throw new NodeSilent();
      return parsed.data.value;
    };
    // Of a notification the answer is the whole report, whose values are reported.
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
      // What was reported meanwhile is then all that is known.
      if (!isAnswered && isReported) this.#unanswered(id);
    }
  }

  /** What the server has of a value now: nothing is sent by radio. */
  async #recall(id: ValueId, patience: Patience): Promise<void> {
    const args = { nodeId: this.#node.id, valueId: id };
    const parsed = valueAnswer.safeParse(await this.#ask("node.get_value", args, patience));
    if (parsed.success) this.#node.values.set(id, parsed.data.value, this.#clock.monotonic());
  }
}

/** @throws what is no asRefused */
export function asRefused(failure: unknown): CommandRefused {
  if (failure instanceof CommandRefused) return failure;
  throw failure;
}

/** What is neither a value nor a spelling of none. */
function isStrange(raw: unknown): boolean {
  return typeof raw === "string" ? !isNoValue(raw) : typeof raw === "object" && raw !== null;
}

/** For one that asks again: a node that has not answered has said nothing. @throws what is no silence */
export function silent(failure: unknown): undefined {
  if (failure instanceof NodeSilent || failure instanceof CommandNotDone) return undefined;
  throw failure;
}

// Values that a node is asked for now, and what the server reports of them meanwhile: an answer may be older than such a report.

/** One question. */
interface PolledValue extends Disposable {
  /** Whether something else was reported since the question left than what was answered. The answer itself is reported too. */
  readonly isOvertaken: (answer: unknown) => boolean;
  /** Whether anything was reported since the question left. */
  readonly isReported: () => boolean;
}

class PolledValues {
  /** What was reported since each question left, by the value's name. */
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

  /** The server reports a value. True while the node is asked for it: the answer says what it is. */
  report(id: ValueId, raw: unknown): boolean {
    const all = this.#heard.get(valueKey(id));
    for (const heard of all ?? []) heard.add(asKey(raw));
    return all !== undefined;
  }
}

/** The same for the same content. */
function asKey(raw: unknown): unknown {
  return typeof raw === "object" ? JSON.stringify(raw) : raw;
}
