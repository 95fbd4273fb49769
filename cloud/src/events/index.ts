/** The event log: types of events, reading, notification, and retention. */

export { EventRetention } from "./event-retention.ts";
export { type EventData, event, type PropertyChange, propertyChanged } from "./event-types.ts";
export { type LoggedEvent, LogReader, type LogSearch, loggedEvent, searchLog, sequenceAt } from "./log-reader.ts";
export { EventNotifier, LogWatch } from "./log-watch.ts";
