/**
 * What was last heard of a device's properties, and how values end: by the clock, and when a condition does not hold any more.
 *
 * Invariant: a property whose conditions do not hold has no value; what is heard of it meanwhile becomes its value when they hold.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { addressKey, type Value, valuesEqual } from "@porchlight/shared/model";
import { Conditions } from "./conditions.ts";
import type { Message, MqttAvailability, MqttCondition, MqttProperty } from "./mqtt-device.ts";

export interface HeardValuesDeps {
  readonly clock: Clock;
  /** The property has this value from now on, or none. @param isRetained the broker had kept it, since an unknown time */
  readonly became: (property: MqttProperty, value: Value, isRetained: boolean) => void;
}

interface Heard {
  readonly value: Value;
  readonly isRetained: boolean;
}

/** The id of the condition that the whole device is there. */
const DEVICE = "device";

export class HeardValues {
  readonly #deps: HeardValuesDeps;
  readonly #conditions = new Conditions();
  /** By the property's key, as in all of these. */
  readonly #values = new Map<string, Heard>();
  /** What was heard while a condition did not hold. */
  readonly #withheld = new Map<string, Heard>();
  readonly #timers = new Map<string, Timer[]>();
  /** Since their unit changed, only the broker's old values have come. */
  readonly #uncertain = new Set<string>();
  #properties: ReadonlyMap<string, MqttProperty> = new Map();

  constructor(deps: HeardValuesDeps) {
    this.#deps = deps;
  }

  get isThere(): boolean {
    return this.#conditions.holds(DEVICE);
  }

  of(key: string): Value | undefined {
    return this.#values.get(key)?.value;
  }

