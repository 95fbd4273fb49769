/** The front of history: it records by itself, and answers queries by series. */
import type { HistorySettingsUpdate } from "@porchlight/shared/api";
import { type Clock, type Log, NamedError } from "@porchlight/shared/kernel";
import type { HistorySources } from "@porchlight/shared/rest";
import { audit, type Caller } from "../access/index.ts";
import type { Selected } from "../devices/index.ts";
import { LogReader } from "../events/index.ts";
import type { GiveWayDeps, Store } from "../store/index.ts";
import { HistoryRecorder } from "./recorder.ts";
import { HistoryLag } from "./recording-lag.ts";
import { choiceOf, type HistoryChoice, positionOf, writeChoice } from "./recording-rows.ts";
import { HistoryRetention } from "./retention.ts";
import { sourcesOf } from "./series-source.ts";
import { Partitions } from "./service-queries.ts";

export interface HistoryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this node's lease is valid, and it is the node that records for all. */
  readonly isChosen: () => boolean;
  readonly limits: HistoryLimits;
  readonly processorTime?: GiveWayDeps["processorTime"];
}

/** Retention of changes and of statistics, days: by default, and at most. */
export interface HistoryLimits {
  readonly rawDays: number;
  readonly statisticsDays: number;
  readonly mostRawDays: number;
  readonly mostStatisticsDays: number;
}

const DAY = 86_400_000;

export class History implements AsyncDisposable {
  readonly #deps: HistoryDeps;
  readonly #recorder: HistoryRecorder;
  readonly #lag: HistoryLag;
  readonly #retention: HistoryRetention;

  private constructor(deps: HistoryDeps) {
    this.#deps = deps;
    const { store, clock, log, isChosen, limits, processorTime } = deps;
    const partitions = store.dialect === "postgres" ? new Partitions() : undefined;
    const shared = { store, clock, log, isChosen, partitions };
    const { most } = this;
    this.#recorder = HistoryRecorder.start({
      ...{ ...shared, processorTime },
      reader: new LogReader(store),
      choiceOf: (eco) => this.choiceOf(eco),
    });
    this.#lag = HistoryLag.start(shared);
    this.#retention = HistoryRetention.start({ ...shared, most, byDefault: byDefault(limits) });
  }

  static start(deps: HistoryDeps): History {
    return new History(deps);
  }

  /** An ecosystem's settings, limited to what the service allows. @throws "Service Unavailable" */
  choiceOf(eco: string): Promise<HistoryChoice> {
    const { store, limits } = this.#deps;
    return choiceOf(store.of(eco).sql, eco, byDefault(limits), this.most);
  }

  /** Longest retention that the service allows. */
  get most(): Omit<HistoryChoice, "enabled"> {
    const { mostRawDays: rawDays, mostStatisticsDays: statisticsDays } = this.#deps.limits;
    return { rawDays, statisticsDays };
  }

  /**
   * Changes an ecosystem's settings; those left out stay.
   * @param caller for the audit
   * @throws "Body Parameters Invalid" for more than is allowed, "Service Unavailable"
   */
  async choose(eco: string, change: HistorySettingsUpdate, caller?: Caller): Promise<void> {
    for (const name of ["rawDays", "statisticsDays"] as const) {
      const most = this.most[name];
      if ((change[name] ?? 0) > most) throw tooMany(name, most);
    }
    const before = await this.choiceOf(eco);
    const choice: HistoryChoice = {
      enabled: change.enabled ?? before.enabled,
      rawDays: change.rawDays ?? before.rawDays,
      statisticsDays: change.statisticsDays ?? before.statisticsDays,
    };
    await this.#deps.store.write(eco, async (tx) => {
      await writeChoice(tx, eco, choice);
      if (caller) await audit(tx, caller, "ecosystem.history_settings_changed", eco, { ...choice });
    });
  }

  /** The sources of an answer about these properties. @param selected of one service class @throws "Service Unavailable" */
  sources(eco: string, selected: readonly Selected[]): Promise<HistorySources> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    return sourcesOf(store, eco, selected, { now, begins: now - this.most.statisticsDays * DAY });
  }

  /** Sequence of the last recorded event. @throws "Service Unavailable" */
  async recordedUpTo(eco: string): Promise<number> {
    return (await positionOf(this.#deps.store.of(eco).sql, eco))?.sequence ?? 0;
  }

  /** Unrecorded events of the ecosystem furthest behind; 0 on a node that does not record. */
  get lag(): number {
    return this.#lag.events;
  }

  /** Age of the oldest unrecorded event, ms; 0 on a node that does not record. */
  get lagMs(): number {
    return this.#lag.ageMs;
  }

  /** Warning for operators while recording is minutes behind. */
  get warning(): string | undefined {
    return this.#lag.warning;
  }

  /** Resolves when {@link lag} has been measured. */
  measure(): Promise<void> {
    return this.#lag.measure();
  }

  /** Resolves when the events that are stored now are recorded. */
  catchUp(): Promise<void> {
    return this.#recorder.catchUp();
  }

  /** Resolves when all expired history is deleted. */
  sweep(): Promise<void> {
    return this.#retention.sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lag[Symbol.asyncDispose]();
    await this.#recorder[Symbol.asyncDispose]();
    await this.#retention[Symbol.asyncDispose]();
  }
}

function byDefault({ rawDays, statisticsDays }: HistoryLimits): HistoryChoice {
  return { enabled: true, rawDays, statisticsDays };
}

function tooMany(name: string, most: number): NamedError {
  const message = `must be at most ${most}: the service keeps no more.`;
  return new NamedError("Body Parameters Invalid", `\`${name}\` ${message}`, {
    errors: [{ pointer: `/${name}`, message }],
  });
}
