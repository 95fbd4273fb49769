/**
 * Message budgets of a hub, and of all hubs of one ecosystem together: token buckets, pure in time. A budget may be
 * overdrawn, because a message's cost is known only after its arrival; a hub in debt is not read until the debt is
 * paid.
 */
import { BoundedMap, type BucketRule, TokenBucket } from "@porchlight/shared/kernel";

/** What a message is charged for. */
export interface Spending {
  readonly messages: number;
  /** Characters of its text, which its parsing cost is proportional to. */
  readonly bytes: number;
  readonly records: number;
}

export interface BudgetRule {
  /** Refill of each, a second. */
  readonly perSecond: Spending;
  /** Capacity, in seconds of refill: the largest burst. */
  readonly burstSeconds: number;
  /** An ecosystem's budget, as a multiple of a hub's. */
  readonly perEcosystem: number;
}

/**
 * Fits a hub of 1,000 devices that report ten times a second each. A process stores about twice as many records a
 * second, so a single hub at its limit leaves half to others; four hubs leave none, and the fair order of the write
 * queue divides it.
 */
export const HUB_BUDGET: BudgetRule = {
  perSecond: { messages: 8_000, bytes: 4 * 1024 * 1024, records: 12_000 },
  burstSeconds: 2,
  perEcosystem: 4,
};

/** Maximum remembered hubs, and ecosystems; they outlast connections, so that a hub gains nothing by reconnecting. */
const REMEMBERED = 40_000;

type Rules = Readonly<Record<keyof Spending, BucketRule>>;

/** @param times multiple of a hub's budget */
function rulesOf({ perSecond, burstSeconds }: BudgetRule, times: number): Rules {
  const rule = (rate: number) => ({ perSecond: rate * times, burst: rate * times * burstSeconds });
  return { messages: rule(perSecond.messages), bytes: rule(perSecond.bytes), records: rule(perSecond.records) };
}

/** One bucket for each unit. */
class Budget {
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #records: TokenBucket;

  /** Starts full. */
  constructor({ messages, bytes, records }: Rules, now: number) {
    this.#messages = new TokenBucket(messages, now);
    this.#bytes = new TokenBucket(bytes, now);
    this.#records = new TokenBucket(records, now);
  }

  /** Returns the milliseconds until the debt is paid. */
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

/** The hub whose budget, and whose ecosystem's budget, a message is charged to. */
export interface Spender {
  readonly clientId: string;
  readonly ecosystemId: string;
}

/** A hub without an entry has a full budget: an idle hub takes no memory here. */
export class HubBudgets {
  readonly #hubRules: Rules;
  readonly #ecosystemRules: Rules;
  readonly #hubs = new BoundedMap<string, Budget>(REMEMBERED);
  readonly #ecosystems = new BoundedMap<string, Budget>(REMEMBERED);

  constructor(rule: BudgetRule) {
    this.#hubRules = rulesOf(rule, 1);
    this.#ecosystemRules = rulesOf(rule, rule.perEcosystem);
  }

  /** Hubs with a budget that is not full again. */
  get size(): number {
    return this.#hubs.size;
  }

  /**
   * Charges the client's budget, which all its connections share, and its ecosystem's.
   * @param now monotonic, ms
   * @returns milliseconds until the debt is paid; 0 without debt
   */
  spend({ clientId, ecosystemId }: Spender, now: number, spent: Spending): number {
    const hub = of(this.#hubs, clientId, this.#hubRules, now);
    const ecosystem = of(this.#ecosystems, ecosystemId, this.#ecosystemRules, now);
    return Math.max(hub.spend(now, spent), ecosystem.spend(now, spent));
  }

  /** Deletes full budgets; called by the sweep. @param now monotonic, ms */
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
