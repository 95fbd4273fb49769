/** What `doctor` finds: each thing that was looked at, how it is, and its cure. */
import type { ExitName } from "../session/failure.ts";

export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** `doubtful`: it works, and is not as it should be. */
  readonly state: "good" | "doubtful" | "bad";
  readonly detail: string;
  /** A command, or what else to do. */
  readonly cure?: string;
  /** How the program ends when this is the first that is bad. */
  readonly exit?: ExitName;
}

export function good(check: string, detail: string): Finding {
  return { check, state: "good", detail };
}

export function doubtful(check: string, detail: string, cure: string): Finding {
  return { check, state: "doubtful", detail, cure };
}

export function bad(check: string, detail: string, cure: string, exit: ExitName): Finding {
  return { check, state: "bad", detail, cure, exit };
}
