/**
 * What a hub, and all hubs of one ecosystem together, may say a second: token buckets, pure in time. A budget may be overdrawn, because
 * what a message costs is known only once it is here; a hub in debt is not read until the debt is paid.
 */
import { BoundedMap, TokenBucket } from "@porchlight/shared/kernel";

/** What is counted of a message. */
export interface Spending {
  readonly messages: number;
  /** Characters of its text: what parsing it costs goes by them. */
  readonly bytes: number;
  readonly records: number;
}

export interface BudgetRule {
  /** How much of each flows in, a second. */
  readonly perSecond: Spending;
  /** For how many seconds' worth there is room: what may come at once. */
  readonly burstSeconds: number;
  /** How many times a hub's budget an ecosystem has. */
  readonly perEcosystem: number;
}

/**
 * A hub of 1,000 devices that report ten times a second each has room. A process stores about twice as many records a second, so that one
 * hub at its limit leaves half of it to others; four leave none, and there the turns of the write queue divide it.
 */
export const HUB_BUDGET: BudgetRule = {
  perSecond: { messages: 8_000, bytes: 4 * 1024 * 1024, records: 12_000 },
  burstSeconds: 2,
  perEcosystem: 4,
};

/** Hubs, and ecosystems, that are remembered beyond their connections: a hub gains nothing by connecting again. */
const REMEMBERED = 40_000;

const KINDS = ["messages", "bytes", "records"] as const;

/** One bucket for each kind. */
class Budget {
  readonly #buckets: Readonly<Record<keyof Spending, TokenBucket>>;

  /** Full. @param times how many times the rule */
  constructor({ perSecond, burstSeconds }: BudgetRule, times: number, now: number) {
    const bucket = (rate: number) =>
      new TokenBucket({ perSecond: rate * times, burst: rate * times * burstSeconds }, now);
    const { messages, bytes, records } = perSecond;
    this.#buckets = { messages: bucket(messages), bytes: bucket(bytes), records: bucket(records) };
  }

  /** Gives after how many ms nothing is owed. */
  spend(now: number, spent: Spending): number {
    let owedMs = 0;
    for (const kind of KINDS) {
      const bucket = this.#buckets[kind];
      bucket.spend(spent[kind], now);
      owedMs = Math.max(owedMs, bucket.waitFor(0, now));
    }
    return owedMs;
  }
}

/** The budgets that one hub draws on. */
export interface HubBudget {
  /** @param now monotonic, ms @returns after how many ms nothing is owed any more; 0 when nothing is */
  spend(now: number, spent: Spending): number;
}

export class HubBudgets {
  readonly #rule: BudgetRule;
  readonly #hubs = new BoundedMap<string, Budget>(REMEMBERED);
  readonly #ecosystems = new BoundedMap<string, Budget>(REMEMBERED);

  constructor(rule: BudgetRule) {
    this.#rule = rule;
  }

  /** The same for every connection of the client. @param now monotonic, ms */
  of({ clientId, ecosystemId }: { clientId: string; ecosystemId: string }, now: number): HubBudget {
    const hub = this.#hubs.get(clientId) ?? new Budget(this.#rule, 1, now);
    const ecosystem = this.#ecosystems.get(ecosystemId) ?? new Budget(this.#rule, this.#rule.perEcosystem, now);
    this.#hubs.set(clientId, hub);
    this.#ecosystems.set(ecosystemId, ecosystem);
    return { spend: (at, spent) => Math.max(hub.spend(at, spent), ecosystem.spend(at, spent)) };
  }
}
