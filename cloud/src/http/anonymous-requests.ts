/** Limits requests without a proven credential: decides which requests are anonymous, and measures their processor time. */
import { type BucketRule, type Clock, NamedError } from "@porchlight/shared/kernel";
import { TokenBuckets } from "@porchlight/shared/rest";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Addresses, networkKey } from "./client-addresses.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route takes a credential: then the credential decides whether the request is anonymous. */
    takesToken?: boolean;
  }
  interface FastifyRequest {
    /** Network of the address whose budget the request spends; null for a request that is not anonymous. */
    spends: string | null;
    /** Whether a span of the request is being measured. */
    isMeasured: boolean;
  }
}

export interface AnonymousRequestsDeps {
  readonly clock: Clock;
  /** Processor time that the thread has used so far, ms. */
  readonly processorTime: () => number;
  readonly addresses: Addresses;
  readonly budget?: AnonymousBudget;
}

/**
 * Longest wait for budget, ms: a page whose many files are all made for the first time must be served, if slowly. An uncached token
 * is usually a valid one, so it may wait longer.
 */
const PATIENCE = { withoutToken: 1_000, newToken: 2_000 } as const;
/** Paths that load balancers poll. */
const PROBES = new Set(["/healthz", "/readyz"]);

export class AnonymousRequests {
  readonly #deps: AnonymousRequestsDeps;
  readonly #budget: AnonymousBudget;

  constructor(deps: AnonymousRequestsDeps) {
    this.#deps = deps;
    this.#budget = deps.budget ?? new AnonymousBudget();
  }

  /** Call it where requests are to wait: hooks registered before also run for refused requests. */
  watch(server: FastifyInstance): void {
    server.decorateRequest("spends", null);
    server.decorateRequest("isMeasured", false);
    server.addHook("onRequest", (request, _reply, next) => {
      if (this.#isDecidedLater(request) || this.#isProbe(request)) next();
      else this.admit(request, next);
    });
  }

  /** Admits a request without a credential. @param next called when the request may proceed, or with "Rate Limit Exceeded" */
  admit(request: FastifyRequest, next: (refusal?: NamedError) => void): void {
    this.#admit(request, PATIENCE.withoutToken, next);
  }

  /** Admits a request whose credential is not cached. @throws "Rate Limit Exceeded" */
  admitNewToken(request: FastifyRequest): Promise<void> {
    if (request.spends !== null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#admit(request, PATIENCE.newToken, (refusal) => (refusal ? reject(refusal) : resolve()));
    });
  }

  /** Ends the accounting, because the credential is valid: the request is not anonymous. */
  forgive(request: FastifyRequest): void {
    request.spends = null;
  }

  /** Runs work for a request and, if that is anonymous, charges its time up to its first wait. Returns the work's result. */
  measure<T>(request: FastifyRequest, work: () => T): T {
    const { processorTime, clock } = this.#deps;
    const { spends } = request;
    if (spends === null || request.isMeasured) return work();
    request.isMeasured = true;
    const from = processorTime();
    try {
      return work();
    } finally {
      request.isMeasured = false;
      this.#budget.spend(spends, processorTime() - from, clock.monotonic());
    }
  }

  #admit(request: FastifyRequest, patienceMs: number, next: (refusal?: NamedError) => void): void {
    const { clock, addresses } = this.#deps;
    const network = networkKey(addresses.of(request.raw));
    const admission = this.#budget.admit(network, patienceMs, clock.monotonic());
    const handle = () => {
      request.spends = network;
      this.measure(request, next);
    };
    switch (admission.kind) {
      case "now":
        handle();
        break;
      case "later":
        clock.timer("anonymous request", admission.waitMs, () => {
          if (!request.raw.destroyed) handle();
        });
        break;
      case "refused":
        next(refusalOf(admission.retryAfter));
        break;
    }
  }

  #isDecidedLater(request: FastifyRequest): boolean {
    return request.routeOptions.config.takesToken === true && request.headers.authorization !== undefined;
  }

  #isProbe(request: FastifyRequest): boolean {
    return PROBES.has(request.routeOptions.url ?? "") && this.#deps.addresses.isOwn(request.raw);
  }
}

function refusalOf(retryAfter: number): NamedError {
  const detail = `The service is too busy for requests without a token. Try again in ${retryAfter} s.`;
  return new NamedError("Rate Limit Exceeded", detail, { retryAfter });
}

/**
 * Limits in ms of processor time: how much of the one thread anonymous requests may take, for one address and for all. Counting
 * requests would not bound it, because one can cost a hundred times as much as another. A request without budget waits a little,
 * so that a page with fifty files is served; it is refused only when the wait would be too long.
 */
interface BudgetRules {
  readonly ofAll: BucketRule;
  readonly ofAddress: BucketRule;
}

/** The decision on a request: handle it now, or in so many ms, or refuse it until so many whole seconds have passed. */
type BudgetAdmission =
  | { readonly kind: "now" }
  | { readonly kind: "later"; readonly waitMs: number }
  | { readonly kind: "refused"; readonly retryAfter: number };

/** A quarter of the thread, and a tenth for one address; a burst delays other requests for at most its own length. */
const BUDGET: BudgetRules = {
  ofAll: { perSecond: 250, burst: 20 },
  ofAddress: { perSecond: 100, burst: 15 },
};

/** Cost of a request outside the measured spans, ms: parsing it, the work between two spans, collecting its garbage. */
export const UNMEASURED_MS = 0.15;

/** Most that one piece of work costs its address, ms: dearer work makes something for the first time, which is cached for all. */
const DEAREST_MS = 25;

/** Key of the bucket that all addresses share. */
const ALL = "";

export class AnonymousBudget {
  readonly #ofAll: TokenBuckets;
  readonly #ofAddress: TokenBuckets;

  constructor({ ofAll, ofAddress }: BudgetRules = BUDGET) {
    this.#ofAll = new TokenBuckets(ofAll);
    this.#ofAddress = new TokenBuckets(ofAddress);
  }

  /**
   * Admits a request, and charges its fixed cost.
   * @param network of its address
   * @param patienceMs the longest acceptable wait
   * @param now monotonic, ms
   */
  admit(network: string, patienceMs: number, now: number): BudgetAdmission {
    const buckets = [this.#ofAll.of(ALL, now), this.#ofAddress.of(network, now)];
    const waitMs = Math.max(...buckets.map((bucket) => bucket.waitFor(UNMEASURED_MS, now)));
    if (waitMs > patienceMs)
      return { kind: "refused", retryAfter: Math.max(1, Math.ceil((waitMs - patienceMs) / 1000)) };
    this.spend(network, UNMEASURED_MS, now);
    return waitMs > 0 ? { kind: "later", waitMs } : { kind: "now" };
  }

  /** Charges processor time of a piece of work, ms. @param now monotonic, ms */
  spend(network: string, ms: number, now: number): void {
    this.#ofAll.of(ALL, now).spend(ms, now);
    this.#ofAddress.of(network, now).spend(Math.min(ms, DEAREST_MS), now);
  }
}
