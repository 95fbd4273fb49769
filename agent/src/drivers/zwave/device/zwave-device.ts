/**
 * One device of the network: read, written, and heard.
 *
 * Invariants: a value is told to the host once for each change; a write ends with a value only when the device itself has said that it is
 * done, or what it now is; the value of something that can be set is told by itself only after the device was asked: the server also
 * reports what it merely expects.
 */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import {
  type Attempt,
  allows,
  carryOut,
  type DriverHost,
  type DriverResult,
  describedServices,
  Gate,
  type LiveDevice,
  type Outcome,
  type SeenDevice,
} from "../../kit/index.ts";
import { NOTIFIED } from "../classes/notifications.ts";
import { byValue, isConfirmed, type ValueSetting, type ZwaveProperty } from "../classes/zwave-property.ts";
import { CommandRefused } from "../server/server-channel.ts";
import { type ValueId, valueKey } from "../values/value-id.ts";
import { type AskServer, asRefused, NodeAsker, silent } from "./node-asker.ts";
import { ToldValues } from "./told-values.ts";
import { ValuesBeingSet } from "./values-being-set.ts";
import type { ZwaveNode } from "./zwave-node.ts";

export interface ZwaveDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned" | "unread">;
  readonly ask: AskServer;
  /** Whether the controller can reach its nodes. */
  readonly isUp: () => boolean;
  /** Has the device read what it can be asked for, when it is its turn. */
  readonly firstReads: (device: ZwaveDevice) => void;
  /** How devices of this server are reached, for people. */
  readonly transport: string;
  readonly counters: { wrongType: number; lostEvents: number };
}

/** Until the device is asked what a command without a confirmation has done, ms; each further time twice as long, up to the second. */
const CHECK_AFTER_MS = 300;
const CHECK_AT_MOST_MS = 2000;
/** How long a node may take to answer when the driver asks by itself, ms. */
const ANSWER_MS = 10_000;
const ASLEEP = "The device is asleep: it can be asked and set while it is awake.";

export class ZwaveDevice implements SeenDevice {
  readonly edgeId: string;
  readonly node: ZwaveNode;
  readonly #deps: ZwaveDeviceDeps;
  readonly #asker: NodeAsker;
  readonly #told: ToldValues;
  readonly #awake: Gate;
  readonly #being = new ValuesBeingSet();
  /** Properties that the device is to be asked for, because the server may only expect their value. */
  readonly #doubtful = new Map<string, ZwaveProperty>();
  #properties: ReadonlyMap<string, ZwaveProperty> = new Map();
  #byValue: ReadonlyMap<string, readonly ZwaveProperty[]> = new Map();
  #announced: LiveDevice;
  /** Aborted when it has left; undefined while it is away. */
  #life: AbortController | undefined;
  #isChecking = false;

  constructor(edgeId: string, node: ZwaveNode, deps: ZwaveDeviceDeps) {
    this.edgeId = edgeId;
    this.node = node;
    this.#deps = deps;
    this.#asker = new NodeAsker(node, deps.ask, deps.counters);
    this.#told = new ToldValues(edgeId, deps);
    this.#awake = new Gate(deps.clock);
    this.#announced = this.#announcement();
    this.describe();
  }

  get announced(): LiveDevice {
    return this.#announced;
  }

  get isThere(): boolean {
    return this.node.isThere && this.#deps.isUp();
  }

  get isSensitive(): boolean {
    return this.node.description.isSensitive;
  }

  /** It has gone to sleep, or has woken. */
  statusChanged(): void {
    if (this.node.isAsleep) this.#awake.shut();
    else this.#awake.open();
  }

