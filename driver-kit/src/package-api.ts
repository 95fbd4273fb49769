/**
 * The API for authors of driver packages: types only, so that a bundle needs nothing of the agent.
 *
 * The package's entry has a `DriverPackage` as its default export. The agent runs it in a process of its own, and injects everything that
 * it needs: `import type { DriverPackage } from "./package-api.ts"`.
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
  /** Creates the driver. The hub shows an error that it throws, and tries again. */
  start(around: DriverSurroundings<Settings>): RunningDriver | Promise<RunningDriver>;
}

/** A driver, and its part of `porchlight-agent status --json`. */
export interface RunningDriver extends Driver {
  status?(): unknown;
}

/** All that a driver can use of the hub. */
export interface DriverSurroundings<Settings = unknown> {
  /** The owner's settings, validated by the package's schema; `{}` without a schema. */
  readonly settings: Settings;
  /**
   * Its `arrived` returns `later` at first, while the hub is asked. `whenFree` calls as soon as a device may be used; the driver must
   * then call `arrived` again within 10 s. A device that is not admitted stays `later`.
   */
  readonly host: SharedHost;
  readonly clock: Clock;
  readonly random: Random;
  /** The agent's log, limited to ten lines a second. Never log a secret. */
  readonly log: Log;
  /** Stored by the hub. A value has at most 512 KiB. */
  readonly store: DriverStore;
  /** The admitted devices, for drivers that connect to a device before they announce it. */
  readonly admissions: Admissions;
  readonly kit: DriverKit;
}

/** Functions of the hub's own drivers. */
export type DriverKit = Readonly<typeof driverKit>;
