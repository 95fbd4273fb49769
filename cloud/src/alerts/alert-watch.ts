/**
 * Checks for faults, opens and ends alerts, and mails them: on one node at a time, every half minute.
 *
 * Invariant: each subject is judged again in the write job that stores its alert, and each alert is mailed in one transaction with
 * its mark, so that two nodes at once, or a node that crashes in between, neither lose an alert nor mail it twice.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { lockAccount } from "../access/index.ts";
import type { Store, Transaction } from "../store/index.ts";
import { readSettings } from "./alert-settings.ts";
import { openAlertsOf } from "./alert-store.ts";
import { judgeQuota, type QuotaState } from "./incidents.ts";
import { judgeSubjects } from "./judge.ts";
import {
  type AlertEmail,
  alertEmail,
  decideMailing,
  markMailed,
  markOpeningMailed,
  type WaitingAlert,
  waitingAlerts,
} from "./mailing.ts";
import {
  accountAlerts,
  accountsWithMail,
  dropAlertsEndedBefore,
  ecosystemsWithSettings,
  noteMailed,
  PAGE,
} from "./service-queries.ts";
import { findBatteries, findEnding, findOpening, Suspects } from "./suspects.ts";

export interface AlertWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbox: AlertOutbox;
  readonly serviceUrl: () => string;
  readonly node: AlertNode;
  /** The usage of an ecosystem's quotas. @throws "Service Unavailable" */
  readonly quotasOf: (eco: string) => Promise<readonly QuotaState[]>;
}

/** This node among the nodes of the service. */
export interface AlertNode {
  /** Whether its lease is valid. */
  readonly isAlive: () => boolean;
  /** Whether it is the node that checks for all. */
  readonly isFirst: () => boolean;
  /** Start of the oldest living node, wall clock, ms. */
  readonly oldestStart: () => number;
}

const LOOK_EVERY = 30_000;
const BATTERIES_EVERY = 5 * 60_000;
const QUOTAS_EVERY = 3_600_000;
/** Time for which an ended alert is kept, ms. */
const KEEP = SERVICE_TIMES.endedAlertsKept;
/** Ecosystems judged, or accounts mailed, concurrently. */
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

  /** Resolves when a check that began after this call has ended, or the store refuses; the next check continues. */
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

  /** Runs the work in batches. A failure is retried by the next check, and delays no other item. */
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

/** A node without a check for so long was stopped, or had no database. ms. */
const BREAK = 90_000;

/** Measures since when the service has been up, as far as a node that checks regularly can see. */
class Uptime {
  readonly #oldestStart: () => number;
  #resumedAt = Number.NEGATIVE_INFINITY;
  #lastLook: number | undefined;

  /** @param oldestStart start of the oldest living node, wall clock, ms */
  constructor(oldestStart: () => number) {
    this.#oldestStart = oldestStart;
  }

  /** Call it every half minute while the node is working. @param monotonic ms @param now wall clock, ms */
  look(monotonic: number, now: number): void {
    if (this.#lastLook !== undefined && monotonic - this.#lastLook > BREAK) this.#resumedAt = now;
    this.#lastLook = monotonic;
  }

  /** Since when the service has been up without interruption, wall clock, ms: hubs are not blamed for earlier absence. */
  get since(): number {
    return Math.max(this.#oldestStart(), this.#resumedAt);
  }
}

/** The part of the mail queue that this module uses. */
export interface AlertOutbox {
  /** Queues an email to an account's own address, if that is verified. @returns whether it will be sent @throws "Service Unavailable" */
  notify(tx: Transaction, accountId: string, email: AlertEmail): Promise<boolean>;
}

interface MailingDeps {
  readonly store: Store;
  readonly log: Log;
  readonly outbox: AlertOutbox;
  readonly serviceUrl: () => string;
}

/**
 * Mails one account its waiting alerts. It marks them as mailed in the transaction that queues the email, so that each is mailed
 * once. Alerts that no email can report are marked too, and stay in the list of alerts.
 * @throws "Service Unavailable"
 */
async function mailAccount(deps: MailingDeps, account: string): Promise<void> {
  const { store, log } = deps;
  const waiting = await store.writeService((tx) => waitingAlerts(tx, account));
  await store.setAside.each(waiting, {
    ...{ loop: "alert_emails", log, about: ({ ecosystem_id, id }) => ({ ecosystem: ecosystem_id, alert: id }) },
    work: (alerts) => mail(deps, account, alerts),
    aside: (alert) => store.writeService((tx) => markMailed(tx, [alert])),
  });
}

async function mail({ store, outbox, serviceUrl }: MailingDeps, account: string, alerts: readonly WaitingAlert[]) {
  await store.writeService(async (tx) => {
    // Of two nodes that mail one account the second finds no waiting alerts.
    if (!(await lockAccount(tx, account))) return;
    const { settings, mailedAt } = await accountAlerts(tx, account);
    const decision = decideMailing(settings, mailedAt, tx.now());
    if (decision === "wait") return;
    const marked = await markMailed(tx, alerts);
    if (decision === "drop" || marked.length === 0) return;
    const opened = marked.filter(({ mail }) => mail === "opened");
    const ended = marked.filter(({ mail }) => mail === "ended");
    const email = alertEmail({
      ...{ url: serviceUrl(), timeZone: settings.quietHours?.timeZone },
      ...{ opened: opened.map(mailed), ended: ended.map(mailed) },
    });
    if (!(await outbox.notify(tx, account, email))) return;
    await markOpeningMailed(tx, opened);
    await noteMailed(tx, account, tx.now());
  });
}

function mailed({ mail, text, end_text, opened_at, ended_at }: WaitingAlert) {
  return mail === "opened" ? { text, at: opened_at } : { text: end_text ?? text, at: ended_at ?? opened_at };
}
