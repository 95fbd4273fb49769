/** The event log: what can happen, what is told of it, how it is read, and how long it is kept. */

export { EventNotifier } from "./event-notifier.ts";
export { EventRetention } from "./event-retention.ts";
export { type EventData, event, type PropertyChange, propertyChanged } from "./event-types.ts";
export { type LoggedEvent, LogReader, loggedEvent } from "./log-reader.ts";
export { type LogSearch, searchLog } from "./log-search.ts";
export { LogWatch } from "./log-watch.ts";
export { sequenceAt } from "./sequence-at.ts";
