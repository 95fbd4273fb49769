/**
 * Looks for what is wrong, opens and ends alerts, and mails them: on one of the nodes at a time, every half minute.
 *
 * Invariants: whatever is stored is judged anew in its write job and mailed in one transaction with its marks, so that two nodes that
 * work at once, or one that dies in between, neither lose an alert nor tell it twice.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import type { Store } from "../../store/index.ts";
import { judgeQuota, type QuotaState } from "../decisions/conditions.ts";
import { decideMailing } from "../decisions/mailing.ts";
import { readSettings } from "../decisions/settings.ts";
import { openAlertsOf } from "../rows/alert-store.ts";
import { accountsWithMail, dropAlertsEndedBefore, ecosystemsWithSettings, PAGE } from "../rows/service-queries.ts";
import { judgeSubjects } from "./judge.ts";
import { type AlertOutbox, mailAccount } from "./mailing.ts";
import { findBatteries, findEnding, findOpening, Suspects } from "./suspects.ts";
import { Uptime } from "./uptime.ts";

export interface AlertWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbox: AlertOutbox;
  readonly serviceUrl: () => string;
  readonly node: AlertNode;
  /** What an ecosystem uses of its quotas. @throws "Service Unavailable" */
  readonly quotasOf: (eco: string) => Promise<readonly QuotaState[]>;
}

/** This node among the others. */
export interface AlertNode {
  /** Whether its lease stands. */
  readonly isAlive: () => boolean;
  /** Whether it is the one that does this for all. */
  readonly isFirst: () => boolean;
  /** When the oldest of the living nodes started, wall clock, ms. */
  readonly oldestStart: () => number;
}

const LOOK_EVERY = 30_000;
const BATTERIES_EVERY = 5 * 60_000;
const QUOTAS_EVERY = 3_600_000;
/** How long an ended alert is kept, ms. */
const KEEP = SERVICE_TIMES.endedAlertsKept;
/** Ecosystems judged, and accounts mailed, at once. */
const AT_ONCE = 20;

export class AlertWatch implements AsyncDisposable {
  readonly #deps: AlertWatchDeps;
  readonly #uptime: Uptime;
  readonly #looking = new Rounds(() => this.#round());
  readonly #timer: Timer;
  #batteriesDue = Number.NEGATIVE_INFINITY;
  #quotasDue = Number.NEGATIVE_INFINITY;

  private constructor(deps: AlertWatchDeps) {
    this.#deps = deps;
    this.#uptime = new Uptime(deps.node.oldestStart);
    this.#timer = every(deps.clock, "alerts", LOOK_EVERY, () => void this.look());
  }

  static start(deps: AlertWatchDeps): AlertWatch {
    return new AlertWatch(deps);
  }

  /** Settles when a look that began after this has ended, or the store does not take it: the next look goes on. */
  look(): Promise<void> {
    return this.#looking.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#looking.end();
  }

  async #round(): Promise<void> {
    const { clock, log, node } = this.#deps;
    if (!node.isAlive()) return;
    this.#uptime.look(clock.monotonic(), clock.now());
    if (!node.isFirst()) return;
    try {
      await this.#look();
      await this.#mail();
    } catch (error) {
      log.warn({ error }, "alerts could not be checked; will retry");
    }
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#deps;
    const moment = { now: clock.now(), upSince: this.#uptime.since };
    const suspects = new Suspects();
    await findOpening(this.#deps, moment, suspects);
    await findEnding(this.#deps, moment, suspects);
    if (clock.monotonic() >= this.#batteriesDue) {
      await findBatteries(this.#deps, suspects);
      this.#batteriesDue = clock.monotonic() + BATTERIES_EVERY;
    }
    await this.#inParts([...suspects.byEcosystem], ([eco, ids]) =>
      judgeSubjects(this.#deps, eco, [...ids], moment.upSince),
    );
    if (clock.monotonic() < this.#quotasDue) return;
    await this.#lookAtQuotas();
    await dropAlertsEndedBefore(store, clock.now() - KEEP);
    this.#quotasDue = clock.monotonic() + QUOTAS_EVERY;
  }

  async #lookAtQuotas(): Promise<void> {
    const { store } = this.#deps;
    for (let eco = ""; ; ) {
      const rows = await ecosystemsWithSettings(store, { eco, id: "" });
      await this.#inParts(rows, ({ eco: each, settings }) => this.#judgeQuotas(each, settings));
      const last = rows.at(-1);
      if (!last || rows.length < PAGE || this.#looking.ended) return;
      eco = last.eco;
    }
  }

  async #judgeQuotas(eco: string, settingsText: string | null): Promise<void> {
    const { store, clock, quotasOf } = this.#deps;
    const settings = readSettings(settingsText);
    if (!settings.quotaNear.enabled) return;
    const quotas = await quotasOf(eco);
    const open = await openAlertsOf(
      store.of(eco).sql,
      eco,
      quotas.map(({ id }) => id),
    );
    const { since: upSince } = this.#uptime;
    const moment = { now: clock.now(), upSince };
    const changed = quotas.filter((quota) => {
      const alert = open.find(({ subject_id }) => subject_id === quota.id);
      return judgeQuota(quota, settings, moment, alert?.opened_at).isWrong !== (alert !== undefined);
    });
    const ids = changed.map(({ id }) => id);
    if (ids.length > 0) await judgeSubjects(this.#deps, eco, ids, upSince, changed);
  }

  async #mail(): Promise<void> {
    const { store, clock } = this.#deps;
    await this.#inParts(await accountsWithMail(store), async ({ account, settings, mailedAt }) => {
      if (decideMailing(readSettings(settings), mailedAt, clock.now()) !== "wait")
        await mailAccount(this.#deps, account);
    });
  }

  /** What fails of one is tried again by the next look, and holds up no other. */
  async #inParts<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
    const { log } = this.#deps;
    for (let at = 0; at < all.length && !this.#looking.ended; at += AT_ONCE)
      await Promise.all(
        all
          .slice(at, at + AT_ONCE)
          .map((each) =>
            work(each).catch((error: unknown) => log.warn({ error }, "an alert could not be stored; will retry")),
          ),
      );
  }
}
