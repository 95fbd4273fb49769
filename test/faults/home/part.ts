/** A process of a run as faults see it: killed, started again, stopped and woken, of any kind. */
import type { Program } from "../../parts/program.ts";
import { type HomeRecord, type Kind, machineTime, type Standstill } from "./record.ts";

export interface Part {
  readonly name: string;
  readonly kind: Kind;
  /** SIGKILL; settles when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on what it has left. */
  start(): Promise<void>;
  stop(): void;
  cont(): void;
}

/** A program of ours as a part. @param begin starts it, and settles when it serves */
export class ProgramPart implements Part, AsyncDisposable {
  readonly name: string;
  readonly kind: Kind;
  readonly #begin: () => Promise<Program>;
  #program: Program | undefined;
  #stderr = "";

  constructor(name: string, kind: Kind, begin: () => Promise<Program>) {
    this.name = name;
    this.kind = kind;
    this.#begin = begin;
  }

  /** What each of its lives has printed last on stderr. */
  get stderr(): string {
    return `${this.#stderr}${this.#program?.stderr ?? ""}`;
  }

  /** Its process; undefined while it is dead. */
  get pid(): number | undefined {
    return this.#program?.pid;
  }

  async start(): Promise<void> {
    this.#program = await this.#begin();
  }

  async kill(): Promise<void> {
    const program = this.#program;
    this.#stderr = `${this.stderr}--- killed\n`;
    // Orders that are sent to it meanwhile are lost.
    this.#program = undefined;
    await program?.kill();
  }

  /** One line on its stdin; nothing while it is dead. */
  order(line: string): void {
    this.#program?.tell(line);
  }

  stop(): void {
    this.#program?.signal("SIGSTOP");
  }

  cont(): void {
    this.#program?.signal("SIGCONT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
  }
}

/** The same part, whose standstills are in the record: from before the signal until after the waking. */
export function recorded(part: Part, { standstills }: Pick<HomeRecord, "standstills">): Part {
  let standstill: Standstill | undefined;
  return {
    name: part.name,
    kind: part.kind,
    kill: () => part.kill(),
    start: () => part.start(),
    stop: () => {
      standstill = { kind: part.kind, what: part.name, from: machineTime() };
      standstills.push(standstill);
      part.stop();
    },
    cont: () => {
      part.cont();
      if (standstill) standstill.to = machineTime();
      standstill = undefined;
    },
  };
}
