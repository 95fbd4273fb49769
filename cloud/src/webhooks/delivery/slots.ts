/**
 * Limits concurrent deliveries of all webhooks: a slow endpoint waits behind other slow ones, a tenant has at most its
 * share, and tenants take turns. So a thousand dead endpoints of one tenant delay no event of another tenant.
 */

export interface SlotLimits {
  readonly total: number;
  /** The part of them for endpoints that failed or were slow the last time, or have not been tried. */
  readonly slow: number;
  readonly perTenant: number;
  /** The part of them for its slow endpoints. */
  readonly slowPerTenant: number;
}

const SLOT_LIMITS: SlotLimits = { total: 1024, slow: 512, perTenant: 256, slowPerTenant: 128 };

type Start = (release: () => void) => void;

type Pace = "quick" | "slow";

export class Slots {
  readonly #limits: SlotLimits;
  /** By tenant; the next one to be served is first. */
  readonly #waiting: Readonly<Record<Pace, Map<string, Start[]>>> = { quick: new Map(), slow: new Map() };
  readonly #taken = new Map<string, { all: number; slow: number }>();
  #total = 0;
  #slow = 0;
  #last: Pace = "slow";

  constructor(limits: SlotLimits = SLOT_LIMITS) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#total;
  }

  /** Calls `start` when a slot is free, at once or later. The function that it gets releases the slot. */
  ask(tenant: string, slow: boolean, start: Start): void {
    const queues = this.#waiting[slow ? "slow" : "quick"];
    const waiting = queues.get(tenant);
    if (waiting) waiting.push(start);
    else queues.set(tenant, [start]);
    this.#grant();
  }

  #grant(): void {
    for (let next = this.#next(); next; next = this.#next()) this.#take(next.tenant, next.pace === "slow", next.start);
  }

  /** Alternates between slow and quick ones, while both have room. */
  #next(): { readonly tenant: string; readonly pace: Pace; readonly start: Start } | undefined {
    if (this.#total >= this.#limits.total) return undefined;
    const paces: readonly Pace[] = this.#last === "slow" ? ["quick", "slow"] : ["slow", "quick"];
    for (const pace of paces) {
      const next = this.#nextOf(pace);
      if (!next) continue;
      this.#last = pace;
      return { ...next, pace };
    }
    return undefined;
  }

  /**
   * The first entry of the first tenant with a free slot; that tenant moves to the end. Only tenants with all their
   * slots taken are skipped.
   */
  #nextOf(pace: Pace): { readonly tenant: string; readonly start: Start } | undefined {
    const { slow, perTenant, slowPerTenant } = this.#limits;
    if (pace === "slow" && this.#slow >= slow) return undefined;
    const queues = this.#waiting[pace];
    for (const [tenant, queue] of queues) {
      const taken = this.#taken.get(tenant) ?? { all: 0, slow: 0 };
      if (taken.all >= perTenant || (pace === "slow" && taken.slow >= slowPerTenant)) continue;
      const start = queue.shift();
      queues.delete(tenant);
      if (queue.length > 0) queues.set(tenant, queue);
      if (start) return { tenant, start };
    }
    return undefined;
  }

  #take(tenant: string, slow: boolean, start: Start): void {
    this.#count(tenant, slow, 1);
    let held = true;
    start(() => {
      if (!held) return;
      held = false;
      this.#count(tenant, slow, -1);
      this.#grant();
    });
  }

  #count(tenant: string, slow: boolean, by: 1 | -1): void {
    this.#total += by;
    if (slow) this.#slow += by;
    const taken = this.#taken.get(tenant) ?? { all: 0, slow: 0 };
    taken.all += by;
    if (slow) taken.slow += by;
    if (taken.all === 0) this.#taken.delete(tenant);
    else this.#taken.set(tenant, taken);
  }
}
