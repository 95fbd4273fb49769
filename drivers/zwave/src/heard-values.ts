/**
 * Filters the server's reports about one device before the host gets them.
 *
 * Invariants: each report reaches the host, also with an equal value; a new value of a settable property is reported only after the
 * device was asked, because the server also reports values that it merely expects; a number is reported only with its own unit; while the
 * node is asked for a value, the answer determines the report.
 */
import { allows, type Read } from "@porchlight/driver-kit";
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { byValue, isConfirmed, type ZwaveProperty } from "./classes/zwave-property.ts";
import type { HostValues } from "./host-values.ts";
import type { NodeAsker } from "./node-asker.ts";
import { isMeasured, PAIR_MS, type RawOf, type ValueId, valueKey } from "./values/node-state.ts";

/** How long a node may take to answer requests of the driver's own, ms. */
export const ANSWER_MS = 10_000;

export interface HeardNodeValuesDeps {
  readonly clock: Clock;
  readonly asker: NodeAsker;
  readonly hostValues: HostValues;
  /** Whether the node can be asked now. */
  readonly isAwake: () => boolean;
  readonly unread: (address: PropertyAddress) => void;
  readonly counters: { superseded: number };
  /** Describes the device again, at once. */
  readonly describe: () => void;
}

export class HeardNodeValues {
  readonly #deps: HeardNodeValuesDeps;
  readonly #held: HeldValues;
  readonly #being = new ValuesBeingSet();
  /** Properties to request from the device, because the server may only expect their value. */
  readonly #doubtful = new Map<string, ZwaveProperty>();
  #properties: readonly ZwaveProperty[] = [];
  #byValue: ReadonlyMap<string, readonly ZwaveProperty[]> = new Map();
  /** Aborted when the device has left; undefined while it is away. */
  #life: AbortSignal | undefined;
  #isChecking = false;
  /** A unit has changed, so the description may contain the previous one. */
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

  /** Properties that the value determines. */
  of(id: ValueId): readonly ZwaveProperty[] {
    return this.#byValue.get(valueKey(id)) ?? [];
  }

  /** Takes a new, changed or removed value. */
  take(id: ValueId): void {
    this.#being.report(id);
    if (!this.#life || this.#deps.asker.report(id)) return;
    if (isMeasured(id)) this.#held.hold(id, "number");
    else this.#hearAll(id);
  }

  /** The node did not answer a request for the value: reports that arrived meanwhile count, without another request. */
  unanswered(id: ValueId): void {
    const properties = this.of(id);
    if (!this.#life || properties.length === 0) return;
    if (!properties.some((each) => this.#canBeDoubted(each))) this.take(id);
    else for (const { address } of properties) this.#deps.unread(address);
  }

  /** The previous number is not in the unit that the value has now. */
  unitChanged(id: ValueId): void {
    this.#hasOtherUnit = true;
    if (this.#life) this.#held.hold(id, "unit");
  }

  /**
   * Begins a write. The caller ends it with the returned function, and passes the property's new value if the device has confirmed one.
   */
  beginSetting(property: ZwaveProperty, raw: RawOf): (now?: Value) => void {
    const heard: Read<Value>[] = [];
    const end = this.#being.begin(property.of, () => void heard.push(property.read(raw)));
    return (now) => {
      end();
      if (!this.#life) return;
      // The device may have been operated meanwhile. Components of a value change one after another, so only the last state is complete.
      const stated = property.of.length === 1 ? heard : heard.slice(-1);
      const isDoubtful = now !== undefined && stated.some((each) => !isConfirmed(property, now, each ?? null));
      const key = addressKey(property.address);
      for (const each of new Set(property.of.flatMap((id) => this.of(id))))
        this.#reexamine(each, isDoubtful && addressKey(each.address) === key);
    };
  }

  /** The node was asked for a property: reports the other properties that its answer contains, too. */
  async answered(property: ZwaveProperty): Promise<void> {
    const { asker, clock, hostValues } = this.#deps;
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
      if (value === undefined || (each === property && hostValues.isKnown(each.address, value))) continue;
      if (wasReported && !hostValues.isKnown(each.address, value)) hostValues.push(each.address, value);
      else hostValues.learn(each.address, value, false);
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
    const { asker, hostValues } = this.#deps;
    if (this.#being.has(property.of) || !allows(property.description, "notify")) return;
    const value = asker.now(property) ?? null;
    // A sleeping device cannot be asked, so the server's value counts. The server expects values, but never the absence of one.
    const isStated = !this.#canBeDoubted(property) || value === null || hostValues.isKnown(property.address, value);
    if (isStated) hostValues.push(property.address, value);
    if (!isStated || (value === null && this.#canBeDoubted(property))) this.#doubt(property);
  }

  /**
   * After a write, properties of the same values may have changed. @param isDoubtful the value needs a request, even if the server has
   * one
   */
  #reexamine(property: ZwaveProperty, isDoubtful: boolean): void {
    const value = this.#deps.asker.now(property);
    if (property.event || value === undefined || !allows(property.description, "notify")) return;
    if (isDoubtful && this.#canBeDoubted(property)) this.#doubt(property);
    else if (!this.#deps.hostValues.isKnown(property.address, value)) this.#hear(property);
  }

  #canBeDoubted(property: ZwaveProperty): boolean {
    const { asker, isAwake } = this.#deps;
    const polls = asker.pollsOf(property);
    return this.#canBeSet(property) && isAwake() && polls.length > 0 && polls.every((id) => asker.has(id));
  }

  /** Whether a write changes one of its values; the server then reports the expected value. */
  #canBeSet({ set, of }: ZwaveProperty): boolean {
    return set !== undefined || of.some((id) => this.of(id).some((each) => each.set !== undefined));
  }

  #doubt(property: ZwaveProperty): void {
    this.#doubtful.set(addressKey(property.address), property);
    void this.#check();
  }

  /** Requests the doubtful properties, one after another. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { asker, clock, hostValues, unread } = this.#deps;
    for (let [next] = this.#doubtful; next && this.#life; [next] = this.#doubtful) {
      const [key, property] = next;
      this.#doubtful.delete(key);
      const life = this.#life;
      const patience = { deadline: clock.monotonic() + ANSWER_MS, signal: life };
      const value = await asker.read(property, patience).catch(() => undefined);
      if (life.aborted) continue;
      // The request failed: the host repeats it later.
      if (value === undefined) unread(property.address);
      else if (!this.#being.has(property.of)) {
        if (hostValues.isKnown(property.address, value)) hostValues.learn(property.address, value, false);
        else hostValues.push(property.address, value);
        await this.answered(property);
      }
    }
    this.#isChecking = false;
  }
}

/** Values that a write is about to change; the server's reports of them may only be expectations. */
interface Write {
  readonly keys: ReadonlySet<string>;
  /** Called when the server reports one of the values. */
  readonly reported: () => void;
}

class ValuesBeingSet {
  readonly #writes = new Set<Write>();

  /** The returned function ends the write. */
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

/** Longest delay of a value that keeps changing, ms. */
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
   * @param counters count numbers that a newer one replaced before they were reported
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

  /** Drops all delayed values. */
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
