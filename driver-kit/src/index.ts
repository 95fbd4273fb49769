/** The driver kit: all that a driver imports from the agent's side, and all that the agent knows of drivers. */
export type { BuiltInDriver, BuiltInSurroundings } from "./built-in-driver.ts";
export {
  attemptOf,
  carryOut,
  type FailedResult,
  NotTouched,
  notApplied,
  type Outcome,
  type Permit,
  rejected,
  unknownOutcome,
  valueResult,
} from "./contract/carry-out.ts";
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
} from "./contract/driver.ts";
export { SetupFailed, type SetupFind, type SetupKind, type SetupQuestion, type SetupTalk } from "./contract/driver.ts";
export { Gate, type Patience } from "./contract/gate.ts";
export {
  type AnnouncedPlace,
  type NetworkService,
  type NetworkServices,
  type NetworkTrouble,
  networkTroubles,
} from "./devices/announced-places.ts";
export { AwaitedValues, type ExpectedValue } from "./devices/awaited-values.ts";
export type { DeviceLine } from "./devices/device-line.ts";
export { DeviceLines } from "./devices/device-lines.ts";
export type { DevicePlace, KnownDevice, LineConnection } from "./devices/line-connection.ts";
export {
  DeviceTrouble,
  LASTING_TROUBLE_MS,
  QUIET_TROUBLES,
  SHARED_TROUBLES,
  type SharedTroubleKind,
} from "./devices/line-connection.ts";
export { LinkDevices, type LinkDevicesDeps, type SeenDevice } from "./devices/link-devices.ts";
export { type OfferableDevice, type OfferDeps, OfferedDevice } from "./devices/offered-device.ts";
export { Retries } from "./devices/retries.ts";
export { type Admission, type Admissions, type Admit, admission, type Candidate } from "./host/admission.ts";
export { type AskClaims, Claims } from "./host/claims.ts";
export { PushQueue } from "./host/push-queue.ts";
export {
  asShared,
  CLAIM_AGAIN_MS,
  hostWithClaims,
  SessionClaims,
  type SharedHost,
  shareHost,
} from "./host/session-claims.ts";
export { type StatedDriver, SupervisedDriver } from "./host/supervised.ts";
export { type KeptAddresses, type PlacedThing, placeThings, type Thing } from "./kept/addresses.ts";
export { type DriverStore, DriverStoreFull, driverStore, KeptSecrets } from "./kept/driver-store.ts";
export { derivedEdgeId, edgeIdOfEui, KeptIdentities } from "./kept/edge-ids.ts";
export { DeviceAddresses } from "./kept/kept-addresses.ts";
export { JsonOutOfBounds, jsonInTurns, jsonLength } from "./turns/json-in-turns.ts";
export { doneAtOnce, doneInTurns, LoopTurns, type Work } from "./turns/loop-turns.ts";
export { type ButtonEvent, buttonEventOf } from "./values/button-words.ts";
export {
  camelCase,
  type DescribedAt,
  describedServices,
  identifyOnly,
  serviceNames,
} from "./values/described-services.ts";
export { acceptedObservation, acceptedValue, allows, movesTo, worthOf } from "./values/property-value.ts";
export { at, isRecord, parseRawJson } from "./values/raw-json.ts";
export * from "./values/raw-values.ts";
export { binarySensorClass, type SensorClass, sensorClass } from "./values/sensor-classes.ts";
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
} from "./values/units.ts";
