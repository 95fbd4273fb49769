/**
 * Reads and writes of one device behind a broker.
 *
 * Invariants: a write ends with a value only when the device's own topic has reported it, and where that topic echoes commands, only when
 * the device has answered a read with it as well; an answer that may be older than the last received value does not count.
 */
import {
  type Attempt,
  AwaitedValues,
  carryOut,
  type DriverResult,
  type ExpectedValue,
  movesTo,
} from "@porchlight/driver-kit";
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value, valuesEqual } from "@porchlight/shared/model";
import type { MqttDevice, MqttProperty, Publication } from "./mqtt-device.ts";
import { type AnswerVerdict, OpenQuestions } from "./open-questions.ts";

export interface DeviceCommandsDeps {
  readonly clock: Clock;
  /** See {@link BrokerDeviceDeps}. */
  readonly publish: (publication: Publication) => Promise<void>;
  readonly device: () => MqttDevice;
  /** The property's current description; undefined when it is not described. */
  readonly property: (key: string) => MqttProperty | undefined;
  readonly isLive: () => boolean;
  /** The last received value of a property. */
  readonly heard: (key: string) => Value | undefined;
  readonly canBeSet: (property: MqttProperty) => boolean;
  /** A caller receives a value of the property, so that no report to the host is needed. */
  readonly reported: (key: string) => void;
  /** A doubtful message counts after all, because the device has not answered since. */
  readonly believed: (property: MqttProperty, value: Value) => void;
}

/** After this share of its time, and after this long at most, a write reads the property from the device. */
const ASK_SHARE = 1 / 3;
const ASK_AFTER_MS = 3000;
/** Interval between reads that check whether a device has executed a command, ms. */
const ASK_AGAIN_MS = 2000;
/** How long a device may take to answer a repeated read, ms. */
const DOUBT_MS = 5000;

export class DeviceCommands {
  readonly #deps: DeviceCommandsDeps;
  readonly #awaited: AwaitedValues;
  readonly #questions: OpenQuestions;
  readonly #doubts = new Map<string, Timer>();
  #believing: string | undefined;

