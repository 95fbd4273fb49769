/** Holds requests without a proven credential to their budget: decides which they are, and measures the processor time that they take. */
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Addresses, networkKey } from "./addresses.ts";
import { AnonymousBudget } from "./anonymous-budget.ts";

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
