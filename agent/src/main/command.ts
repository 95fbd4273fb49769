/** What every command of the program is made of: how it is added, what it is given, and how it says that it failed. */
import type { Clock, Random } from "@porchlight/shared/kernel";
import type { Command } from "commander";

export const PROGRAM = "porchlight-agent";

/** What the process has around it. */
export interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes an answer. */
  readonly out: (text: string) => void;
  /** Writes what is not an answer. */
  readonly err: (text: string) => void;
  /** Asks a person, and gives the line that is typed. @param hidden not shown while it is typed @throws CommandFailed when nobody answers */
  readonly prompt: (text: string, hidden: boolean) => Promise<string>;
  /** Calls `stop` when the person interrupts the command, until it is disposed of. */
  readonly onInterrupt: (stop: () => void) => Disposable;
  /** The exit status of a command that has done what was asked, and whose answer is "no". */
  readonly endWith: (status: number) => void;
}

/** Adds one command to the program. One command, one file; `main.ts` lists them. */
export type AddCommand = (program: Command, around: Surroundings) => void;

/** Exit statuses, besides those of a failed command line (`exitStatusOf`). */
export const EXIT = {
  failed: 1,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  offline: 6,
  unreachable: 7,
  /** EX_TEMPFAIL: the agent is to be started again, as somebody has asked. */
  restart: 75,
  interrupted: 130,
} as const;

/** A command ends without what was asked for; the message says it all. */
export class CommandFailed extends Error {
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number = EXIT.failed) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

/** Gives a command the folder on which it works: `--data`, or what `PORCHLIGHT_DATA` names. */
export function onDataFolder(command: Command, { env }: Pick<Surroundings, "env">): Command {
  return command.requiredOption("--data <dir>", "the agent's data folder", env.PORCHLIGHT_DATA);
}
