/** The kit as a package is handed it: so that its bundle carries none of it, and its results are this hub's own. */
import { Backoff, sleep } from "@porchlight/shared/kernel";
import {
  attemptOf,
  carryOut,
  celsiusOf,
  derivedEdgeId,
  edgeIdOfEui,
  fahrenheitOf,
  hueAndSaturationOf,
  hueAndSaturationOfXy,
  levelOf,
  notApplied,
  percentOf,
  reciprocalMegakelvin,
  rejected,
  rgbOf,
  turnedRound,
  unknownOutcome,
  valueResult,
} from "../kit/index.ts";
import type { DriverKit } from "../kit/package-api.ts";

export const driverKit: DriverKit = {
  attemptOf,
  backoff: (policy, random) => new Backoff(policy, random),
  carryOut,
  celsiusOf,
  derivedEdgeId,
  edgeIdOfEui,
  fahrenheitOf,
  hueAndSaturationOf,
  hueAndSaturationOfXy,
  levelOf,
  notApplied,
  percentOf,
  reciprocalMegakelvin,
  rejected,
  rgbOf,
  sleep,
  turnedRound,
  unknownOutcome,
  valueResult,
};
