/** The requests that wait to be stored, in bounded memory: a flood of one owner's requests takes no room from another's. */

import type { ErrorName } from "@porchlight/shared/kernel";
import { type Caller, reach } from "../../access/index.ts";

/** A request that is reported to an ecosystem or account. */
export interface LoggedRequest {
  /** Undefined: the ecosystem's account. */
  readonly accountId: string | undefined;
  readonly ecosystemId: string | undefined;
  readonly tokenId: string;
  /** Wall clock, ms. */
  readonly at: number;
  readonly seen: SeenRequest;
}

/** Maximum requests of one owner between two batches. */
const PER_OWNER = 2_000;
/** Maximum requests of all owners. */
const CAPACITY = 20_000;

export class RequestBuffer {
  #waiting: LoggedRequest[] = [];
  readonly #byOwner = new Map<string, number>();
  #dropped = 0;

  add(caller: Caller, seen: SeenRequest, at: number): void {
    const ecosystemId = ecosystemOf(caller);
    const accountId = caller.kind === "account" ? caller.accountId : undefined;
    const owner = ecosystemId ?? accountId ?? "";
    const held = this.#byOwner.get(owner) ?? 0;
    if (held >= PER_OWNER || this.#waiting.length >= CAPACITY) {
      this.#dropped += 1;
      return;
    }
    this.#byOwner.set(owner, held + 1);
    this.#waiting.push({ accountId, ecosystemId, tokenId: caller.tokenId, at, seen });
  }

  /** Returns all waiting requests in the order of their answers, and the number of dropped ones. */
  take(): { readonly requests: LoggedRequest[]; readonly dropped: number } {
    const taken = { requests: this.#waiting, dropped: this.#dropped };
    this.#waiting = [];
    this.#byOwner.clear();
    this.#dropped = 0;
    return taken;
  }
}

/**
 * The caller whose request is logged and counted; undefined for none. An anonymous request belongs to no owner, and the
 * polling of an open portal would displace everything else.
 */
export function loggedCaller(seen: SeenRequest): Caller | undefined {
  return isReadOfPortal(seen) && seen.status < 400 ? undefined : seen.caller;
}

/** Whether the request counts for the ecosystem. The portal's pages read objects that may not exist (an export, a deleted device). */
export function isCounted(seen: SeenRequest): boolean {
  return !(isReadOfPortal(seen) && seen.status === 404);
}

function isReadOfPortal({ caller, method }: SeenRequest): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && caller?.kind === "account" && caller.isPortal === true;
}

/** The ecosystem of a request; a request of an account with several ecosystems belongs to the account alone. */
export function ecosystemOf(caller: Caller): string | undefined {
  const [only, ...others] = reach(caller);
  return others.length === 0 ? only : undefined;
}

/** An answered request, as counters get it. */
export interface SeenRequest {
  /** The `x-request-id` of the answer. */
  readonly requestId: string;
  readonly method: string;
  /** Pattern of the route; "" without one. */
  readonly route: string;
  /** Without the query, which may contain secrets. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Name of the error in the answer. */
  readonly problem: ErrorName | undefined;
  /** JSON of the problem document, without secrets. */
  readonly problemBody?: string | undefined;
  /** The command that it created. */
  readonly commandId?: string | undefined;
  /** Undefined for an unauthenticated request. */
  readonly caller: Caller | undefined;
  /** Version segment of the path: `v0`; undefined when it had none. */
  readonly pathVersion: string | undefined;
  /** The request's `x-api-version`. */
  readonly headerVersion: string | undefined;
}
