/** The store as the modules above see it. */
export { damagedOf, examineDatabase, StateUnusable, timeInName } from "./database.ts";
export type { ArrivingDevice, StoredDevice } from "./devices.ts";
export { forgetOwner } from "./forget-owner.ts";
export { forgetTold } from "./forget-told.ts";
export { StoreClosed } from "./group-commit.ts";
export type { Learned, Observed } from "./history.ts";
export type { Home } from "./home.ts";
export { homeDevice, homeItem } from "./home-resources.ts";
export type { Boot } from "./hub-clock.ts";
export type { CommandRequest, JournalEntry } from "./journal.ts";
export type { LocalToken } from "./local-tokens.ts";
export { type PropertyTarget, targetKey } from "./property-target.ts";
export type { Cause, CommandEnd, StoredRecord, StoredResult } from "./records.ts";
export type { ReportName } from "./seen-reports.ts";
export { State, type StateDeps } from "./state.ts";
export type { StateStatus } from "./state-status.ts";
export type { StateListener } from "./store.ts";
export type { StoredValue } from "./values.ts";
