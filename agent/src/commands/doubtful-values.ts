/**
 * Properties whose current value is unknown: the hub reads them until an answer is stored. Otherwise the cloud would show the old value
 * until the next write or read.
 *
 * Invariants: a doubt ends only by a stored value that was read, or confirmed, after the doubt was raised; a device is read by one round at
 * a time, and in the first second after its arrival by its driver alone. Doubts are in memory: after a start, drivers read everything of an
 * arriving device, and raise a doubt for each value that they do not get.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { findProperty } from "@porchlight/shared/model";
import { type PropertyTarget, type State, targetKey } from "../state/index.ts";
import type { Doubts, ReadResult } from "./commands.ts";

export interface DoubtfulValuesDeps {
  readonly clock: Clock;
  readonly state: Pick<State, "device">;
  /** Whether the device is live on a link. */
  readonly isLive: (device: string) => boolean;
  /** Reads properties into the history; stored values are reported by {@link DoubtfulValues.known}. Never rejects. */
  readonly read: (targets: readonly PropertyTarget[]) => Promise<readonly ReadResult[]>;
}

interface Doubt {
  readonly target: PropertyTarget;
  /** Its place in the order in which doubts were raised. */
  readonly raised: number;
  /** Raised by the device's driver, which knows the order of its reads: a value that it learns later was read later. */
  readonly isOfDriver: boolean;
}

interface DeviceDoubts {
  readonly open: Map<string, Doubt>;
  /** Delay before the next round that is not scheduled yet. */
  waitMs: number;
  /** Runs until the next round; undefined during one. */
  timer: Timer | undefined;
}

/** Delay before the first round, ms; it doubles with each further round, up to the second. */
const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

export class DoubtfulValues implements Doubts, Disposable {
  readonly #deps: DoubtfulValuesDeps;
  readonly #devices = new Map<string, DeviceDoubts>();
  #raised = 0;
  #isOver = false;

  constructor(deps: DoubtfulValuesDeps) {
    this.#deps = deps;
  }

  has(target: PropertyTarget): boolean {
    return this.#devices.get(target.device)?.open.has(targetKey(target)) ?? false;
  }

  get moment(): number {
    return this.#raised;
  }

  raise(target: PropertyTarget): void {
    this.#open(target, false);
  }

  /** The device's driver could not read the property, or its value could not be stored. */
  unread(target: PropertyTarget): void {
    const open = this.#devices.get(target.device)?.open.get(targetKey(target));
    this.#open(target, open?.isOfDriver ?? true);
  }

  /** A value that the device's driver read by itself is stored. */
  learned(target: PropertyTarget): void {
    const open = this.#devices.get(target.device)?.open.get(targetKey(target));
    if (open?.isOfDriver) this.known(target, open.raised);
  }

  known(target: PropertyTarget, asked: number): void {
    const open = this.#devices.get(target.device)?.open;
    const doubt = open?.get(targetKey(target));
    if (!open || !doubt || doubt.raised > asked) return;
    open.delete(targetKey(target));
    if (open.size === 0) this.#end(target.device);
  }

  /** The device is live: its driver reads it first, and a second later the values still missing are read. */
  arrived(device: string): void {
    const doubts = this.#devices.get(device);
    if (!doubts) return;
    doubts.waitMs = FIRST_MS;
    if (doubts.timer) this.#wait(device, doubts);
  }

  /** Stops reading. Safe to repeat. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const device of [...this.#devices.keys()]) this.#end(device);
  }

  /** Raises a doubt, unless the property is unknown or cannot be read. */
  #open({ device, service, index, property }: PropertyTarget, isOfDriver: boolean): void {
    const target = { device, service, index, property };
    if (this.#isOver || !this.#isReadable(target)) return;
    this.#raised += 1;
    const doubts = this.#devices.get(device) ?? this.#begin(device);
    doubts.open.set(targetKey(target), { target, raised: this.#raised, isOfDriver });
  }

  #begin(device: string): DeviceDoubts {
    const doubts: DeviceDoubts = { open: new Map(), waitMs: FIRST_MS, timer: undefined };
    this.#devices.set(device, doubts);
    this.#wait(device, doubts);
    return doubts;
  }

  #end(device: string): void {
    this.#devices.get(device)?.timer?.cancel();
    this.#devices.delete(device);
  }

  #wait(device: string, doubts: DeviceDoubts): void {
    const { waitMs } = doubts;
    doubts.timer?.cancel();
    doubts.timer = this.#deps.clock.timer("values that are not known", waitMs, () => void this.#round(device, doubts));
    doubts.waitMs = Math.min(waitMs * 2, LONGEST_MS);
  }

  async #round(device: string, doubts: DeviceDoubts): Promise<void> {
    doubts.timer = undefined;
    if (this.#deps.isLive(device)) await this.#read(doubts);
    // The doubts of the device may have ended and begun again meanwhile.
    if (this.#devices.get(device) !== doubts) return;
    if (doubts.open.size === 0) return this.#end(device);
    this.#wait(device, doubts);
  }

  async #read({ open }: DeviceDoubts): Promise<void> {
    const asked = [...open];
    const results = await this.#deps.read(asked.map(([, { target }]) => target));
    for (const [at, [key, doubt]] of asked.entries()) {
      const result = results[at];
      const isRefused = result && "failure" in result && result.failure.name === "Device Rejected";
      // The device rejects the read, and would reject it again.
      if (isRefused && open.get(key) === doubt) open.delete(key);
    }
  }

  #isReadable(target: PropertyTarget): boolean {
    const device = this.#deps.state.device(target.device);
    return device !== undefined && (findProperty(device.description, target)?.access.includes("read") ?? false);
  }
}
