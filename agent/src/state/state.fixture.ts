/** A hub's state on a real file in a folder of its own, on a virtual clock: what tests of every module above stand on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { DeviceDescription, Value } from "@porchlight/shared/model";
import type { ArrivingDevice, Observed } from "./rows/devices.ts";
import { State } from "./state.ts";
import type { StateDeps } from "./store-deps.ts";

export const LAMP = "00-1B-44-11-3A-B7";
export const BUTTON = "00-1B-44-11-3A-B8";

const DESCRIPTION: DeviceDescription = [
  {
    service: "Switch",
    index: "0",
    properties: [{ property: "on", type: "boolean", access: ["read", "write", "notify"] }],
  },
  {
    service: "LightLevel",
    index: "0",
    properties: [{ property: "level", type: "number", access: ["read", "write", "notify"] }],
  },
  { service: "Button", index: "0", properties: [{ property: "event", type: "string", access: ["notify"] }] },
];

/** A device with a switch, a level and a button. */
export function device(edgeId = LAMP): ArrivingDevice {
  return { edgeId, description: DESCRIPTION, about: { manufacturer: "Acme" }, transport: "memory" };
}

export const on = (value: Value, edgeId = LAMP): Observed => ({
  device: edgeId,
  service: "Switch",
  index: "0",
  property: "on",
  value,
});
export const level = (value: Value, edgeId = LAMP): Observed => ({
  device: edgeId,
  service: "LightLevel",
  index: "0",
  property: "level",
  value,
});
export const pressed = (value: Value = "press", edgeId = LAMP): Observed => ({
  device: edgeId,
  service: "Button",
  index: "0",
  property: "event",
  value,
});

/** The database of one hub, which can be opened again and again as after a crash. */
export class Disk implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "porchlight-state-"));
  readonly path = join(this.folder, "agent.db");
  readonly clock = new VirtualClock();
  #seed = 1;
  #seq = 0;
  readonly #opened: State[] = [];

  open(settings: Partial<Omit<StateDeps, "clock" | "random">> = {}): State {
    const { log = silentLog, ...rest } = settings;
    const state = State.open(this.path, { clock: this.clock, random: seededRandom(this.#seed++), log, ...rest });
    this.#opened.push(state);
    return state;
  }

  /** Lets time pass until it is committed. */
  done<T>(committed: Promise<T>): Promise<T> {
    return this.clock.until(committed, 5000);
  }

  /** A report under a name of its own. */
  report(state: State, observed: Observed): Promise<"stored" | "repeated" | "busy"> {
    return this.done(state.report(observed, { node: observed.device, boot: 1, seq: this.#seq++ }));
  }

  [Symbol.dispose](): void {
    for (const state of this.#opened) state.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** All records that wait to be sent. */
export const pending = (state: State) => state.pending(0, 100_000, Number.POSITIVE_INFINITY);
