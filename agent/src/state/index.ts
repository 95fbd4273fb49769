/** The store as the modules above see it. */
export { damagedOf, examineDatabase, StateUnusable, timeInName } from "./database/database.ts";
export { StoreClosed } from "./database/group-commit.ts";
export type { Boot } from "./database/hub-clock.ts";
export { forgetOwner } from "./forget-owner.ts";
export { forgetTold } from "./forget-told.ts";
export type { Learned, Observed } from "./history.ts";
export type { Home } from "./home/home.ts";
export { homeDevice, homeItem } from "./home/home-resources.ts";
export type { LocalToken } from "./home/local-tokens.ts";
export type { ArrivingDevice, StoredDevice } from "./rows/devices.ts";
export type { CommandRequest, JournalEntry } from "./rows/journal.ts";
export { type PropertyTarget, targetKey } from "./rows/property-target.ts";
export type { Cause, CommandEnd, StoredRecord, StoredResult } from "./rows/records.ts";
export type { ReportName } from "./rows/seen-reports.ts";
export type { StoredValue } from "./rows/values.ts";
export { State, type StateDeps } from "./state.ts";
export type { StateStatus } from "./state-status.ts";
export type { StateListener } from "./store.ts";