  constructor(deps: DeviceCommandsDeps) {
    this.#deps = deps;
    this.#awaited = new AwaitedValues(deps.clock);
    this.#questions = new OpenQuestions(deps.clock);
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property) return { refused: notDescribed(address) };
      const { state, ask } = property;
      if (!state) return { refused: "The property cannot be read." };
      if (!ask) throw new Error(NOT_ASKABLE);
      const now = await this.#ask(property, ask, watched, watched.deadline);
      return now === undefined ? { unknown: this.#why(address, notAnswered) } : this.#known(property, now);
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return carryOut(attempt, async (watched) => {
      const property = this.#find(address);
      if (!property) return { refused: notDescribed(address) };
      const { set, state, ask, isEchoed } = property;
      if (!set) return { refused: "The property cannot be set." };
      if (!this.#deps.canBeSet(property)) throw new Error(PART_AWAY);
      const key = addressKey(address);
      const publication = set(value, (of) => this.#deps.heard(addressKey(of)));
      using expected = this.#awaited.expect(key, this.#confirming(property, value));
      await watched.touch(() => this.#deps.publish(publication));
      if (!state) return { unknown: NO_STATE };
      const { deadline, signal } = watched;
      const soon = await expected.within({ deadline: ask ? this.#askAt(watched) : deadline, signal });
      if (ask && isEchoed) {
        const now = await this.#askUntil(this.#confirming(property, value), property, ask, watched);
        return now === undefined
          ? { unknown: this.#why(address, notConfirmed) }
          : this.#confirmed(property, value, now);
      }
      const now = soon ?? (ask ? await this.#askOnce(key, expected, ask, watched) : undefined);
      return now === undefined ? { unknown: this.#why(address, notConfirmed) } : this.#confirmed(property, value, now);
    });
  }

  /** A message has reported a value of the property. True when a caller waits for exactly this value. */
  tell(key: string, value: Value): boolean {
    // A doubtful value confirms no command.
    return key !== this.#believing && this.#awaited.tell(key, value);
  }

  /**
   * A message has reported a value of the property; calls `count` if the value counts. If the message may be an answer that a newer
   * message has overtaken, the property is read again.
   */
  weigh(property: MqttProperty, value: Value, count: () => void): void {
    const { address, ask } = property;
    const key = addressKey(address);
    const verdict: AnswerVerdict = ask ? this.#questions.judge(key, value, this.#deps.heard(key)) : { kind: "news" };
    this.#endDoubt(key);
    // A value that only answers the hub's own check is no repetition by the device, but a caller may wait for it.
    if (verdict.kind !== "doubtful" && (verdict.kind !== "answer" || this.#awaited.isAwaiting(key))) count();
    if (!ask || verdict.kind === "news" || verdict.kind === "answer") return;
    if (verdict.kind === "doubtful")
      this.#doubts.set(
        key,
        this.#deps.clock.timer("an answer that is in doubt", DOUBT_MS, () => this.#believe(key, value)),
      );
    // Without a connection no read is possible, and every value is received anew later.
    this.#send(key, ask, verdict.depth).catch(() => undefined);
  }

  /** The device no longer has these properties: commands that wait for them end. */
  drop(keys: readonly string[]): void {
    for (const key of keys) {
      this.#endDoubt(key);
      this.#questions.forget(key);
      this.#awaited.release(key);
    }
  }

  /** The device has left: all commands end. */
  end(): void {
    for (const key of [...this.#doubts.keys()]) this.#endDoubt(key);
    this.#questions.forget();
    this.#awaited.release();
  }

  /** Reads the property from the device; undefined when it has not answered by `deadline`, monotonic ms. */
  async #ask(property: MqttProperty, ask: Publication, attempt: Attempt, deadline: number): Promise<Value | undefined> {
    const key = addressKey(property.address);
    using answer = this.#awaited.expect(key, () => true);
    await attempt.touch(() => this.#send(key, ask));
    return await answer.within({ deadline, signal: attempt.signal });
  }

  #send(key: string, ask: Publication, depth = 0): Promise<void> {
    this.#questions.ask(key, this.#deps.heard(key), depth);
    return this.#deps.publish(ask);
  }

  /** Reads the property once, and continues to wait for the confirmation of a command. */
  async #askOnce(key: string, expected: ExpectedValue, ask: Publication, attempt: Attempt): Promise<Value | undefined> {
    if (!this.#deps.isLive() || !this.#isDescribed(key)) return undefined;
    await attempt.touch(() => this.#send(key, ask));
    return await expected.within({ deadline: attempt.deadline, signal: attempt.signal });
  }

  /** Reads the property repeatedly: a moving device reports intermediate values first. */
  async #askUntil(
    isSo: (now: Value) => boolean,
    property: MqttProperty,
    ask: Publication,
    attempt: Attempt,
  ): Promise<Value | undefined> {
    const { clock } = this.#deps;
    const { deadline, signal } = attempt;
    const key = addressKey(property.address);
    using nothing = this.#awaited.expect(key, () => false);
    while (this.#deps.isLive() && this.#isDescribed(key) && clock.monotonic() < deadline) {
      const until = Math.min(deadline, clock.monotonic() + ASK_AGAIN_MS);
      const now = await this.#ask(property, ask, attempt, until);
      if (now !== undefined && isSo(now)) return now;
      await nothing.within({ deadline: until, signal });
    }
    return undefined;
  }

  /** Whether a reported value confirms the value that was set. */
  #confirming(property: MqttProperty, asked: Value): (now: Value) => boolean {
    // The last value on a topic that echoes commands is not the device's previous state.
    const from = property.isEchoed ? undefined : this.#deps.heard(addressKey(property.address));
    return confirmation(property, asked, from);
  }

  /** The result of a confirmed write. A target confirms as the value that was set, because the device reports its position. */
  #confirmed(property: MqttProperty, asked: Value, now: Value): { readonly now: Value } {
    return property.isGoal ? { now: asked } : this.#known(property, now);
  }

  /** The newest received value: another one may have come since the answer. */
  #known({ address }: MqttProperty, now: Value): { readonly now: Value } {
    const key = addressKey(address);
    this.#deps.reported(key);
    return { now: this.#deps.heard(key) ?? now };
  }

  /** @throws Error before anything is sent */
  #find(address: PropertyAddress): MqttProperty | undefined {
    if (!this.#deps.isLive()) throw new Error("The device is not connected.");
    return this.#deps.property(addressKey(address));
  }

  #isDescribed(key: string): boolean {
    return this.#deps.property(key) !== undefined;
  }

  /** Why the outcome of a command is unknown. */
  #why(address: PropertyAddress, why: (device: MqttDevice) => string): string {
    return this.#isDescribed(addressKey(address)) ? why(this.#deps.device()) : goneWhileWaiting(address);
  }

  #askAt({ deadline }: Attempt): number {
    const now = this.#deps.clock.monotonic();
    return now + Math.min(ASK_AFTER_MS, (deadline - now) * ASK_SHARE);
  }

  #believe(key: string, value: Value): void {
    this.#doubts.delete(key);
    const property = this.#deps.property(key);
    this.#believing = key;
    if (property) this.#deps.believed(property, value);
    this.#believing = undefined;
  }

  #endDoubt(key: string): void {
    this.#doubts.get(key)?.cancel();
    this.#doubts.delete(key);
  }
}

/** The parts of a property that decide whether a reported value confirms a write. */
type Confirmed = Pick<MqttProperty, "description" | "isGoal" | "tolerance">;

/**
 * @param asked the value that is set
 * @param from the previous value; undefined when it is not known
 */
export function confirmation(property: Confirmed, asked: Value, from: Value | undefined): (now: Value) => boolean {
  const { isGoal, tolerance = 0 } = property;
  if (isGoal && typeof asked === "number")
    return movesTo(asked, typeof from === "number" ? from : undefined, tolerance);
  return (now) => isSame(property, asked, now);
}

/** Reported values are rounded to six decimals. */
const ROUNDING = 1e-6;

/** Numbers count as equal within the device's resolution; of an angle, 0 and 360 degrees are the same. */
function isSame({ description, tolerance = 0 }: Confirmed, asked: Value, now: Value): boolean {
  if (typeof asked !== "number" || typeof now !== "number") return valuesEqual(asked, now);
  const apart = Math.abs(asked - now);
  const isAngle = description.unit === "deg" && description.min === 0 && description.max === 360;
  return Math.min(apart, isAngle ? 360 - apart : apart) <= tolerance + ROUNDING;
}

/** For a device without a state topic. */
const NO_STATE = "The device does not report its state, so it is not known whether it has acted.";
/** For a property that the device reports only by itself. */
const NOT_ASKABLE = "The device only reports this value by itself. The hub cannot ask for it.";

/** For a part of a device whose own availability topic reports it as unreachable. */
const PART_AWAY = "The device reports that this part of it cannot be reached.";

/** For a property that the device no longer has. */
function notDescribed(address: PropertyAddress): string {
  return `The device no longer describes ${addressKey(address)}.`;
}

/** For a property that disappeared while a command waited for it. */
function goneWhileWaiting(address: PropertyAddress): string {
  return `${notDescribed(address)} It is not known whether it has acted.`;
}

/** For a device that was asked and has not answered by the deadline. */
function notAnswered(device: MqttDevice): string {
  return isOnBattery(device)
    ? "The device did not answer. It runs on a battery and may be asleep."
    : "The device did not answer.";
}

/** For a device that has not confirmed a command by the deadline. */
function notConfirmed(device: MqttDevice): string {
  return isOnBattery(device)
    ? "The device did not confirm the command. It runs on a battery: if it is asleep, it may still carry out the command when it wakes."
    : "The device did not confirm the command.";
}

/** By its own description: a device that is plugged in describes no battery. */
function isOnBattery({ properties }: MqttDevice): boolean {
  return properties.some(({ address }) => address.service === "Battery");
}
