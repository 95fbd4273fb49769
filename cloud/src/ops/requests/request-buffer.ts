/** The requests that wait to be stored, in bounded memory: what one owner asks in a flood takes no room from another's. */
import { type Caller, reach } from "../../access/index.ts";
import type { SeenRequest } from "./seen-request.ts";

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
