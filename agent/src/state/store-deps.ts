/** The store's dependencies and its listener: their own file because `State` passes them on and the composition root supplies them. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { Boot } from "./hub-clock.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Maximum bytes of records that wait for the cloud. */
  readonly outboxBytes: number;
  /** Disk space reserved for commands, bytes; 0 reserves none. */
  readonly reserveBytes: number;
  readonly boot: Boot;
  readonly homeEvents?: HomeEvents | undefined;
  /** Called when the database proves to be damaged: the agent must restart, and the next start sets the database aside. */
  readonly damaged?: ((why: string) => void) | undefined;
  /** For `test/world`: called before each commit; an error that it throws counts as a disk that refused the write. */
  readonly beforeCommit?: (() => void) | undefined;
}

/** Keeps events for readers at home, and the history of property values. */
export interface HomeEvents {
  /** The hub's own edgeId. */
  readonly edgeId: string;
  /** Maximum bytes of events (4 MiB). */
  readonly bytes?: number | undefined;
  /** Maximum changes of properties, and gaps between them, that are kept (2 million); 0 records none. */
  readonly changes?: number | undefined;
}

/** Notified after a commit. */
export interface StateListener {
  /** The inventory has changed. Called before `records` of the same commit. */
  devices(): void;
  /** The outbox has new records. */
  records(): void;
}

/** The dependencies of a hub's state. */
export interface StateDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Longest that a report or a read waits for others to share its commit, ms (50). */
  readonly groupMs?: number | undefined;
  /** Maximum bytes of records that wait for the cloud (32 MiB). */
  readonly outboxBytes?: number | undefined;
  /** Disk space reserved for commands, bytes (none). */
  readonly reserveBytes?: number | undefined;
  /** The current start of the machine; when left out, each life of the agent counts as one. */
  readonly boot?: Boot | undefined;
  /** Keeps events and the history of property values for readers at home; when left out, nothing is kept. */
  readonly homeEvents?: HomeEvents | undefined;
  /** Called when the database proves to be damaged: the agent must restart, and the next start sets the database aside. */
  readonly damaged?: ((why: string) => void) | undefined;
  /** For `test/world`: called before each commit; an error that it throws counts as a disk that refused the write. */
  readonly beforeCommit?: (() => void) | undefined;
}
