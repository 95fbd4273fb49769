/**
 * What the server reports of one device, until the host has it.
 *
 * Invariants: each report reaches the host, also of an equal value; a new value of something that can be set is told only after the device was
 * asked, because the server also reports what it merely expects; a number is told only with the unit that belongs to it; while the node is asked
 * for a value, the answer decides what is told.
 */
import { allows, type Read } from "@porchlight/driver-kit";
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { byValue, isConfirmed, type ZwaveProperty } from "../classes/zwave-property.ts";
import { isMeasured, PAIR_MS, type RawOf } from "../values/node-values.ts";
import { type ValueId, valueKey } from "../values/value-id.ts";
import type { NodeAsker } from "./node-asker.ts";
import type { ToldValues } from "./told-values.ts";

/** How long a node may take to answer when the driver asks by itself, ms. */
export const ANSWER_MS = 10_000;

export interface HeardNodeValuesDeps {
  readonly clock: Clock;
  readonly asker: NodeAsker;
  readonly told: ToldValues;
  /** Whether the node can be asked now. */
  readonly isAwake: () => boolean;
  readonly unread: (address: PropertyAddress) => void;
  readonly counters: { superseded: number };
  /** Describes the device anew, at once. */
  readonly describe: () => void;
}

export class HeardNodeValues {
  readonly #deps: HeardNodeValuesDeps;
  readonly #held: HeldValues;
  readonly #being = new ValuesBeingSet();
  /** Properties that the device is to be asked for, because the server may only expect their value. */
  readonly #doubtful = new Map<string, ZwaveProperty>();
  #properties: readonly ZwaveProperty[] = [];
  #byValue: ReadonlyMap<string, readonly ZwaveProperty[]> = new Map();
  /** Aborted when the device has left; undefined while it is away. */
  #life: AbortSignal | undefined;
  #isChecking = false;
  /** A unit has changed, and the description may have the one before. */
  #hasOtherUnit = false;

  constructor(deps: HeardNodeValuesDeps) {
    this.#deps = deps;
    this.#held = new HeldValues(deps.clock, deps.counters, (id) => this.#certain(id));
  }

  describe(properties: readonly ZwaveProperty[]): void {
    this.#properties = properties;
    this.#byValue = byValue(properties);
    this.#hasOtherUnit = false;
  }

  begin(life: AbortSignal): void {
    this.#life = life;
  }

  end(): void {
    this.#life = undefined;
    this.#doubtful.clear();
    this.#held.clear();
  }

  /** The properties that a value says. */
  of(id: ValueId): readonly ZwaveProperty[] {
    return this.#byValue.get(valueKey(id)) ?? [];
  }

