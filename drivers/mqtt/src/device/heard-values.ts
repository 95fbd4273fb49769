/**
 * The last received values of a device's properties, and how values end: by the clock, and when a condition no longer holds.
 *
 * Invariant: a property whose conditions do not hold has no value; a value that arrives meanwhile becomes current when they hold.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { addressKey, type Value, valuesEqual } from "@porchlight/shared/model";
import { Conditions } from "./conditions.ts";
import type { Message, MqttAvailability, MqttCondition, MqttProperty } from "./mqtt-device.ts";

export interface HeardValuesDeps {
  readonly clock: Clock;
  /** The property's value has changed; `null` means no value. @param isRetained the broker retained the value since an unknown time */
  readonly became: (property: MqttProperty, value: Value, isRetained: boolean) => void;
}

interface Heard {
  readonly value: Value;
  readonly isRetained: boolean;
}

/** The id of the condition that the whole device is reachable. */
const DEVICE = "device";

export class HeardValues {
  readonly #deps: HeardValuesDeps;
  readonly #conditions = new Conditions();
  /** By the property's key, like all maps here. */
  readonly #values = new Map<string, Heard>();
  /** Values that arrived while a condition did not hold. */
  readonly #withheld = new Map<string, Heard>();
  readonly #timers = new Map<string, Timer[]>();
  /** Properties whose unit has changed, and for which only retained values have come since. */
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

  /** Whether the property's part of the device is reachable, as far as it is reported. */
  canBeSet({ state }: MqttProperty): boolean {
    return (state?.holds ?? []).every(({ id, isForWrites }) => !isForWrites || this.#conditions.holds(id));
  }

  /** Returns the keys of properties that no longer exist: their values are discarded. Other properties keep their values. */
  describe(properties: readonly MqttProperty[], availability: MqttAvailability): string[] {
    const before = this.#properties;
    this.#properties = new Map(properties.map((property) => [addressKey(property.address), property]));
    const conditions = new Map<string, MqttCondition>([[DEVICE, { ...availability, id: DEVICE, initially: false }]]);
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

  /** A message has reported a value of the property. */
  hear(property: MqttProperty, value: Value, isRetained: boolean): void {
    const key = addressKey(property.address);
    if (!isRetained) this.#uncertain.delete(key);
    // A retained value is older than a value that came while the hub was subscribed.
    else if (this.#uncertain.has(key) || this.#values.get(key)?.isRetained === false) return;
    this.#endLater(key, property, value);
    this.#note(key, property, { value, isRetained });
  }

  /** Values end or return with the conditions that have changed. */
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
   * Calls `became` with every retained or received value, as a retained value. The host's earlier value ends where the conditions deny
   * it, and otherwise after its lifetime if no message renews it.
   */
  tellAll(): void {
    for (const [key, property] of this.#properties) {
      const heard = this.#values.get(key);
      if (this.#isDenied(property)) this.#endUnheard(key, property);
      else if (heard) this.#deps.became(property, heard.value, true);
      else this.#endOlder(key, property);
    }
  }

  /** The device has left: its values are discarded. */
  clear(): void {
    for (const key of new Set([...this.#values.keys(), ...this.#withheld.keys(), ...this.#timers.keys()]))
      this.#forget(key);
    this.#uncertain.clear();
  }

  /** The connection is lost. */
  forgetConditions(): void {
    this.#conditions.forget();
  }

  #isDenied({ state }: MqttProperty): boolean {
    return (state?.holds ?? []).some(({ id }) => this.#conditions.denies(id));
  }

  #holds({ state }: MqttProperty): boolean {
    return (state?.holds ?? []).every(({ id }) => this.#conditions.holds(id));
  }

  /** Makes the value current, now or when its conditions hold. */
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

  /** The property's conditions no longer hold: its value ends. */
  #end(key: string, property: MqttProperty): void {
    const value = this.of(key);
    if (value === undefined && this.#isDenied(property)) this.#endUnheard(key, property);
    else if (value !== undefined && value !== null) this.#become(key, property, { value: null, isRetained: false });
  }

  /** The host may have an earlier value, which ends. The absence counts as retained: a retained message is no older, and may replace it. */
  #endUnheard(key: string, property: MqttProperty): void {
    this.#values.set(key, { value: null, isRetained: true });
    this.#deps.became(property, null, false);
  }

  /**
   * No value was received. The host's earlier value has lasted for an unknown time, and ends no later than a value that comes now would.
   */
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

  /** Uses the property's current description: the message may have come under an earlier one. */
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

/** The same number or text has another meaning in the new description. */
function isReadOtherwise(before: MqttProperty, now: MqttProperty): boolean {
  return (
    before.state?.unit !== now.state?.unit ||
    before.description.unit !== now.description.unit ||
    before.description.type !== now.description.type
  );
}
