/**
 * What a hub, and all hubs of one ecosystem together, may say a second: token buckets, pure in time. A budget may be overdrawn, because
 * what a message costs is known only once it is here; whoever owes is not read until nothing is owed.
 */
import { RecentMap } from "@porchlight/shared/kernel";

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

/** Hubs, and ecosystems, that are remembered beyond their connections: nobody is better off by coming again. */
const REMEMBERED = 20_000;

const KINDS = ["messages", "bytes", "records"] as const;

/** One bucket for each kind. */
class Budget {
  readonly #rule: BudgetRule;
  readonly #times: number;
  readonly #left: Record<keyof Spending, number>;
  #at: number;

  /** Full. @param times how many times the rule */
  constructor(rule: BudgetRule, times: number, now: number) {
    this.#rule = rule;
    this.#times = times;
    this.#at = now;
    const { messages, bytes, records } = rule.perSecond;
    const worth = times * rule.burstSeconds;
    this.#left = { messages: messages * worth, bytes: bytes * worth, records: records * worth };
  }

  /** Gives after how many ms nothing is owed. */
  spend(now: number, spent: Spending): number {
    const { perSecond, burstSeconds } = this.#rule;
    const seconds = (now - this.#at) / 1000;
    this.#at = now;
    let owedSeconds = 0;
    for (const kind of KINDS) {
      const rate = perSecond[kind] * this.#times;
      const left = Math.min(rate * burstSeconds, this.#left[kind] + seconds * rate) - spent[kind];
      this.#left[kind] = left;
      owedSeconds = Math.max(owedSeconds, -left / rate);
    }
    return owedSeconds * 1000;
  }
}

/** The budgets that one hub draws on. */
export interface HubBudget {
  /** @param now monotonic, ms @returns after how many ms nothing is owed any more; 0 when nothing is */
  spend(now: number, spent: Spending): number;
}

export class HubBudgets {
  readonly #rule: BudgetRule;
  readonly #hubs = new RecentMap<Budget>(REMEMBERED);
  readonly #ecosystems = new RecentMap<Budget>(REMEMBERED);

  constructor(rule: BudgetRule) {
    this.#rule = rule;
  }

  /** The same for every connection of the client. @param now monotonic, ms */
  of({ clientId, ecosystemId }: { clientId: string; ecosystemId: string }, now: number): HubBudget {
    const hub = this.#hubs.get(clientId, () => new Budget(this.#rule, 1, now));
    const ecosystem = this.#ecosystems.get(ecosystemId, () => new Budget(this.#rule, this.#rule.perEcosystem, now));
    return { spend: (at, spent) => Math.max(hub.spend(at, spent), ecosystem.spend(at, spent)) };
  }
}
