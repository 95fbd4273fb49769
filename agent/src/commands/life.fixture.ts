/** One life of a hub on a disk, for every test of its commands: a process that can die while the disk stays. */
import { silentLog } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { State } from "../state/index.ts";
import { BUTTON, type Disk, LAMP, on } from "../state/state.fixture.ts";
import { Commands, type CommandsDeps, type ExecutionPermit } from "./commands.ts";
import { DeviceAvailability } from "./device-availability.ts";
import { DoubtfulValues } from "./doubtful-values.ts";
import { ScriptedDriver } from "./scripted-driver.fixture.ts";

/** How long a device may take to be met, ms. */
export const UNMET_MS = 15_000;

/** Its commands, its state, and a driver with two live devices. */
export function life(
  disk: Disk,
  limits?: CommandsDeps["limits"],
  change: (state: State) => CommandsDeps["state"] = (state) => state,
  unmet: readonly string[] = [],
) {
  const state = disk.open();
  const driver = new ScriptedDriver();
  driver.live.add(LAMP).add(BUTTON);
  const { clock } = disk;
  const driverOf = (edgeId: string) => (driver.has(edgeId) ? driver : undefined);
  const availability = new DeviceAvailability(clock, unmet, UNMET_MS);
  const doubts: DoubtfulValues = new DoubtfulValues({
    ...{ clock, state, isLive: (edgeId) => driver.has(edgeId) },
    read: (targets) => commands.read(targets, permit()),
  });
  const about = { clock, log: silentLog, driverOf, availability, doubts, limits };
  const commands = new Commands({ ...about, state: change(state) });
  const permit = (change: Partial<ExecutionPermit> = {}): ExecutionPermit => ({
    deadline: clock.monotonic() + 10_000,
    mayTouch: () => true,
    ...change,
  });
  const set = (id: string, value: Value, change: Partial<ExecutionPermit> = {}) =>
    commands.command({ id, ...on(value) }, permit(change));
  return { state, driver, commands, availability, doubts, permit, set, clock };
}
