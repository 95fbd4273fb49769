/** Rate limits (A1.7): the list of limits, and the headers that report them. */
import { BoundedMap, type BucketRule, type Clock, NamedError, TokenBucket } from "../kernel/index.ts";

/** One kind of limit. The operator's `setting` is a rate `per` this number of seconds; `burst` times the rate may arrive at once. */
interface LimitKind {
  readonly setting: string;
  readonly per: 1 | 60;
  readonly burst: number;
  /** Name of the counted things, for the caller. */
  readonly counted: string;
}

/** The limits of a caller, and how they are counted. Their names appear in `RateLimit-Policy`. */
const LIMITS = {
  default: { setting: "rateLimit", per: 1, burst: 2, counted: "requests with this token" },
  owner: {
    setting: "ownerRateLimit",
    per: 1,
    burst: 2,
    counted: "requests with the tokens of this account and its ecosystems",
  },
  credential: {
    setting: "badCredentialsPerSecond",
    per: 1,
    burst: 1,
    counted: "requests without a valid credential from this address",
  },
  "log-in": { setting: "logInsPerMinute", per: 60, burst: 1, counted: "log-ins from this address" },
  "sign-up": { setting: "signUpsPerMinute", per: 60, burst: 1, counted: "sign-ups from this address" },
  pairing: { setting: "pairingsPerMinute", per: 60, burst: 1, counted: "pairings that begin at this address" },
  "password-reset": {
    setting: "passwordResetsPerMinute",
    per: 60,
    burst: 1,
    counted: "password resets from this address",
  },
} as const satisfies Readonly<Record<string, LimitKind>>;

export type LimitName = keyof typeof LIMITS;
/** Limits by address, for routes without a credential that are expensive or invite guessing. */
export type AddressLimit = Exclude<LimitName, "default" | "owner" | "credential">;
/** Limits that an operator can set; `off` disables a limit, and `rateLimit: "off"` disables all. */
export type LimitSettings = Readonly<Record<(typeof LIMITS)[LimitName]["setting"], number | "off">>;

// The cast is safe: the record has only its own keys.
const KINDS = Object.entries(LIMITS) as (readonly [LimitName, (typeof LIMITS)[LimitName]])[];

/** All limits off: a service that needs a few sets only those. */
export const NO_LIMITS = Object.fromEntries(KINDS.map(([, { setting }]) => [setting, "off"])) as LimitSettings;

/** Receives the headers of the answer. */
export interface CountedReply {
  header(name: string, value: string): unknown;
}

interface Limit {
  readonly buckets: TokenBuckets;
  /** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): quota `q` in a window of `w` seconds. */
  readonly policy: string;
}

export class RateLimits {
  readonly #clock: Clock;
  readonly #limits: ReadonlyMap<LimitName, Limit>;

  constructor(clock: Clock, settings: LimitSettings) {
    this.#clock = clock;
    this.#limits = new Map(
      KINDS.flatMap(([name, kind]) => {
        const rule = ruleOf(kind, settings);
        if (!rule) return [];
        const policy = `"${name}";q=${rule.burst};w=${Math.ceil(rule.burst / rule.perSecond)}`;
        return [[name, { buckets: new TokenBuckets(rule), policy }]];
      }),
    );
  }

  /**
   * Counts a request and reports the remaining quota in its answer.
   * @param key owner of the quota: a token's ID, or the network of an address
   * @throws "Rate Limit Exceeded"
   */
  count(name: LimitName, key: string, reply: CountedReply): void {
    const limit = this.#limits.get(name);
    if (!limit) return;
    const taken = limit.buckets.take(key, this.#clock.monotonic());
    tell(reply, name, limit, taken);
    if (!taken.admitted) throw refusal(name, taken);
  }

  /**
   * Counts a request with a token: for the token and for its owner, so that more tokens do not raise the limit. The answer reports the
   * remainder of the token's limit, or of the owner's when that limit rejected the request.
   * @throws "Rate Limit Exceeded"
   */
  countToken(tokenId: string, ownerId: string, reply: CountedReply): void {
    this.count("default", tokenId, reply);
    const limit = this.#limits.get("owner");
    if (!limit) return;
    const taken = limit.buckets.take(ownerId, this.#clock.monotonic());
    if (taken.admitted) return;
    tell(reply, "owner", limit, taken);
    throw refusal("owner", taken);
  }
}

function tell(reply: CountedReply, name: LimitName, { policy }: Limit, taken: Taken): void {
  reply.header("ratelimit-policy", policy);
  reply.header("ratelimit", standing(name, taken));
}

function refusal(name: LimitName, { retryAfter }: Taken): NamedError {
  return new NamedError("Rate Limit Exceeded", `Too many ${LIMITS[name].counted}. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}

function ruleOf({ setting, per, burst }: (typeof LIMITS)[LimitName], settings: LimitSettings): BucketRule | undefined {
  const rate = settings[setting];
  if (rate === "off" || settings.rateLimit === "off") return undefined;
  return { perSecond: rate / per, burst: rate * burst };
}

/** `RateLimit`: the remaining quota, and the seconds until it is full. */
function standing(name: LimitName, { remaining, fullIn }: Taken): string {
  return `"${name}";r=${remaining};t=${Math.ceil(fullIn)}`;
}

/** The result of taking a token. The buckets take the time as a parameter, so that a table can test them. */
export interface Taken {
  readonly admitted: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly fullIn: number;
  /** Whole seconds until one token is available, at least 1. */
  readonly retryAfter: number;
}

/** Keys kept, about 200 bytes each. */
const CAPACITY = 100_000;

export class TokenBuckets {
  readonly #rule: BucketRule;
  /** Evicts the least recently used key, which then starts again with a full bucket. */
  readonly #buckets: BoundedMap<string, TokenBucket>;

  constructor(rule: BucketRule, capacity = CAPACITY) {
    this.#rule = rule;
    this.#buckets = new BoundedMap(capacity);
  }

  /** Number of remembered keys. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one token, if available. @param now monotonic, ms */
  take(key: string, now: number): Taken {
    const { perSecond, burst } = this.#rule;
    const bucket = this.of(key, now);
    const admitted = bucket.take(now);
    const left = bucket.level(now);
    return {
      admitted,
      remaining: Math.floor(left),
      fullIn: (burst - left) / perSecond,
      retryAfter: Math.max(1, Math.ceil((1 - left) / perSecond)),
    };
  }

  /** The bucket of a key. @param now monotonic, ms */
  of(key: string, now: number): TokenBucket {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#rule, now);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** Deletes a full bucket, because it equals a new one. @param now monotonic, ms */
  forgetFull(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key);
  }
}
