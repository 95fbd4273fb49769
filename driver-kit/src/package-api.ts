/**
 * What the author of a package with a driver sees: types only, so that a bundle needs nothing of the agent.
 *
 * The package's entry has a `DriverPackage` as its default export. The agent runs it in a process of its own, with everything that it
 * needs handed in: `import type { DriverPackage } from "./package-api.ts"`.
 */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Driver } from "./contract/driver.ts";
import type { driverKit } from "./driver-kit.ts";
import type { Admissions } from "./host/admission.ts";
import type { SharedHost } from "./host/session-claims.ts";
import type { DriverStore } from "./kept/driver-store.ts";

export type { Clock, Log, Random } from "@porchlight/shared/kernel";
export type { DeviceAbout, DeviceDescription, PropertyAddress, Value } from "@porchlight/shared/model";
export type { Outcome } from "./contract/carry-out.ts";
export type {
  Attempt,
  Driver,
  DriverResult,
  LiveDevice,
  Observation,
  SetupKind,
  SetupTalk,
} from "./contract/driver.ts";
export type { SharedHost } from "./host/session-claims.ts";
export type { KeptAddresses, PlacedThing, Thing } from "./kept/addresses.ts";
export type { DriverStore } from "./kept/driver-store.ts";
export type { DeviceAddresses } from "./kept/kept-addresses.ts";
export type { RawWord, Read, TemperatureScale } from "./values/raw-values.ts";

/** A package's default export. */
export interface DriverPackage<Settings = unknown> {
  readonly api: 1;
  /** Makes the driver. What it throws is shown, and it is tried again. */
  start(around: DriverSurroundings<Settings>): RunningDriver | Promise<RunningDriver>;
}

/** A driver, and what it says of itself in `porchlight-agent status --json`. */
export interface RunningDriver extends Driver {
  status?(): unknown;
}

/** What a driver has around it; nothing else of the hub. */
export interface DriverSurroundings<Settings = unknown> {
  /** As the owner has set them, within the package's schema; `{}` without any. */
  readonly settings: Settings;
  /**
   * Its `arrived` answers `later` at first: the hub is being asked. `whenFree` calls as soon as a device may be had; then `arrived` is
   * to be asked again, within 10 s. A device that nobody has admitted stays `later`.
   */
  readonly host: SharedHost;
  readonly clock: Clock;
  readonly random: Random;
  /** The agent's log, ten lines a second. Never a secret in it. */
  readonly log: Log;
  /** Kept by the hub. A value has at most 512 KiB. */
  readonly store: DriverStore;
  /** Which devices are admitted, for drivers that connect to a device before they tell of it. */
  readonly admissions: Admissions;
  readonly kit: DriverKit;
}

/** Functions of the hub's own drivers. */
export type DriverKit = Readonly<typeof driverKit>;
