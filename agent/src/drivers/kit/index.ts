/** The driver kit: all that a driver imports of the agent's drivers, and all that the agent knows of them. */

export { type Admission, type Admissions, type Admit, admission, type Candidate } from "./admission.ts";
export {
  type AnnouncedLine,
  type AnnouncedPlace,
  AnnouncedPlaces,
} from "./announced-places.ts";
export { attemptOf, NotTouched, type Permit } from "./attempt.ts";
export { AwaitedValues, type ExpectedValue } from "./awaited-values.ts";
export { type ButtonEvent, buttonEventOf } from "./button-words.ts";
export { camelCase } from "./camel-case.ts";
export { carryOut, type Outcome } from "./carry-out.ts";
export { type AskClaims, Claims } from "./claims.ts";
export { derivedEdgeId, edgeIdOfEui } from "./derived-edge-id.ts";
export { type DescribedAt, describedServices, identifyOnly } from "./described-services.ts";
export type {
  Arrival,
  Attempt,
  Driver,
  DriverHost,
  DriverResult,
  FoundDevice,
  LiveDevice,
  Observation,
  PushResult,
  ReportSource,
  UnpairedDevice,
} from "./driver.ts";
export { type DriverStore, DriverStoreFull, driverStore } from "./driver-store.ts";
export { Gate, type Patience } from "./gate.ts";
export { at, isRecord } from "./json-path.ts";
export { KeptIdentities } from "./kept-identities.ts";
export { KeptSecrets } from "./kept-secrets.ts";
export { LinkDevices, type LinkDevicesDeps, type SeenDevice } from "./link-devices.ts";
export { movesTo } from "./moves-to.ts";
export {
  type NetworkService,
  type NetworkServices,
  type NetworkTrouble,
  networkTroubles,
} from "./network-services.ts";
export { type OfferableDevice, type OfferDeps, OfferedDevice } from "./offered-device.ts";
export { allows, worthOf } from "./property-value.ts";
export { PushQueue } from "./push-queue.ts";
export { type FailedResult, notApplied, rejected, unknownOutcome, valueResult } from "./results.ts";
export { Retries } from "./retries.ts";
export { binarySensorClass, sensorClass } from "./sensor-classes.ts";
export { CLAIM_AGAIN_MS, hostWithClaims, SessionClaims } from "./session-claims.ts";
export { SetupFailed, type SetupFind, type SetupKind, type SetupQuestion, type SetupTalk } from "./setup.ts";
export { asShared, type SharedHost, shareHost } from "./shared-host.ts";
export { type StatedDriver, SupervisedDriver } from "./supervised.ts";
export {
  celsiusOf,
  fahrenheitOf,
  type HueAndSaturation,
  hueAndSaturationOf,
  hueAndSaturationOfXy,
  levelOf,
  percentOf,
  reciprocalMegakelvin,
  rgbOf,
  turnedRound,
  xyOf,
} from "./units.ts";