  /** It may describe itself otherwise than before. */
  describe(): void {
    this.statusChanged();
    const { properties } = this.node.description;
    this.#properties = new Map(properties.map((each) => [addressKey(each.address), each]));
    this.#byValue = byValue(properties);
    const announced = this.#announcement();
    if (JSON.stringify(announced) !== JSON.stringify(this.#announced)) this.#announced = announced;
  }

  /** The host has taken it: it is told what the server remembers, and the device is asked when it is its turn. */
  arrive(): void {
    this.#life = new AbortController();
    for (const property of this.#properties.values()) {
      const value = this.#asker.now(property);
      if (value === undefined || !allows(property.description, "read")) continue;
      // The server has it from an unknown time, unless it has changed since it was last told.
      this.#told.learn(property.address, value, !this.#told.isOther(property.address, value));
    }
    this.#deps.firstReads(this);
  }

  leave(): void {
    this.#life?.abort(new Error("The device is not connected."));
    this.#life = undefined;
    this.#doubtful.clear();
  }

  /** A value has changed, or is told for the first time. */
  take(id: ValueId): void {
    if (!this.#life) return;
    for (const property of this.#byValue.get(valueKey(id)) ?? []) if (!property.event) this.#hear(property);
  }

  /** A value that is only reported as it happens. */
  takeNotification(id: ValueId, raw: unknown): void {
    for (const { event, address } of this.#byValue.get(valueKey(id)) ?? []) {
      const value = event?.(raw);
      if (value !== undefined && this.#life) this.#told.happened(address, value);
    }
  }

  /** A notification that is no state of a value. */
  takeWords(endpoint: number, words: string): void {
    const property = this.#properties.get(addressKey({ ...NOTIFIED, index: String(endpoint) }));
    const value = property?.event?.(words);
    if (property && value !== undefined && this.#life) this.#told.happened(property.address, value);
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const { property, life } = this.#find(address);
      if (!allows(property.description, "read")) return { refused: "The property cannot be read." };
      if (this.#asker.pollsOf(property).length === 0) return { refused: "The device only reports it by itself." };
      if (this.node.isAsleep) return { unknown: ASLEEP };
      const value = await this.#ask(property, life, watched).catch(asRefused);
      if (value instanceof CommandRefused) return { refused: value.message, code: value.code };
      if (value === undefined) return { unknown: "The node has not said it." };
      this.#told.know(address, value);
      return { now: value };
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const { property, life } = this.#find(address);
      // It is not left to the server to wait: that would do it hours later.
      await this.#awake.wait({ deadline: watched.deadline, signal: lifeOf(life, watched) });
      if (this.node.isAsleep) return { unknown: ASLEEP };
      if (!property.set) return { refused: "The property cannot be set." };
      const setting = property.set(value, this.node.values.raw);
      const end = this.#being.begin(property.of);
      try {
        const outcome = await this.#set(property, setting, life, watched);
        if ("now" in outcome) this.#told.know(address, outcome.now);
        return outcome;
      } finally {
        end();
        // What else is made of the same values is asked for.
        for (const id of property.of) this.take(id);
      }
    });
  }

  /** Asks the node for everything that it can be asked for, except its parameters. @param turn settles when something may be asked */
  async readAll(turn: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const life = this.#life;
    if (!life) return;
    for (const property of this.#asker.askable([...this.#properties.values()])) {
      await turn(life.signal);
      if (life.signal.aborted || this.node.isAsleep) return;
      const value = await this.#askAlone(property, life).catch(() => undefined);
      if (value !== undefined && !life.signal.aborted) this.#told.learn(property.address, value, false);
    }
  }

  /** Tells what a device that sleeps has said while the hub did not hear it. @param since wall-clock ms */
  async recallNews(since: number): Promise<void> {
    const life = this.#life;
    if (!life || !this.node.isAsleep || (this.node.lastSeenAt ?? 0) <= since) return;
    for (const property of this.#properties.values()) {
      const value = allows(property.description, "read") ? this.#asker.now(property) : undefined;
      if (value === undefined || !(await this.#asker.isSaidSince(property, since, this.#patience(life)))) continue;
      if (!life.signal.aborted) this.#told.learn(property.address, value, false);
    }
  }

  async #set(
    property: ZwaveProperty,
    setting: ValueSetting,
    life: AbortController,
    attempt: Attempt,
  ): Promise<Outcome> {
    const signal = lifeOf(life, attempt);
    const patience = { deadline: attempt.deadline, signal };
    const result = await this.#asker.set(setting, patience, attempt.touch);
    if (result.kind === "refused") return { refused: result.why, code: result.code };
    if (result.kind === "done" || (result.kind === "accepted" && setting.isTarget)) return { now: setting.now };
    if (this.#asker.pollsOf(property).length === 0)
      return { unknown: "The device has received it, and never says whether it has done it." };
    const { clock } = this.#deps;
    for (
      let wait = CHECK_AFTER_MS;
      clock.monotonic() + wait < attempt.deadline;
      wait = Math.min(2 * wait, CHECK_AT_MOST_MS)
    ) {
      await sleep(clock, "device that is asked what it has done", wait, signal);
      const said = await this.#ask(property, life, attempt).catch(silent);
      if (said !== undefined && isConfirmed(property, setting.now, said)) return { now: said };
    }
    return { unknown: "The device has received it, and has not said that it is so." };
  }

  /** What the node says of a property now. @throws NodeSilent, what the server throws */
  #ask(property: ZwaveProperty, life: AbortController, attempt: Attempt): Promise<Value | undefined> {
    const patience = { deadline: attempt.deadline, signal: lifeOf(life, attempt) };
    return this.#asker.read(property, patience, attempt.touch);
  }

  #askAlone(property: ZwaveProperty, life: AbortController): Promise<Value | undefined> {
    return this.#asker.read(property, this.#patience(life));
  }

  #patience({ signal }: AbortController) {
    return { deadline: this.#deps.clock.monotonic() + ANSWER_MS, signal };
  }

  /** @throws Error, which nothing has been sent before */
  #find(address: PropertyAddress): { property: ZwaveProperty; life: AbortController } {
    if (!this.#life) throw new Error("The device is not connected.");
    const property = this.#properties.get(addressKey(address));
    if (!property) throw new Error("The device does not describe such a property any more.");
    return { property, life: this.#life };
  }

  #hear(property: ZwaveProperty): void {
    if (this.#being.has(property.of) || !allows(property.description, "notify")) return;
    const value = this.#asker.now(property);
    if (value === undefined || this.#told.isKnown(property.address, value)) return;
    // A device that sleeps cannot be asked: what the server says of it is all that there is.
    if (!this.#canBeSet(property) || this.node.isAsleep || this.#asker.pollsOf(property).length === 0) {
      this.#told.push(property.address, value);
      return;
    }
    this.#doubtful.set(addressKey(property.address), property);
    void this.#check();
  }

  /** Whether a value of it is also changed by setting something: the server then reports what it expects. */
  #canBeSet({ set, of }: ZwaveProperty): boolean {
    if (set) return true;
    return of.some((id) => this.#byValue.get(valueKey(id))?.some((each) => each.set) ?? false);
  }

  /** Asks for what is doubtful, one after another. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (let [next] = this.#doubtful; next && this.#life; [next] = this.#doubtful) {
      const [key, property] = next;
      this.#doubtful.delete(key);
      const life = this.#life;
      const value = await this.#askAlone(property, life).catch(() => undefined);
      if (life.signal.aborted) continue;
      // It could not be asked: the host has it asked again.
      if (value === undefined) this.#deps.host.unread(this.edgeId, property.address);
      else if (!this.#being.has(property.of) && !this.#told.isKnown(property.address, value))
        this.#told.push(property.address, value);
    }
    this.#isChecking = false;
  }

  #announcement(): LiveDevice {
    const { about, properties } = this.node.description;
    const { transport } = this.#deps;
    return { edgeId: this.edgeId, about, description: describedServices(properties), transport };
  }
}

function lifeOf({ signal }: AbortController, attempt: Attempt): AbortSignal {
  return attempt.signal ? AbortSignal.any([signal, attempt.signal]) : signal;
}
