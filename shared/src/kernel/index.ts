/** The kernel: what every part stands on. It imports nothing but itself. */
export * from "./backoff.ts";
export * from "./bounded-outbox.ts";
export * from "./clock.ts";
export * from "./error-texts.ts";
export * from "./errors.ts";
export * from "./hop-times.ts";
export * from "./ids.ts";
export * from "./keyed-queue.ts";
export * from "./log.ts";
export * from "./or-aborted.ts";
export * from "./random.ts";
export * from "./rounds.ts";
export * from "./scope.ts";
export * from "./server-timing.ts";
export * from "./virtual-clock.ts";
export * from "./waiters.ts";
export * from "./written-time.ts";
