/** What the process has around it, handed in, so that every command runs within a test as well. */
import type { Fetch } from "@porchlight/sdk";
import type { Clock, Random } from "@porchlight/shared/kernel";
import type { Sink } from "../render/style.ts";

/** Where a person types, or another program writes. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

export interface Surroundings {
  readonly stdin: Input;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's own folder. */
  readonly home: string;
  /** Name of the machine: in the list of log-ins it tells one from another. */
  readonly machine: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted with `Interrupted` by Ctrl-C, with `OutputClosed` when stdout is closed. */
  readonly signal: AbortSignal;
  /** In place of the runtime's own. */
  readonly fetch?: Fetch | undefined;
}
