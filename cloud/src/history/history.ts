/** History as the rest of the service sees it: it runs by itself, and is read by series. */
import type { Clock, Log } from "@porchlight/shared/kernel";
import { LogReader } from "../events/index.ts";
import type { Store } from "../store/index.ts";
import { Recorder } from "./recording/recorder.ts";
import { HistoryRetention } from "./retention.ts";
import { Partitions } from "./rows/partitions.ts";
import { positionOf } from "./rows/position-rows.ts";
import { choiceOf, type HistoryChoice, writeChoice } from "./rows/settings-rows.ts";

export interface HistoryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this node's lease stands, and it is the one that records for all. */
  readonly isChosen: () => boolean;
  readonly limits: HistoryLimits;
}

/** For how many days each change, and the statistics, are kept when an ecosystem sets nothing, and at the most. */
export interface HistoryLimits {
  readonly rawDays: number;
  readonly statisticsDays: number;
  readonly mostRawDays: number;
  readonly mostStatisticsDays: number;
}

export class History implements AsyncDisposable {
  readonly #deps: HistoryDeps;
  readonly #recorder: Recorder;
  readonly #retention: HistoryRetention;

  private constructor(deps: HistoryDeps) {
    this.#deps = deps;
    const { store, clock, log, isChosen, limits } = deps;
    const partitions = store.dialect === "postgres" ? new Partitions() : undefined;
    const shared = { store, clock, log, isChosen, partitions };
    const most = { rawDays: limits.mostRawDays, statisticsDays: limits.mostStatisticsDays };
    this.#recorder = Recorder.start({
      ...shared,
      reader: new LogReader(store),
      choiceOf: (eco) => this.choiceOf(eco),
    });
    this.#retention = HistoryRetention.start({ ...shared, most, byDefault: byDefault(limits) });
  }

  static start(deps: HistoryDeps): History {
    return new History(deps);
  }

  /** What an ecosystem has set, held to what the service allows. @throws "Service Unavailable" */
  choiceOf(eco: string): Promise<HistoryChoice> {
    const { store, limits } = this.#deps;
    const most = { rawDays: limits.mostRawDays, statisticsDays: limits.mostStatisticsDays };
    return choiceOf(store.of(eco).sql, eco, byDefault(limits), most);
  }

  /** Changes what an ecosystem has set; what is left out stays. @throws "Service Unavailable" */
  async choose(eco: string, change: Partial<HistoryChoice>): Promise<void> {
    const { store } = this.#deps;
    const choice = { ...(await this.choiceOf(eco)), ...change };
    await store.write(eco, async (tx) => void (await writeChoice(tx, eco, choice)));
  }

  /** Sequence of the last event that is recorded. @throws "Service Unavailable" */
  async recordedUpTo(eco: string): Promise<number> {
    return (await positionOf(this.#deps.store.of(eco).sql, eco))?.sequence ?? 0;
  }

  /** Settles when the events that are stored now are recorded. */
  catchUp(): Promise<void> {
    return this.#recorder.catchUp();
  }

  /** Settles when all that is too old has gone. */
  sweep(): Promise<void> {
    return this.#retention.sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#recorder[Symbol.asyncDispose]();
    await this.#retention[Symbol.asyncDispose]();
  }
}

function byDefault({ rawDays, statisticsDays }: HistoryLimits): HistoryChoice {
  return { enabled: true, rawDays, statisticsDays };
}
