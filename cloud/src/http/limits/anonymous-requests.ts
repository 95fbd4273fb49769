/** Holds requests without a proven credential to their budget: decides which they are, and measures the processor time that they take. */
import { type BucketRule, type Clock, NamedError } from "@porchlight/shared/kernel";
import { TokenBuckets } from "@porchlight/shared/rest";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Addresses, networkKey } from "./addresses.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether a credential is asked for: then whose it is decides whether the request is anonymous. */
    takesToken?: boolean;
  }
  interface FastifyRequest {
    /** Network of the address whose budget the request spends; null while it is not anonymous. */
    spends: string | null;
    /** Whether a span of it is being measured. */
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
 * The longest that a request waits for its budget, ms: a page whose many files are all made for the first time must be served, if slowly.
 * A token that has not been seen yet is mostly a good one.
 */
const PATIENCE = { withoutToken: 1_000, newToken: 2_000 } as const;
/** What balancers ask on their own account, again and again. */
const PROBES = new Set(["/healthz", "/readyz"]);

export class AnonymousRequests {
  readonly #deps: AnonymousRequestsDeps;
  readonly #budget: AnonymousBudget;

  constructor(deps: AnonymousRequestsDeps) {
    this.#deps = deps;
    this.#budget = deps.budget ?? new AnonymousBudget();
  }

  /** To be called where requests are to wait: what has been registered before happens to refused ones too. */
  watch(server: FastifyInstance): void {
    server.decorateRequest("spends", null);
    server.decorateRequest("isMeasured", false);
    server.addHook("onRequest", (request, _reply, next) => {
      if (this.#isDecidedLater(request) || this.#isProbe(request)) next();
      else this.admit(request, next);
    });
  }

  /** Admits a request that brings no credential. @param next called when it must be handled, or with "Rate Limit Exceeded" */
  admit(request: FastifyRequest, next: (refusal?: NamedError) => void): void {
    this.#admit(request, PATIENCE.withoutToken, next);
  }

  /** Admits a request whose credential is not known yet. @throws "Rate Limit Exceeded" */
  admitNewToken(request: FastifyRequest): Promise<void> {
    if (request.spends !== null) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#admit(request, PATIENCE.newToken, (refusal) => (refusal ? reject(refusal) : resolve()));
    });
  }

  /** The credential was good: nothing of the request is anonymous. */
  forgive(request: FastifyRequest): void {
    request.spends = null;
  }

  /** Does work for a request, and books what it takes, up to its first wait, when that is anonymous. Gives what the work gives. */
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

// How much of the processor may go to anonymous requests: of one address, and of all together. Pure in time.
//
// One thread answers everybody, so what anonymous requests take of it others wait for. Counting requests does not bound that, for one
// may cost a hundred times as much as another: processor time is counted. What does not fit just now waits a little, so that a page
// with its fifty files is served, and many at once come one after the other; only past that wait is it refused.

/** In ms of processor time. */
interface BudgetRules {
  readonly ofAll: BucketRule;
  readonly ofAddress: BucketRule;
}

/** What becomes of a request: it is handled now, or in so many ms, or is refused and may come again after so many whole seconds. */
type BudgetAdmission =
  | { readonly kind: "now" }
  | { readonly kind: "later"; readonly waitMs: number }
  | { readonly kind: "refused"; readonly retryAfter: number };

/** A quarter of the thread, and a tenth for one address; what may come at once holds others up for so long. */
const BUDGET: BudgetRules = {
  ofAll: { perSecond: 250, burst: 20 },
  ofAddress: { perSecond: 100, burst: 15 },
};

/** What a request costs beside the spans that are measured, ms: reading it, the work between two spans, collecting its garbage. */
export const UNMEASURED_MS = 0.15;

/** The most that one piece of work costs its address, ms: what is dearer is made for the first time, and kept for everybody after. */
const DEAREST_MS = 25;

/** Key of the one bucket that all share. */
const ALL = "";

export class AnonymousBudget {
  readonly #ofAll: TokenBuckets;
  readonly #ofAddress: TokenBuckets;

  constructor({ ofAll, ofAddress }: BudgetRules = BUDGET) {
    this.#ofAll = new TokenBuckets(ofAll);
    this.#ofAddress = new TokenBuckets(ofAddress);
  }

  /**
   * Admits a request, and books what it costs in any case.
   * @param network of its address
   * @param patienceMs the longest that it may have to wait
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

  /** Books processor time that a piece of work took, ms. @param now monotonic, ms */
  spend(network: string, ms: number, now: number): void {
    this.#ofAll.of(ALL, now).spend(ms, now);
    this.#ofAddress.of(network, now).spend(Math.min(ms, DEAREST_MS), now);
  }
}
