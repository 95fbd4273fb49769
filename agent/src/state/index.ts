/** The front of the store: the only way in for the modules above it. */
export { damagedOf, examineDatabase, StateUnusable, timeInName } from "./database.ts";
export { forgetOwner, forgetSent } from "./forget-owner.ts";
export { StoreClosed } from "./group-commit.ts";
export type { Home, HubScenes, LocalToken } from "./home.ts";
export { homeDevice, homeItem } from "./home-event-writer.ts";
export type { Boot, TimeKnown } from "./hub-clock.ts";
export type { Kept, KeptEntries, StoredAdmissions } from "./kept.ts";
export type { ArrivingDevice, Learned, Observed, StoredDevice } from "./rows/devices.ts";
export { type PropertyTarget, targetKey } from "./rows/devices.ts";
export type {
  Cause,
  CommandEnd,
  CommandRequest,
  CommandScene,
  JournalEntry,
  StoredRecord,
  StoredResult,
} from "./rows/journal.ts";
export type { SceneHome, SceneSummary } from "./rows/scenes.ts";
export type { ReportName } from "./rows/seen-reports.ts";
export type { StoredValue } from "./rows/values.ts";
export { State, type StateStatus } from "./state.ts";
export type { StateDeps, StateListener } from "./store-deps.ts";
