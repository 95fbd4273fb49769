/** The kit as it is injected into a package: the package's bundle carries no copy of it, and its results are of this hub's own classes. */
import { Backoff, type BackoffPolicy, type Random, sleep } from "@porchlight/shared/kernel";
import { attemptOf, carryOut, notApplied, rejected, unknownOutcome, valueResult } from "./contract/carry-out.ts";
import type { DriverStore } from "./kept/driver-store.ts";
import { derivedEdgeId, edgeIdOfEui } from "./kept/edge-ids.ts";
import { DeviceAddresses } from "./kept/kept-addresses.ts";
import { acceptedValue } from "./values/property-value.ts";
import { parseRawJson } from "./values/raw-json.ts";
import * as rawValues from "./values/raw-values.ts";
import {
  celsiusOf,
  fahrenheitOf,
  hueAndSaturationOf,
  hueAndSaturationOfXy,
  levelOf,
  percentOf,
  reciprocalMegakelvin,
  rgbOf,
  turnedRound,
} from "./values/units.ts";

export const driverKit = {
  acceptedValue,
  attemptOf,
  /** Waits between tries to reach a device, so that an unreachable device is not asked in a tight loop. */
  backoff: (policy: BackoffPolicy, random: Random) => new Backoff(policy, random),
  carryOut,
  celsiusOf,
  derivedEdgeId,
  /**
   * Keeps the addresses of a device's things: each thing has its own permanently, by the ID that the device gives it. Call `load` before
   * `place`.
   */
  deviceAddresses: (store: DriverStore, failed: (failure: unknown) => void) => new DeviceAddresses(store, failed),
  edgeIdOfEui,
  fahrenheitOf,
  hueAndSaturationOf,
  hueAndSaturationOfXy,
  levelOf,
  notApplied,
  parseRawJson,
  percentOf,
  ...rawValues,
  reciprocalMegakelvin,
  rejected,
  rgbOf,
  sleep,
  turnedRound,
  unknownOutcome,
  valueResult,
};
