/** The shared parts of every command of the program: how it is added, its surroundings, and how it reports failure. */
import type { Clock, Random } from "@porchlight/shared/kernel";
import type { Command } from "commander";

export const PROGRAM = "porchlight-agent";

/** The surroundings of the process. */
export interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes an answer. */
  readonly out: (text: string) => void;
  /** Writes messages that are not part of the answer. */
  readonly err: (text: string) => void;
  /** Prompts the user and returns the typed line. @param hidden does not echo the input @throws CommandFailed when there is no answer */
  readonly prompt: (text: string, hidden: boolean) => Promise<string>;
  /** Calls `stop` when the user interrupts the command, until the returned object is disposed. */
  readonly onInterrupt: (stop: () => void) => Disposable;
  /** Sets the exit status of a command that has succeeded and whose answer is "no". */
  readonly endWith: (status: number) => void;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, around: Surroundings) => void;

/** Exit statuses, besides those of a failed command line (`exitStatusOf`). */
export const EXIT = {
  failed: 1,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  offline: 6,
  unreachable: 7,
  /** EX_TEMPFAIL: a restart of the agent was requested. */
  restart: 75,
  interrupted: 130,
} as const;

/** A command ends without its result; the message explains why. */
export class CommandFailed extends Error {
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number = EXIT.failed) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

/** Adds the option of the data folder: `--data`, by default `PORCHLIGHT_DATA`. */
export function onDataFolder(command: Command, { env }: Pick<Surroundings, "env">): Command {
  return command.requiredOption("--data <dir>", "the agent's data folder", env.PORCHLIGHT_DATA);
}
