/** The requests that wait to be stored, in bounded memory: what one owner asks in a flood takes no room from another's. */

import type { ErrorName } from "@porchlight/shared/kernel";
import { type Caller, reach } from "../../access/index.ts";

/** A request of which an ecosystem or account is told. */
export interface LoggedRequest {
  /** Undefined: the ecosystem's account. */
  readonly accountId: string | undefined;
  readonly ecosystemId: string | undefined;
  readonly tokenId: string;
  /** Wall clock, ms. */
  readonly at: number;
  readonly seen: SeenRequest;
}

/** Requests of one owner between two batches. */
const PER_OWNER = 2_000;
/** Of all. */
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

  /** All that waits, in the order in which it was answered, and how many there was no room for. */
  take(): { readonly requests: LoggedRequest[]; readonly dropped: number } {
    const taken = { requests: this.#waiting, dropped: this.#dropped };
    this.#waiting = [];
    this.#byOwner.clear();
    this.#dropped = 0;
    return taken;
  }
}

/**
 * Whose request is logged and counted; undefined: nobody's. An anonymous request is no owner's to read, and what an open portal
 * reads all day would push everything else out.
 */
export function loggedCaller(seen: SeenRequest): Caller | undefined {
  return isReadOfPortal(seen) && seen.status < 400 ? undefined : seen.caller;
}

/** Whether the request counts as one of the ecosystem's. A page of the portal asks for objects that may not be there (an export, a deleted device). */
export function isCounted(seen: SeenRequest): boolean {
  return !(isReadOfPortal(seen) && seen.status === 404);
}

function isReadOfPortal({ caller, method }: SeenRequest): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && caller?.kind === "account" && caller.isPortal === true;
}

/** Where a request belongs; of an account with several ecosystems it belongs to the account alone. */
export function ecosystemOf(caller: Caller): string | undefined {
  const [only, ...others] = reach(caller);
  return others.length === 0 ? only : undefined;
}

/** A request as it is told to counters, once it has been answered. */
export interface SeenRequest {
  /** What the answer said in `x-request-id`. */
  readonly requestId: string;
  readonly method: string;
  /** Pattern of the route; "" when there is none. */
  readonly route: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Name of the error that it was answered with. */
  readonly problem: ErrorName | undefined;
  /** JSON of the problem document, without secrets. */
  readonly problemBody?: string | undefined;
  /** The command that it made. */
  readonly commandId?: string | undefined;
  /** Undefined without a proven one. */
  readonly caller: Caller | undefined;
  /** Version segment of the path: `v0`; undefined when it had none. */
  readonly pathVersion: string | undefined;
  /** The request's `x-api-version`. */
  readonly headerVersion: string | undefined;
}
