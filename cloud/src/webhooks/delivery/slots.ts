/**
 * How many deliveries are under way at once, over all: a slow endpoint waits among the slow ones, no tenant has more than its
 * part, and tenants take turns. So a thousand dead endpoints of one tenant delay no event of another tenant.
 */

export interface SlotLimits {
  readonly total: number;
  /** Of those, for endpoints that failed or were slow the last time, or have not been tried. */
  readonly slow: number;
  readonly perTenant: number;
  /** Of those, for its slow endpoints. */
  readonly slowPerTenant: number;
}

const SLOT_LIMITS: SlotLimits = { total: 1024, slow: 512, perTenant: 256, slowPerTenant: 128 };

type Start = (release: () => void) => void;

interface Waiting {
  readonly slow: boolean;
  readonly start: Start;
}

export class Slots {
  readonly #limits: SlotLimits;
  /** By tenant; whose turn it is stands first. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #taken = new Map<string, { all: number; slow: number }>();
  #total = 0;
  #slow = 0;

  constructor(limits: SlotLimits = SLOT_LIMITS) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#total;
  }

  /** Calls `start` when there is a slot: at once, or when one is given back. What it is given frees the slot. */
  ask(tenant: string, slow: boolean, start: Start): void {
    const waiting = this.#waiting.get(tenant);
    if (waiting) waiting.push({ slow, start });
    else this.#waiting.set(tenant, [{ slow, start }]);
    this.#grant();
  }

  #grant(): void {
    for (let turn = this.#next(); turn; turn = this.#next()) {
      const { tenant, waiting } = turn;
      this.#take(tenant, waiting);
    }
  }

  /** The first of the first tenant that may have one; that tenant is then the last. */
  #next(): { readonly tenant: string; readonly waiting: Waiting } | undefined {
    if (this.#total >= this.#limits.total) return undefined;
    for (const [tenant, queue] of this.#waiting) {
      const taken = this.#taken.get(tenant) ?? { all: 0, slow: 0 };
      if (taken.all >= this.#limits.perTenant) continue;
      const hasRoomForSlow = this.#slow < this.#limits.slow && taken.slow < this.#limits.slowPerTenant;
      const at = queue.findIndex(({ slow }) => !slow || hasRoomForSlow);
      const [waiting] = at < 0 ? [] : queue.splice(at, 1);
      if (!waiting) continue;
      this.#waiting.delete(tenant);
      if (queue.length > 0) this.#waiting.set(tenant, queue);
      return { tenant, waiting };
    }
    return undefined;
  }

  #take(tenant: string, { slow, start }: Waiting): void {
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
