/** In the place of a driver that cannot be made: the hub runs without it, and says why. */
import { notApplied, type StatedDriver } from "@porchlight/driver-kit";
import type { Log } from "@porchlight/shared/kernel";

/** @param problem for people, in a sentence */
export function noDriver(name: string, problem: string, log: Log): StatedDriver {
  log.error({ driver: name, problem }, "a driver cannot be started");
  const nothing = notApplied(problem);
  return {
    name,
    has: () => false,
    read: async () => nothing,
    write: async () => nothing,
    problem: () => problem,
    status: () => ({ driver: "stopped", restarts: 0, failure: problem }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
