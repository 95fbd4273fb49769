/**
 * Messages that set a property: each becomes a command of the hub, like a command of the API at home.
 *
 * Invariants: commands to one property are executed in the order in which they arrived; a retained message sets nothing; no content of a
 * message throws here.
 */
import type { Received } from "@porchlight/driver-mqtt/broker";
import { type Clock, type IdMaker, type Log, TaskSet } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import type { Commands } from "../commands/index.ts";
import type { PropertyTarget } from "../state/index.ts";
import { colourCommand, commandValue, LONGEST_COMMAND } from "./payloads.ts";
import type { PublishedDevice } from "./published-devices.ts";
import { COLOUR, parseSetTopic } from "./topics.ts";

export interface SetMessagesDeps {
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly hub: string;
  readonly commands: Pick<Commands, "command">;
  readonly mayTouch: () => boolean;
  readonly published: (edgeId: string) => PublishedDevice | undefined;
  /** Publishes the property's value again, because the sender of a command may already show another value. */
  readonly tellAgain: (target: PropertyTarget) => void;
}

type SetRefusal = "retained" | "tooLarge" | "unknownProperty" | "notWritable" | "badValue" | "busy";

/** Deadline of a command, ms. */
const DEADLINE_MS = 10_000;
/** Maximum commands in progress. */
const MOST_RUNNING = 100;

export class SetMessages {
  readonly #deps: SetMessagesDeps;
  readonly #running = new TaskSet();
  /** Since the start. */
  readonly counters = {
    confirmed: 0,
    failed: 0,
    ...{ retained: 0, tooLarge: 0, unknownProperty: 0, notWritable: 0, badValue: 0, busy: 0 },
  };

  constructor(deps: SetMessagesDeps) {
    this.#deps = deps;
  }

  /** False when the topic is not a command topic. */
  take({ topic, payload, retained }: Received): boolean {
    const set = parseSetTopic(this.#deps.hub, topic);
    if (!set) return false;
    if (retained) this.#refuse("retained", topic);
    else if (payload.byteLength > LONGEST_COMMAND) this.#refuse("tooLarge", topic);
    else this.#set(topic, wantedValues(this.#deps.published(set.device), set.address, Buffer.from(payload).toString()));
    return true;
  }

  #set(topic: string, asked: WantedValues): void {
    if ("refused" in asked) {
      this.#refuse(asked.refused, topic, asked.of);
      return;
    }
    const { wanted } = asked;
    if (this.#running.size + wanted.length > MOST_RUNNING) {
      const targets = wanted.map(({ target }) => target);
      this.#refuse("busy", topic, targets);
      return;
    }
    for (const each of wanted) void this.#running.add(this.#carryOut(each));
  }

  async #carryOut({ target, value }: WantedValue): Promise<void> {
    const { clock, ids, commands, mayTouch, log, tellAgain } = this.#deps;
    const id = ids.next("cmd");
    let isAsWanted = false;
    try {
      const deadline = clock.monotonic() + DEADLINE_MS;
      const result = await commands.command({ id, ...target, value, local: true }, { deadline, mayTouch });
      this.counters[result.outcome === "confirmed" ? "confirmed" : "failed"] += 1;
      isAsWanted = result.outcome === "confirmed" && valuesEqual(result.value ?? value, value);
      const { outcome, failure } = result;
      if (failure) log.info({ command: id, ...target, outcome, failure }, "a command from the broker has failed");
    } catch (failure) {
      this.counters.failed += 1;
      log.error(
        { command: id, failure: String(failure) },
        "the result of a command from the broker could not be stored yet",
      );
    }
    if (!isAsWanted) tellAgain(target);
  }

  /** @param of properties whose new value the sender may already show */
  #refuse(why: SetRefusal, topic: string, of: readonly PropertyTarget[] = []): void {
    this.counters[why] += 1;
    // Logged once: a client that sends one such message sends many.
    if (this.counters[why] === 1) this.#deps.log.warn({ topic, why }, "a command from the broker was refused");
    for (const target of of) this.#deps.tellAgain(target);
  }
}

/** A property and its requested value. */
interface WantedValue {
  readonly target: PropertyTarget;
  readonly value: Value;
}

type WantedValues =
  | { readonly wanted: readonly WantedValue[] }
  /** `of`: properties whose new value the sender may already show. */
  | { readonly refused: "unknownProperty" | "notWritable" | "badValue"; readonly of: readonly PropertyTarget[] };

/** The properties and values that a message requests: all of them, or the reason for a refusal. Pure. */
function wantedValues(device: PublishedDevice | undefined, address: PropertyAddress, text: string): WantedValues {
  if (!device) return { refused: "unknownProperty", of: [] };
  if (address.property !== COLOUR) return one(device, address, text);
  const colour = device.colours.get(addressKey(address));
  if (!colour) return { refused: "unknownProperty", of: [] };
  const numbers = colourCommand(text);
  if (!numbers) return { refused: "badValue", of: [targetOf(device, colour.hue)] };
  const hue = one(device, colour.hue, numbers[0]);
  if ("refused" in hue) return hue;
  const saturation = one(device, colour.saturation, numbers[1]);
  return "refused" in saturation ? saturation : { wanted: [...hue.wanted, ...saturation.wanted] };
}

function one(device: PublishedDevice, address: PropertyAddress, text: string): WantedValues {
  const property = device.properties.get(addressKey(address));
  if (!property) return { refused: "unknownProperty", of: [] };
  const target = targetOf(device, address);
  if (!property.writable) return { refused: "notWritable", of: [target] };
  const value = commandValue(property.description, text);
  return value === undefined ? { refused: "badValue", of: [target] } : { wanted: [{ target, value }] };
}

function targetOf({ edgeId }: PublishedDevice, { service, index, property }: PropertyAddress): PropertyTarget {
  return { device: edgeId, service, index, property };
}
