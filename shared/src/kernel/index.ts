/** The kernel: what every part stands on. It imports nothing but itself. */

export * from "./collections/bisection.ts";
export * from "./collections/bounded-map.ts";
export * from "./collections/bounded-outbox.ts";
export * from "./collections/json-depth.ts";
export * from "./collections/tally.ts";
export * from "./collections/token-bucket.ts";
export * from "./concurrency/backoff.ts";
export * from "./concurrency/keyed-queue.ts";
export * from "./concurrency/linked-abort.ts";
export * from "./concurrency/log.ts";
export * from "./concurrency/or-aborted.ts";
export * from "./concurrency/rounds.ts";
export * from "./concurrency/scope.ts";
export * from "./concurrency/semaphore.ts";
export * from "./concurrency/task-set.ts";
export * from "./concurrency/waiters.ts";
export * from "./errors/error-texts.ts";
export * from "./errors/errors.ts";
export * from "./ids.ts";
export * from "./time/calendar.ts";
export * from "./time/clock.ts";
export * from "./time/server-timing.ts";
export * from "./time/timing-breakdown.ts";
export * from "./time/virtual-clock.ts";
export * from "./time/written-time.ts";
export * from "./time/zone-time.ts";
