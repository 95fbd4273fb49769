/** The kit as a package is handed it: so that its bundle carries none of it, and its results are this hub's own. */
import { Backoff, type BackoffPolicy, type Random, sleep } from "@porchlight/shared/kernel";
import { attemptOf, carryOut, notApplied, rejected, unknownOutcome, valueResult } from "./contract/carry-out.ts";
import { derivedEdgeId, edgeIdOfEui } from "./kept/derived-edge-id.ts";
import type { DriverStore } from "./kept/driver-store.ts";
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
  /** How long to wait before each next try to reach a device, so that one that is away is not asked without end. */
  backoff: (policy: BackoffPolicy, random: Random) => new Backoff(policy, random),
  carryOut,
  celsiusOf,
  derivedEdgeId,
  /**
   * Keeps the addresses of what a device consists of: each thing has its own for good, by the ID that the device gives it. `load` before
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
