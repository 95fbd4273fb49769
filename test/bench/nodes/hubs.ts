/** Thousands of hubs in a few processes, as one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "../../parts/eventually.ts";
import { Program } from "../../parts/program.ts";
import type { ManyHubsPlan, ManyHubsTold } from "./many-hubs.ts";
import type { Service } from "./service.ts";

const HUB_PROCESSES = 4;
const PATIENCE_MS = 420_000;

export interface HubClient {
  readonly id: string;
  readonly token: string;
}

export class Hubs implements AsyncDisposable {
  readonly #programs: readonly Program[];

  constructor({ nodes, folder }: Service, clients: readonly HubClient[]) {
    const size = Math.ceil(clients.length / HUB_PROCESSES);
    this.#programs = Array.from({ length: HUB_PROCESSES }, (_, at) => {
      const file = join(folder, `hubs-${at}.json`);
      const plan: ManyHubsPlan = {
        ports: nodes.map(({ port }) => port),
        first: at * size,
        clients: clients.slice(at * size, (at + 1) * size),
      };
      writeFileSync(file, JSON.stringify(plan), { mode: 0o600 });
      return new Program("hubs", "test/bench/nodes/many-hubs.ts", [file]);
    });
  }

  get pids(): readonly number[] {
    return this.#programs.map(({ pid }) => pid);
  }

  say(...lines: readonly string[]): void {
    for (const program of this.#programs) for (const line of lines) program.tell(line);
  }

  /** Settles with what they tell once it is so. */
  all(what: string, isSo: (told: ManyHubsTold) => boolean): Promise<ManyHubsTold> {
    return eventually(
      what,
      async () => {
        const told = await this.#told();
        if (isSo(told)) return told;
        throw new Error(JSON.stringify(told));
      },
      PATIENCE_MS,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#programs) await program[Symbol.asyncDispose]();
  }

  async #told(): Promise<ManyHubsTold> {
    const each = await Promise.all(
      this.#programs.map((program) => {
        const answer = program.next((line) => (line.startsWith("{") ? (JSON.parse(line) as ManyHubsTold) : undefined));
        program.tell("tell");
        return answer;
      }),
    );
    // Between two questions hubs are let be: looking at thousands of them costs as much as some of them do. When each came they know.
    await pause(1_000);
    const sum = (of: (told: ManyHubsTold) => number) => each.reduce((all, told) => all + of(told), 0);
    return {
      live: sum(({ live }) => live),
      queued: sum(({ queued }) => queued),
      came: sum(({ came }) => came),
      welcomes: sum(({ welcomes }) => welcomes),
      endings: added(each.map(({ endings }) => endings)),
      firstAt: Math.min(...each.map(({ firstAt }) => firstAt).filter((at) => at > 0)),
      lastAt: Math.max(...each.map(({ lastAt }) => lastAt)),
      mostAt: Math.max(...each.map(({ mostAt }) => mostAt)),
    };
  }
}

/** The counts of all, by their names. */
function added(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
