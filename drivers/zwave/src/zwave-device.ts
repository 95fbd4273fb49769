/**
 * One device of the network: reads, writes and reports.
 *
 * Invariants: a write ends with a value only when the device itself has confirmed it or reported its value; an address that is no longer
 * described is refused by name, and nothing is sent for it.
 */
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
  type Patience,
  type Read,
  type SeenDevice,
} from "@porchlight/driver-kit";
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { NOTIFIED } from "./classes/notifications.ts";
import { isConfirmed, type ValueSetting, type ZwaveProperty } from "./classes/zwave-property.ts";
import { ANSWER_MS, HeardNodeValues } from "./heard-values.ts";
import { HostValues } from "./host-values.ts";
import { type AskServer, asRefused, NodeAsker, silent } from "./node-asker.ts";
import { CommandRefused, type ServerCommandOptions } from "./server/server-channel.ts";
import type { ValueId } from "./values/node-state.ts";
import type { ZwaveNode } from "./zwave-node.ts";

export interface ZwaveDeviceDeps {
  readonly clock: Clock;
  readonly host: Pick<DriverHost, "pushed" | "learned" | "unread">;
  readonly ask: AskServer;
  /** Whether the controller can reach its nodes. */
  readonly isUp: () => boolean;
  /** Describes the device again at once, because a unit has changed. */
  readonly describe: (device: ZwaveDevice) => void;
  /** Schedules the first readings of the device. */
  readonly firstReads: (device: ZwaveDevice) => void;
  /** Transport of this server's devices, for people. */
  readonly transport: string;
  readonly counters: { wrongType: number; lostEvents: number; superseded: number };
}

const ASLEEP = "The device is asleep: it can be asked and set while it is awake.";

export class ZwaveDevice implements SeenDevice {
  readonly edgeId: string;
  readonly node: ZwaveNode;
  readonly #deps: ZwaveDeviceDeps;
  readonly #asker: NodeAsker;
  readonly #hostValues: HostValues;
  readonly #heard: HeardNodeValues;
  readonly #awake: Gate;
  #properties: ReadonlyMap<string, ZwaveProperty> = new Map();
  #announced: LiveDevice;
  /** Aborted when the device has left; undefined while it is away. */
  #life: AbortController | undefined;
  /** On the clock's monotonic time. */
  #leftAt = Number.NEGATIVE_INFINITY;

  constructor(edgeId: string, node: ZwaveNode, deps: ZwaveDeviceDeps) {
    this.edgeId = edgeId;
    this.node = node;
    this.#deps = deps;
    const { clock, host } = deps;
    this.#asker = new NodeAsker(node, clock, deps.ask, deps.counters, (id) => this.#heard.unanswered(id));
    this.#hostValues = new HostValues(edgeId, deps);
    this.#heard = new HeardNodeValues({
      ...{ clock, counters: deps.counters, asker: this.#asker, hostValues: this.#hostValues },
      isAwake: () => !this.node.isAsleep,
      unread: (address) => host.unread(edgeId, address),
      describe: () => deps.describe(this),
    });
    this.#awake = new Gate(clock);
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

  /** The node has fallen asleep or woken. */
  statusChanged(): void {
    if (this.node.isAsleep) this.#awake.shut();
    else this.#awake.open();
  }

