/**
 * What a hub, and all hubs of one ecosystem together, may say a second: token buckets, pure in time. A budget may be overdrawn, because
 * what a message costs is known only once it is here; a hub in debt is not read until the debt is paid.
 */
import { BoundedMap, type BucketRule, TokenBucket } from "@porchlight/shared/kernel";

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

/** Hubs, and ecosystems, that are remembered, also beyond their connections: a hub gains nothing by connecting again. */
const REMEMBERED = 40_000;

type Rules = Readonly<Record<keyof Spending, BucketRule>>;

/** @param times how many times a hub's budget it is */
function rulesOf({ perSecond, burstSeconds }: BudgetRule, times: number): Rules {
  const rule = (rate: number) => ({ perSecond: rate * times, burst: rate * times * burstSeconds });
  return { messages: rule(perSecond.messages), bytes: rule(perSecond.bytes), records: rule(perSecond.records) };
}

/** One bucket for each kind. */
class Budget {
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #records: TokenBucket;

  /** Full. */
  constructor({ messages, bytes, records }: Rules, now: number) {
    this.#messages = new TokenBucket(messages, now);
    this.#bytes = new TokenBucket(bytes, now);
    this.#records = new TokenBucket(records, now);
  }

  /** Gives after how many ms nothing is owed. */
  spend(now: number, { messages, bytes, records }: Spending): number {
    return Math.max(
      owed(this.#messages, messages, now),
      owed(this.#bytes, bytes, now),
      owed(this.#records, records, now),
    );
  }

  isFull(now: number): boolean {
    return this.#messages.isFull(now) && this.#bytes.isFull(now) && this.#records.isFull(now);
  }
}

function owed(bucket: TokenBucket, spent: number, now: number): number {
  bucket.spend(spent, now);
  return bucket.waitFor(0, now);
}

/** Whose budgets a message draws on: the hub's own, and its ecosystem's. */
export interface Spender {
  readonly clientId: string;
  readonly ecosystemId: string;
}

/** Who is not in a table has a full budget: an idle hub takes no memory here. */
export class HubBudgets {
  readonly #hubRules: Rules;
  readonly #ecosystemRules: Rules;
  readonly #hubs = new BoundedMap<string, Budget>(REMEMBERED);
  readonly #ecosystems = new BoundedMap<string, Budget>(REMEMBERED);

  constructor(rule: BudgetRule) {
    this.#hubRules = rulesOf(rule, 1);
    this.#ecosystemRules = rulesOf(rule, rule.perEcosystem);
  }

  /** How many hubs have spent what has not flowed in again. */
  get size(): number {
    return this.#hubs.size;
  }

  /**
   * Spends of the client's budget, which is the same for each of its connections, and of its ecosystem's.
   * @param now monotonic, ms
   * @returns after how many ms nothing is owed any more; 0 when nothing is
   */
  spend({ clientId, ecosystemId }: Spender, now: number, spent: Spending): number {
    const hub = of(this.#hubs, clientId, this.#hubRules, now);
    const ecosystem = of(this.#ecosystems, ecosystemId, this.#ecosystemRules, now);
    return Math.max(hub.spend(now, spent), ecosystem.spend(now, spent));
  }

  /** Forgets those that are full; called by the sweep. @param now monotonic, ms */
  forgetFull(now: number): void {
    for (const budgets of [this.#hubs, this.#ecosystems])
      for (const [id, budget] of budgets) if (budget.isFull(now)) budgets.delete(id);
  }
}

function of(budgets: BoundedMap<string, Budget>, id: string, rules: Rules, now: number): Budget {
  const known = budgets.get(id);
  if (known) return known;
  const budget = new Budget(rules, now);
  budgets.set(id, budget);
  return budget;
}