  /** Whether the property's part of the device can be reached, as far as that is said. */
  canBeSet({ state }: MqttProperty): boolean {
    return (state?.holds ?? []).every(({ id, isForWrites }) => !isForWrites || this.#conditions.holds(id));
  }

  /** Gives the keys of the properties that have gone: nothing is known of them any more. Neighbours keep their values. */
  describe(properties: readonly MqttProperty[], availability: MqttAvailability): string[] {
    const before = this.#properties;
    this.#properties = new Map(properties.map((property) => [addressKey(property.address), property]));
    const conditions = new Map<string, MqttCondition>([[DEVICE, { ...availability, id: DEVICE, unsaid: false }]]);
    for (const { state } of properties) for (const each of state?.holds ?? []) conditions.set(each.id, each);
    this.#conditions.describe(conditions);
    const gone = [...before.keys()].filter((key) => !this.#properties.has(key));
    for (const key of gone) this.#forget(key);
    for (const [key, property] of this.#properties) {
      const earlier = before.get(key);
      if (earlier && isReadOtherwise(earlier, property)) this.#becomeUncertain(key, property);
      else if (!this.#holds(property)) this.#end(key, property);
    }
    return gone;
  }

  /** Must be called before {@link hear} for the values of the same message, and `settle` with its result after it. */
  takeConditions(message: Message): ReadonlySet<string> {
    return this.#conditions.take(message);
  }

  /** A message says this of the property. */
  hear(property: MqttProperty, value: Value, isRetained: boolean): void {
    const key = addressKey(property.address);
    if (!isRetained) this.#uncertain.delete(key);
    // What the broker has kept is older than what came while the hub listened.
    else if (this.#uncertain.has(key) || this.#values.get(key)?.isRetained === false) return;
    this.#endLater(key, property, value);
    this.#note(key, property, { value, isRetained });
  }

  /** Values end, or come back, with the conditions that have changed. */
  settle(changed: ReadonlySet<string>): void {
    if (changed.size === 0) return;
    for (const [key, property] of this.#properties) {
      if (!property.state?.holds?.some(({ id }) => changed.has(id))) continue;
      const withheld = this.#withheld.get(key);
      if (!this.#holds(property)) this.#end(key, property);
      else if (withheld && this.#withheld.delete(key)) this.#become(key, property, withheld);
    }
  }

  /**
   * Calls `became` with all that the broker had kept or that was heard, as what it had kept. What the host has from before ends where it does
   * not hold any more, and in its time where no message renews it.
   */
  tellAll(): void {
    for (const [key, property] of this.#properties) {
      const heard = this.#values.get(key);
      if (this.#isDenied(property)) this.#endUnheard(key, property);
      else if (heard) this.#deps.became(property, heard.value, true);
      else this.#endOlder(key, property);
    }
  }

  /** The device has gone: what was heard is worth nothing when it comes back. */
  clear(): void {
    for (const key of new Set([...this.#values.keys(), ...this.#withheld.keys(), ...this.#timers.keys()]))
      this.#forget(key);
    this.#uncertain.clear();
  }

  /** The connection is gone. */
  forgetConditions(): void {
    this.#conditions.forget();
  }

  #isDenied({ state }: MqttProperty): boolean {
    return (state?.holds ?? []).some(({ id }) => this.#conditions.denies(id));
  }

  #holds({ state }: MqttProperty): boolean {
    return (state?.holds ?? []).every(({ id }) => this.#conditions.holds(id));
  }

  /** It becomes the value, now or when its conditions hold. */
  #note(key: string, property: MqttProperty, heard: Heard): void {
    if (!this.#holds(property)) {
      this.#withheld.set(key, heard);
      return;
    }
    this.#withheld.delete(key);
    this.#become(key, property, heard);
  }

  #become(key: string, property: MqttProperty, heard: Heard): void {
    this.#values.set(key, heard);
    this.#deps.became(property, heard.value, heard.isRetained);
  }

  /** What it was is not so any more. */
  #end(key: string, property: MqttProperty): void {
    const value = this.of(key);
    if (value === undefined && this.#isDenied(property)) this.#endUnheard(key, property);
    else if (value !== undefined && value !== null) this.#become(key, property, { value: null, isRetained: false });
  }

  /** The host can have a value from before. What the broker has kept is no older than that it has none. */
  #endUnheard(key: string, property: MqttProperty): void {
    this.#values.set(key, { value: null, isRetained: true });
    this.#deps.became(property, null, false);
  }

  /** Nothing was heard: what the host has from before has lasted for an unknown time, and lasts no longer than a value that comes now. */
  #endOlder(key: string, property: MqttProperty): void {
    const longest = Math.max(...(property.state?.ends ?? []).map(({ afterMs }) => afterMs));
    if (!Number.isFinite(longest) || this.#timers.has(key)) return;
    this.#timers.set(key, [this.#deps.clock.timer("a value ends", longest, () => this.#expire(key, null))]);
  }

  #becomeUncertain(key: string, property: MqttProperty): void {
    if (!this.#values.has(key) && !this.#withheld.has(key)) return;
    this.#cancel(key);
    this.#withheld.delete(key);
    this.#uncertain.add(key);
    this.#end(key, property);
  }

  #endLater(key: string, property: MqttProperty, value: Value): void {
    this.#cancel(key);
    const ends = (property.state?.ends ?? []).filter(({ of }) => of === undefined || valuesEqual(of, value));
    if (ends.length === 0) return;
    const timers = ends.map(({ afterMs, becomes }) =>
      this.#deps.clock.timer("a value ends", afterMs, () => this.#expire(key, becomes)),
    );
    this.#timers.set(key, timers);
  }

  /** As the property is described now: the message may have been of an earlier description. */
  #expire(key: string, value: Value): void {
    const property = this.#properties.get(key);
    if (!property) return;
    this.#note(key, property, { value, isRetained: false });
  }

  #cancel(key: string): void {
    for (const timer of this.#timers.get(key) ?? []) timer.cancel();
    this.#timers.delete(key);
  }

  #forget(key: string): void {
    this.#cancel(key);
    this.#values.delete(key);
    this.#withheld.delete(key);
    this.#uncertain.delete(key);
  }
}

/** The same number, or text, means something else from now on. */
function isReadOtherwise(before: MqttProperty, now: MqttProperty): boolean {
  return (
    before.state?.unit !== now.state?.unit ||
    before.description.unit !== now.description.unit ||
    before.description.type !== now.description.type
  );
}
