/** The drivers of a home, and what the agent knows of every driver. */
export type { KeptForDrivers } from "./drivers-deps.ts";
export { homeDrivers } from "./home-drivers.ts";
export {
  type Admissions,
  type AskClaims,
  type Attempt,
  acceptedObservation,
  allows,
  attemptOf,
  type Driver,
  type DriverHost,
  type DriverResult,
  type DriverStore,
  driverStore,
  Gate,
  type LiveDevice,
  type Observation,
  type Patience,
  type Permit,
  PushQueue,
  type PushResult,
  type ReportSource,
  type SharedHost,
  type StatedDriver,
  shareHost,
  worthOf,
} from "./kit/index.ts";
export { type AskDrivers, DriverManager } from "./management/driver-manager.ts";
export { FrameLog } from "./porchlight/frames/frame-log.ts";
