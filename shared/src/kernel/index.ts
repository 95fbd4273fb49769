/** The kernel: what every part stands on. It imports nothing but itself. */

export * from "./collections.ts";
export * from "./concurrency/abort.ts";
export * from "./concurrency/backoff.ts";
export * from "./concurrency/jobs.ts";
export * from "./concurrency/log.ts";
export * from "./concurrency/scope.ts";
export * from "./concurrency/waiters.ts";
export * from "./errors/error-texts.ts";
export * from "./errors/errors.ts";
export * from "./ids.ts";
export * from "./json-depth.ts";
export * from "./time/clock.ts";
export * from "./time/timing.ts";
export * from "./time/virtual-clock.ts";
export * from "./time/written-time.ts";
export * from "./time/zone-time.ts";
export * from "./token-bucket.ts";