  /** A value has come, has changed or has gone. */
  take(id: ValueId): void {
    this.#being.report(id);
    if (!this.#life || this.#deps.asker.report(id)) return;
    if (isMeasured(id)) this.#held.hold(id, "number");
    else this.#hearAll(id);
  }

  /** The node was asked for a value and has not answered: what was reported meanwhile counts. It is not asked again for that. */
  unanswered(id: ValueId): void {
    const properties = this.of(id);
    if (!this.#life || properties.length === 0) return;
    if (!properties.some((each) => this.#canBeDoubted(each))) this.take(id);
    else for (const { address } of properties) this.#deps.unread(address);
  }

  /** The number of before is not in the unit that the value has now. */
  unitChanged(id: ValueId): void {
    this.#hasOtherUnit = true;
    if (this.#life) this.#held.hold(id, "unit");
  }

  /** The device is told to change a property. Until what it returns is called, with what the property then is, if the device has said that. */
  beginSetting(property: ZwaveProperty, raw: RawOf): (now?: Value) => void {
    const heard: Read<Value>[] = [];
    const end = this.#being.begin(property.of, () => void heard.push(property.read(raw)));
    return (now) => {
      end();
      if (!this.#life) return;
      // Someone may have turned the device meanwhile. Parts of a value change one after another: only the last one is the whole.
      const said = property.of.length === 1 ? heard : heard.slice(-1);
      const isDoubtful = now !== undefined && said.some((each) => !isConfirmed(property, now, each ?? null));
      const key = addressKey(property.address);
      for (const each of new Set(property.of.flatMap((id) => this.of(id))))
        this.#reexamine(each, isDoubtful && addressKey(each.address) === key);
    };
  }

  /** The node was asked for a property: what else its answer says is told too. */
  async answered(property: ZwaveProperty): Promise<void> {
    const { asker, clock, told } = this.#deps;
    const life = this.#life;
    const asked = new Set(asker.pollsOf(property).map(valueKey));
    for (const each of this.#properties) {
      const polls = asker.pollsOf(each);
      if (polls.length === 0 || !polls.every((id) => asked.has(valueKey(id)))) continue;
      if (!allows(each.description, "read") || this.#being.has(each.of)) continue;
      const wasReported = this.#doubtful.delete(addressKey(each.address));
      const patience = { deadline: clock.monotonic() + ANSWER_MS, signal: life };
      const value = await asker.beside(each, patience).catch(() => undefined);
      if (!life || life.aborted) return;
      if (value === undefined || (each === property && told.isKnown(each.address, value))) continue;
      if (wasReported && !told.isKnown(each.address, value)) told.push(each.address, value);
      else told.learn(each.address, value, false);
    }
  }

  #certain(id: ValueId): void {
    if (!this.#life) return;
    if (this.#hasOtherUnit) this.#deps.describe();
    this.#hearAll(id);
  }

  #hearAll(id: ValueId): void {
    for (const property of this.of(id)) if (!property.event) this.#hear(property);
  }

  #hear(property: ZwaveProperty): void {
    const { asker, told } = this.#deps;
    if (this.#being.has(property.of) || !allows(property.description, "notify")) return;
    const value = asker.now(property) ?? null;
    // Of a device that sleeps what the server says is all that there is. It expects values, and never that there is none.
    const isSaid = !this.#canBeDoubted(property) || value === null || told.isKnown(property.address, value);
    if (isSaid) told.push(property.address, value);
    if (!isSaid || (value === null && this.#canBeDoubted(property))) this.#doubt(property);
  }

  /** After something was set: what is made of the same values may have changed. @param isDoubtful it may, whatever the server says */
  #reexamine(property: ZwaveProperty, isDoubtful: boolean): void {
    const value = this.#deps.asker.now(property);
    if (property.event || value === undefined || !allows(property.description, "notify")) return;
    if (isDoubtful && this.#canBeDoubted(property)) this.#doubt(property);
    else if (!this.#deps.told.isKnown(property.address, value)) this.#hear(property);
  }

  #canBeDoubted(property: ZwaveProperty): boolean {
    const { asker, isAwake } = this.#deps;
    const polls = asker.pollsOf(property);
    return this.#canBeSet(property) && isAwake() && polls.length > 0 && polls.every((id) => asker.has(id));
  }

  /** Whether a value of it is also changed by setting something: the server then reports what it expects. */
  #canBeSet({ set, of }: ZwaveProperty): boolean {
    return set !== undefined || of.some((id) => this.of(id).some((each) => each.set !== undefined));
  }

  #doubt(property: ZwaveProperty): void {
    this.#doubtful.set(addressKey(property.address), property);
    void this.#check();
  }

  /** Asks for what is doubtful, one after another. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { asker, clock, told, unread } = this.#deps;
    for (let [next] = this.#doubtful; next && this.#life; [next] = this.#doubtful) {
      const [key, property] = next;
      this.#doubtful.delete(key);
      const life = this.#life;
      const patience = { deadline: clock.monotonic() + ANSWER_MS, signal: life };
      const value = await asker.read(property, patience).catch(() => undefined);
      if (life.aborted) continue;
      // It could not be asked: the host has it asked again.
      if (value === undefined) unread(property.address);
      else if (!this.#being.has(property.of)) {
        if (told.isKnown(property.address, value)) told.learn(property.address, value, false);
        else told.push(property.address, value);
        await this.answered(property);
      }
    }
    this.#isChecking = false;
  }
}

/** Values of a node that writes are about to change: what the server reports of them meanwhile may only be expected. */
interface Write {
  readonly keys: ReadonlySet<string>;
  /** Called when the server reports one of the values. */
  readonly reported: () => void;
}

class ValuesBeingSet {
  readonly #writes = new Set<Write>();

  /** Until what it returns is called. */
  begin(ids: readonly ValueId[], reported: () => void): () => void {
    const write = { keys: new Set(ids.map(valueKey)), reported };
    this.#writes.add(write);
    return () => void this.#writes.delete(write);
  }

  report(id: ValueId): void {
    const key = valueKey(id);
    for (const { keys, reported } of this.#writes) if (keys.has(key)) reported();
  }

  has(ids: readonly ValueId[]): boolean {
    return ids.some((id) => [...this.#writes].some(({ keys }) => keys.has(valueKey(id))));
  }
}

// Measured values that wait a moment before they are told: whether the unit that is known belongs to the number is certain only when no
// change of the unit has followed.

/** A value that comes again and again within its wait is told nevertheless after this time, ms. */
const LONGEST_MS = 1000;

interface Held {
  readonly since: number;
  hasNumber: boolean;
  until: number;
  timer: Timer | undefined;
}

class HeldValues {
  readonly #clock: Clock;
  readonly #counters: { superseded: number };
  readonly #tell: (id: ValueId) => void;
  readonly #held = new Map<string, Held>();

  /**
   * @param counters count the numbers that a newer one followed before they were told
   * @param tell called once the value is certain
   */
  constructor(clock: Clock, counters: { superseded: number }, tell: (id: ValueId) => void) {
    this.#clock = clock;
    this.#counters = counters;
    this.#tell = tell;
  }

  hold(id: ValueId, what: "number" | "unit"): void {
    const key = valueKey(id);
    const now = this.#clock.monotonic();
    const known = this.#held.get(key);
    if (known) {
      if (what === "number" && known.hasNumber) this.#counters.superseded += 1;
      known.hasNumber ||= what === "number";
      known.until = Math.min(now + PAIR_MS, known.since + LONGEST_MS);
      return;
    }
    const held: Held = { since: now, hasNumber: what === "number", until: now + PAIR_MS, timer: undefined };
    this.#held.set(key, held);
    this.#wait(key, id, held);
  }

  /** Nothing that waits is told. */
  clear(): void {
    for (const { timer } of this.#held.values()) timer?.cancel();
    this.#held.clear();
  }

  #wait(key: string, id: ValueId, held: Held): void {
    const left = held.until - this.#clock.monotonic();
    held.timer = this.#clock.timer("measured value whose unit may follow", left, () => {
      if (this.#clock.monotonic() < held.until) return this.#wait(key, id, held);
      this.#held.delete(key);
      this.#tell(id);
    });
  }
}
