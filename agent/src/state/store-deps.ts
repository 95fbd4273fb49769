/** What the store is made from, and who hears of it: its own file because the state hands it on and the composition root fills it in. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Boot } from "./database/hub-clock.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Most bytes of records that wait for the cloud. */
  readonly outboxBytes: number;
  /** Room on the disk that is kept for commands, bytes; 0 keeps none. */
  readonly reserveBytes: number;
  readonly boot: Boot;
  readonly homeEvents?: HomeEvents | undefined;
  /** The database turned out to be damaged: the agent must restart, which sets it aside. */
  readonly damaged?: ((why: string) => void) | undefined;
  /** For `test/world`: called before each commit; what it throws, the disk has refused. */
  readonly beforeCommit?: (() => void) | undefined;
}

/** That what happens is kept for those who follow it at home, and what properties were for those who look back. */
export interface HomeEvents {
  /** The hub's own edgeId. */
  readonly edgeId: string;
  /** Most bytes of events (4 MiB). */
  readonly bytes?: number | undefined;
  /** Most changes of properties, and gaps between them, that are kept (2 million); 0 records none. */
  readonly changes?: number | undefined;
}

/** Told after a commit. */
export interface StateListener {
  /** The inventory has changed. Comes before `records` of the same commit. */
  devices(): void;
  /** The outbox has new records. */
  records(): void;
}

/** What a hub's state is made of from outside. */
export interface StateDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Longest that a report or a read waits for others to share its commit, ms (50). */
  readonly groupMs?: number | undefined;
  /** Most bytes of records that wait for the cloud (32 MiB). */
  readonly outboxBytes?: number | undefined;
  /** Room on the disk that is kept for commands, bytes (none). */
  readonly reserveBytes?: number | undefined;
  /** Which start of the machine this is; without, each life of the agent counts as one. */
  readonly boot?: Boot | undefined;
  /** Keeps what happens, and what properties were, for those who ask at home; nothing is kept without. */
  readonly homeEvents?: HomeEvents | undefined;
  /** The database turned out to be damaged: the agent must restart, which sets it aside. */
  readonly damaged?: ((why: string) => void) | undefined;
  /** For `test/world`: called before each commit; what it throws, the disk has refused. */
  readonly beforeCommit?: (() => void) | undefined;
}