  /** Applies the node's description, which may have changed. */
  describe(): void {
    this.statusChanged();
    const { properties } = this.node.description;
    this.#properties = new Map(properties.map((each) => [addressKey(each.address), each]));
    this.#heard.describe(properties);
    const announced = this.#announcement();
    if (JSON.stringify(announced) === JSON.stringify(this.#announced)) return;
    this.#announced = announced;
    this.#hostValues.describe(announced);
  }

  /** The host has accepted the device: reports the server's cached values and schedules the first readings. */
  arrive(): void {
    this.#life = new AbortController();
    this.#heard.begin(this.#life.signal);
    this.renewed();
  }

  /** The server has sent all its cached values again: reports those that differ and schedules the first readings. */
  renewed(): void {
    if (!this.#life) return;
    this.#recall([...this.#properties.values()]);
    this.#deps.firstReads(this);
  }

  /** The host has the new description: reports the values of properties that were not in the previous one. */
  described(): void {
    if (!this.#life) return;
    this.#recall([...this.#properties.values()].filter(({ address }) => !this.#hostValues.has(address)));
  }

  #recall(properties: readonly ZwaveProperty[]): void {
    for (const property of properties) {
      if (!allows(property.description, "read")) continue;
      const value = this.#asker.now(property) ?? (this.#hostValues.has(property.address) ? null : undefined);
      if (value === undefined) continue;
      // The server has the value from an unknown time, unless it changed or arrived since the last report.
      const isNews =
        this.#hostValues.isOther(property.address, value) || this.node.values.haveCome(property.of, this.#leftAt);
      this.#hostValues.learn(property.address, value, !isNews);
    }
  }

  leave(): void {
    // A device that missed its wakes may be dead, so its values are withdrawn.
    if (this.#life && this.node.hasMissedWakes) this.#expire();
    this.#leftAt = this.#deps.clock.monotonic();
    this.#life?.abort(new Error("The device is not connected."));
    this.#life = undefined;
    this.#heard.end();
  }

  /** Takes a value that was changed, repeated or removed. */
  take(id: ValueId): void {
    this.#heard.take(id);
  }

  /** The value has another unit now. */
  unitChanged(id: ValueId): void {
    this.#heard.unitChanged(id);
  }

  /** Takes a value that is only reported as an event. */
  takeNotification(id: ValueId, raw: unknown): void {
    for (const { event, address } of this.#heard.of(id)) {
      const value = event?.(raw);
      if (value !== undefined && this.#life) this.#hostValues.happened(address, value);
    }
  }

  /** Takes a notification that is not the state of a value. */
  takeWords(endpoint: number, words: string): void {
    const property = this.#properties.get(addressKey({ ...NOTIFIED, index: String(endpoint) }));
    const value = property?.event?.(words);
    if (property && value !== undefined && this.#life) this.#hostValues.happened(property.address, value);
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const life = this.#living();
      const property = this.#properties.get(addressKey(address));
      if (!property) return goneFrom(address);
      if (!allows(property.description, "read")) return { refused: "The property cannot be read." };
      if (this.#asker.pollsOf(property).length === 0) return { refused: "The device only reports it by itself." };
      if (this.node.isAsleep) return { unknown: ASLEEP };
      const patience = { deadline: watched.deadline, signal: lifeOf(life, watched) };
      const value = await this.#asker.read(property, patience, watched.touch).catch(asRefused);
      if (value instanceof CommandRefused) return { refused: value.message, code: value.code };
      void this.#heard.answered(property);
      return { now: value ?? null };
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const life = this.#living();
      const signal = lifeOf(life, watched);
      // The driver waits itself, because the server would send the command hours later.
      await this.#awake.wait({ deadline: watched.deadline, signal });
      if (this.node.isAsleep) return { unknown: ASLEEP };
      const property = this.#properties.get(addressKey(address));
      if (!property) return goneFrom(address);
      if (!property.set) return { refused: "The property cannot be set." };
      const { raw } = this.node.values;
      const setting = property.set(value, raw);
      const end = this.#heard.beginSetting(property, raw);
      let now: Value | undefined;
      try {
        const patience = { deadline: watched.deadline, signal };
        const { touch } = watched;
        const outcome = await setAndConfirm(this.#asker, this.#deps.clock, { property, setting, patience, touch });
        if ("now" in outcome) {
          now = outcome.now;
          this.#hostValues.know(address, outcome.now);
        }
        return outcome;
      } finally {
        // Requests the other properties of the same values.
        end(now);
      }
    });
  }

  /** Requests everything from the node except its parameters. @param turn resolves when the next request may be sent */
  async readAll(turn: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const life = this.#life;
    if (!life) return;
    for (const property of this.#asker.askable([...this.#properties.values()])) {
      await turn(life.signal);
      if (life.signal.aborted || this.node.isAsleep) return;
      const value = await this.#asker.read(property, this.#patience(life)).catch(() => undefined);
      if (value === undefined || life.signal.aborted) continue;
      this.#hostValues.learn(property.address, value, false);
      await this.#heard.answered(property);
    }
  }

  /** Reports values that a sleeping device sent while the hub was not connected. @param since wall-clock ms */
  async recallNews(since: number): Promise<void> {
    const life = this.#life;
    if (!life || !this.node.isAsleep || (this.node.lastSeenAt ?? 0) <= since) return;
    for (const property of this.#properties.values()) {
      const value = allows(property.description, "read") ? this.#asker.now(property) : undefined;
      if (value === undefined || !(await this.#asker.isReportedSince(property, since, this.#patience(life)))) continue;
      if (!life.signal.aborted) this.#hostValues.learn(property.address, value, false);
    }
  }

  /** Withdraws every value; later ones count as new. */
  #expire(): void {
    const properties = [...this.#properties.values()].filter(({ description }) => allows(description, "read"));
    for (const { address } of properties) if (this.#hostValues.has(address)) this.#hostValues.push(address, null);
    this.#hostValues.clear();
    this.node.values.void(properties.flatMap(({ of }) => of));
  }

  #patience({ signal }: AbortController) {
    return { deadline: this.#deps.clock.monotonic() + ANSWER_MS, signal };
  }

  /** @throws Error; nothing has been sent before */
  #living(): AbortController {
    if (!this.#life) throw new Error("The device is not connected.");
    return this.#life;
  }

  #announcement(): LiveDevice {
    const { about, properties } = this.node.description;
    const { transport } = this.#deps;
    return { edgeId: this.edgeId, about, description: describedServices(properties), transport };
  }
}

function goneFrom(address: PropertyAddress) {
  return { refused: `The device does not describe ${addressKey(address)} any more.` };
}

function lifeOf({ signal }: AbortController, attempt: Attempt): AbortSignal {
  return attempt.signal ? AbortSignal.any([signal, attempt.signal]) : signal;
}

/** Delay before the device is asked about an unconfirmed command, ms; it doubles each time, up to the second value. */
const CHECK_AFTER_MS = 300;
const CHECK_AT_MOST_MS = 2000;

interface SettingState {
  readonly property: ZwaveProperty;
  readonly setting: ValueSetting;
  readonly patience: Patience;
  readonly touch: ServerCommandOptions["touch"];
}

/**
 * Sends the command once and asks the device for the result, because the server knows only that it has sent the command. @throws what the
 * server throws
 */
async function setAndConfirm(
  asker: Pick<NodeAsker, "set" | "pollsOf" | "read">,
  clock: Clock,
  { property, setting, patience, touch }: SettingState,
): Promise<Outcome> {
  const result = await asker.set(setting, patience, touch);
  if (result.kind === "refused") return { refused: result.why, code: result.code };
  if (result.kind === "done" || (result.kind === "accepted" && setting.isTarget)) return { now: setting.now };
  if (asker.pollsOf(property).length === 0)
    return { unknown: "The device has received it, and never says whether it has done it." };
  for (
    let wait = CHECK_AFTER_MS;
    clock.monotonic() + wait < patience.deadline;
    wait = Math.min(2 * wait, CHECK_AT_MOST_MS)
  ) {
    await sleep(clock, "device that is asked what it has done", wait, patience.signal);
    const stated: Read<Value> = await asker.read(property, patience, touch).catch(silent);
    if (stated !== undefined && isConfirmed(property, setting.now, stated)) return { now: stated };
  }
  return { unknown: "The device has received it, and has not said that it is so." };
}
