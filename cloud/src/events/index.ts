/** The event log: what can happen, and what is told of it. */
export { type Cause, type EventData, type EventType, event, type PropertyChange } from "./event-types.ts";
