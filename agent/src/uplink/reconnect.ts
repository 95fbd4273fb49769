/**
 * How long the hub waits before it connects again, for every way in which it was not or is no longer connected
 * (tunnel.md 3 and 8). It decides and keeps its own memory; the waiting is done by `uplink.ts`, for ever.
 */
import { Backoff, type BackoffPolicy, type Random } from "@porchlight/shared/kernel";
import type { CloseReason } from "@porchlight/shared/tunnel";
import type { Ending } from "./ending.ts";

export interface ReconnectPolicy {
  readonly backoff: BackoffPolicy;
  /** First and longest wait of a hub that another instance has superseded, ms (60 s, 15 min). */
  readonly supersededFirstMs: number;
  readonly supersededCapMs: number;
  /** Wait of a hub whose token or key is not accepted, ms (5 min). */
  readonly rejectedMs: number;
}

/** Why the hub waits: `retry` is the everyday case, the others are told to a person. */
export type WaitReason = "retry" | "superseded" | "rejected";

export interface Wait {
  readonly reason: WaitReason;
  readonly ms: number;
}

/** Longest wait of a hub that is to come back at once, ms: hubs that are sent on together do not come in step. */
const AT_ONCE_MS = 100;
/** So often in a row a hub does as "at once" says: whoever goes on saying it is broken. */
const MOST_AT_ONCE = 200;

/** A person has to do something: another token, another binding, an update. */
const NEEDS_A_PERSON: ReadonlySet<CloseReason | "lost"> = new Set([
  "wrong_key",
  "wrong_edge",
  "token_revoked",
  "version_unsupported",
]);
/** Of them, what a new pairing does not mend. */
const NEEDS_AN_UPDATE: ReadonlySet<CloseReason | "lost"> = new Set(["version_unsupported"]);
const DISPLACED: ReadonlySet<CloseReason | "lost"> = new Set(["superseded", "duplicate"]);

/** Whether the cloud does not accept the hub's token, key or edgeId: another token or a new pairing would help. */
export function isRejection(ending: Ending): boolean {
  if (ending.kind === "refused") return ending.status === 401 || ending.status === 403;
  return ending.kind === "closed" && NEEDS_A_PERSON.has(ending.reason) && !NEEDS_AN_UPDATE.has(ending.reason);
}

export class Reconnect {
  readonly #policy: ReconnectPolicy;
  readonly #random: Random;
  readonly #backoff: Backoff;
  #superseded = 0;
  #atOnce = 0;

  constructor(policy: ReconnectPolicy, random: Random) {
    this.#policy = policy;
    this.#random = random;
    this.#backoff = new Backoff(policy.backoff, random);
  }

  /** The wait after an attempt that ended so. */
  next(ending: Ending): Wait {
    switch (ending.kind) {
      case "refused":
        if (ending.status === 401 || ending.status === 403) {
          return { reason: "rejected", ms: Math.max(this.#policy.rejectedMs, ending.retryAfterMs ?? 0) };
        }
        // Another node behind the same address is to take the hub.
        if (ending.status === 503 && ending.retryAfterMs === 0) return this.#again();
        return { reason: "retry", ms: this.#backoff.next(0, ending.retryAfterMs) };
      case "unreachable":
        return { reason: "retry", ms: this.#backoff.next(0) };
      case "renewed":
        return { reason: "retry", ms: this.#backoff.next(0) };
      case "closed":
        return this.#afterClose(ending);
    }
  }

  #afterClose({ reason, lastedMs, awayMs }: Extract<Ending, { kind: "closed" }>): Wait {
    // Two instances that take turns each live for as long as the other waits: only a longer life ends the doubling.
    if (lastedMs > this.#policy.supersededCapMs) this.#superseded = 0;
    if (DISPLACED.has(reason)) {
      const ms = Math.min(
        this.#policy.supersededCapMs,
        this.#policy.supersededFirstMs * 2 ** Math.min(this.#superseded, 30),
      );
      this.#superseded += 1;
      // The cloud may know better how long the other one will be there.
      return { reason: "superseded", ms: Math.max(ms, awayMs ?? 0) };
    }
    if (NEEDS_A_PERSON.has(reason)) return { reason: "rejected", ms: this.#policy.rejectedMs };
    if (lastedMs >= this.#policy.backoff.stableMs) this.#atOnce = 0;
    if (awayMs !== undefined || reason === "restart") this.#backoff.reset();
    // Its own moment has spread it already.
    if (awayMs !== undefined) return this.#again();
    return { reason: "retry", ms: this.#backoff.next(lastedMs) };
  }

  /** At once, without a step up the backoff: what fails after it starts from where the backoff stood. */
  #again(): Wait {
    this.#atOnce += 1;
    if (this.#atOnce > MOST_AT_ONCE) return { reason: "retry", ms: this.#backoff.next(0) };
    return { reason: "retry", ms: this.#random.fraction() * AT_ONCE_MS };
  }
}
