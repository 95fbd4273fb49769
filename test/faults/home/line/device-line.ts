/**
 * What lies between the hub and the process of a device, and what is wrong with it. It is of the harness' process, so that neither
 * end's death takes it along. Serial lines and ports of the network are in files of their own.
 */
import type { Random } from "@porchlight/shared/kernel";
import { type HomeRecord, machineTime, type Standstill } from "../record.ts";
import { FrameWay, type LineFaults, SOUND } from "./frame-way.ts";

export interface DeviceLineOptions {
  readonly name: string;
  /** Where the device's process listens. */
  readonly socket: string;
  readonly random: Random;
  readonly record: Pick<HomeRecord, "frames" | "standstills">;
}

/** Both directions of one connection. */
export interface Ways {
  readonly device: FrameWay;
  readonly hub: FrameWay;
}

/** The common part of lines of both kinds: their faults. */
export abstract class DeviceLine implements AsyncDisposable {
  readonly name: string;
  protected readonly options: DeviceLineOptions;
  protected readonly standing = new Set<Ways>();
  #faults: LineFaults = SOUND;
  #standstill: Standstill | undefined;

  protected constructor(options: DeviceLineOptions) {
    this.name = options.name;
    this.options = options;
  }

  /** Its further faults from now on. */
  fail(faults: Partial<LineFaults>): void {
    this.#faults = { ...this.#faults, ...faults };
    if (faults.isHeld === true && !this.#standstill) {
      this.#standstill = { kind: "device line", what: this.name, from: machineTime() };
      this.options.record.standstills.push(this.#standstill);
    }
  }

  /** Ends all faults; held frames go on. */
  heal(): void {
    this.#faults = { ...SOUND, isLying: this.#faults.isLying };
    for (const { device, hub } of this.standing) {
      device.carry();
      hub.carry();
    }
    if (this.#standstill) this.#standstill.to = machineTime();
    this.#standstill = undefined;
  }

  /** Random bytes towards both ends. */
  spoil(count: number): void {
    for (const { device, hub } of this.standing) {
      device.spoil(this.options.random.bytes(count));
      hub.spoil(this.options.random.bytes(count));
    }
  }

  /** The cable is pulled, and put back. */
  abstract unplug(): void;
  abstract plug(): void;
  abstract [Symbol.asyncDispose](): Promise<void>;

  protected ways(toDevice: (bytes: Uint8Array) => void, toHub: (bytes: Uint8Array) => void): Ways {
    const { random, record } = this.options;
    const common = { line: this.name, random, faults: () => this.#faults, frames: record.frames };
    const ways = {
      device: new FrameWay({ ...common, to: "device", deliver: toDevice }),
      hub: new FrameWay({ ...common, to: "hub", deliver: toHub }),
    };
    this.standing.add(ways);
    return ways;
  }

  protected end(ways: Ways): void {
    this.standing.delete(ways);
    ways.device.close();
    ways.hub.close();
  }
}
