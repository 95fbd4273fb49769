/**
 * The wait before the hub connects again, for every end of a connection or an attempt (T3 and T8). It decides and keeps its own state;
 * `uplink.ts` waits, and never gives up.
 */
import { Backoff, type BackoffPolicy, type Random } from "@porchlight/shared/kernel";
import type { CloseReason } from "@porchlight/shared/tunnel";
import type { Ending } from "./ending.ts";

export interface ReconnectPolicy {
  readonly backoff: BackoffPolicy;
  /** First and longest wait of a hub that another instance has superseded, ms (60 s, 15 min). */
  readonly supersededFirstMs: number;
  readonly supersededCapMs: number;
  /** Wait of a hub whose token or key is rejected, ms (5 min). */
  readonly rejectedMs: number;
}

/** The reason of a wait: `retry` is the usual case, the others need a person. */
export type WaitReason = "retry" | "superseded" | "rejected";

export interface Wait {
  readonly reason: WaitReason;
  readonly ms: number;
}

/** Maximum random wait of an immediate reconnect, ms: it spreads hubs that are sent away together. */
const AT_ONCE_MS = 100;
/**
 * Maximum consecutive reconnects without backoff, until a connection was stable: as many as a rolling restart can cause; a cloud that
 * sends a hub away more often is broken.
 */
const MOST_EARLY = 20;
/** Longest wait that the cloud can request, ms: a wrong answer must not keep a home offline for days. */
const LONGEST_ASKED_MS = 15 * 60_000;

/** Reasons that need a person: another token, another binding, an update. */
const NEEDS_A_PERSON: ReadonlySet<CloseReason | "lost"> = new Set([
  "wrong_key",
  "wrong_edge",
  "token_revoked",
  "version_unsupported",
]);
/** Those of them that a new pairing does not fix. */
const NEEDS_AN_UPDATE: ReadonlySet<CloseReason | "lost"> = new Set(["version_unsupported"]);
const DISPLACED: ReadonlySet<CloseReason | "lost"> = new Set(["superseded", "duplicate"]);

/** Whether the cloud rejects the hub's token, key or edgeId: another token or a new pairing would help. */
export function isRejection(ending: Ending): boolean {
  if (ending.kind === "refused") return ending.status === 401 || ending.status === 403;
  return ending.kind === "closed" && NEEDS_A_PERSON.has(ending.reason) && !NEEDS_AN_UPDATE.has(ending.reason);
}

export class Reconnect {
  readonly #policy: ReconnectPolicy;
  readonly #random: Random;
  readonly #backoff: Backoff;
  #superseded = 0;
  #early = 0;

  constructor(policy: ReconnectPolicy, random: Random) {
    this.#policy = policy;
    this.#random = random;
    this.#backoff = new Backoff(policy.backoff, random);
  }

  /** The wait after an attempt with that ending. */
  next(ending: Ending): Wait {
    switch (ending.kind) {
      case "refused":
        return this.#afterRefusal(ending);
      case "unreachable":
        return { reason: "retry", ms: this.#backoff.next(0) };
      case "renewed":
        return { reason: "retry", ms: this.#backoff.next(0) };
      case "closed":
        return this.#afterClose(ending);
    }
  }

  #afterRefusal({ status, retryAfterMs }: Extract<Ending, { kind: "refused" }>): Wait {
    const askedMs = asked(retryAfterMs);
    if (status === 401 || status === 403) return { reason: "rejected", ms: Math.max(this.#policy.rejectedMs, askedMs) };
    // Another node behind the same address takes the hub: reconnect at once, without a step of the backoff.
    if (status === 503 && retryAfterMs === 0 && this.#mayBeEarly()) return this.#atOnce();
    return { reason: "retry", ms: this.#backoff.next(0, askedMs) };
  }

  #afterClose({ reason, lastedMs, awayMs }: Extract<Ending, { kind: "closed" }>): Wait {
    // Two instances that take turns each live as long as the other waits: only a longer life ends the doubling.
    if (lastedMs > this.#policy.supersededCapMs) this.#superseded = 0;
    if (DISPLACED.has(reason)) {
      const ms = Math.min(
        this.#policy.supersededCapMs,
        this.#policy.supersededFirstMs * 2 ** Math.min(this.#superseded, 30),
      );
      this.#superseded += 1;
      // The cloud may know better how long the other instance stays.
      return { reason: "superseded", ms: Math.max(ms, asked(awayMs)) };
    }
    if (NEEDS_A_PERSON.has(reason)) return { reason: "rejected", ms: this.#policy.rejectedMs };
    if (lastedMs >= this.#policy.backoff.stableMs) this.#early = 0;
    const isSent = awayMs !== undefined || reason === "restart";
    if (!isSent || !this.#mayBeEarly()) return { reason: "retry", ms: this.#backoff.next(lastedMs) };
    this.#backoff.reset();
    // The nodes' goaways are spread over time already.
    return awayMs === undefined ? { reason: "retry", ms: this.#backoff.next(lastedMs) } : this.#atOnce();
  }

  #mayBeEarly(): boolean {
    this.#early += 1;
    return this.#early <= MOST_EARLY;
  }

  #atOnce(): Wait {
    return { reason: "retry", ms: this.#random.fraction() * AT_ONCE_MS };
  }
}

/** The requested wait within its limit, ms. */
function asked(ms: number | undefined): number {
  return Math.min(ms ?? 0, LONGEST_ASKED_MS);
}
