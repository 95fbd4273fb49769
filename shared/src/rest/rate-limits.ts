/** Rate limits (A1.7): which there are, and what an answer says of the one that it was counted by. */
import { type BucketRule, type Clock, NamedError } from "../kernel/index.ts";
import { type Taken, TokenBuckets } from "./token-buckets.ts";

/** Limits of an address, for routes that take no credential: what is dear or can be guessed at. */
export type AddressLimit = "log-in" | "sign-up" | "pairing" | "password-reset";
/** `default`: of a token; `owner`: of all tokens of one account and of its ecosystems; `credential`: of an address whose credential is missing or bad. */
export type LimitName = "default" | "owner" | "credential" | AddressLimit;

/** What an operator can set; `off` is no limit. */
export interface LimitSettings {
  /** Requests a second of one token; `off` is no limit of any kind. */
  readonly rateLimit: number | "off";
  /** Requests a second of all tokens of one account and its ecosystems. */
  readonly ownerRateLimit: number | "off";
  readonly badCredentialsPerSecond: number | "off";
  readonly logInsPerMinute: number | "off";
  readonly signUpsPerMinute: number | "off";
  readonly pairingsPerMinute: number | "off";
  readonly passwordResetsPerMinute: number | "off";
}

/** Where the answer's headers are written. */
export interface CountedReply {
  header(name: string, value: string): unknown;
}

/** Seconds for which the bucket of a token, or of an owner, holds requests at its full rate. */
const TOKEN_BURST_SECONDS = 2;

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
      Object.entries(rulesOf(settings)).map(([name, rule]) => {
        const policy = `"${name}";q=${rule.burst};w=${Math.ceil(rule.burst / rule.perSecond)}`;
        // The keys of a record typed by LimitName.
        return [name as LimitName, { buckets: new TokenBuckets(rule), policy }];
      }),
    );
  }

  /**
   * Counts a request, and says in its answer what is left.
   * @param key whose limit: a token's ID, or the network of an address
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
   * Counts a request with a token: for the token, and for whom it belongs to, so that nobody gains by many tokens. The answer says what
   * is left of the token's limit, or of the owner's when that has refused.
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
  return new NamedError("Rate Limit Exceeded", `${WHOSE[name]}: come back in ${retryAfter} s.`, { retryAfter });
}

const WHOSE: Readonly<Record<LimitName, string>> = {
  default: "Too many requests with this token",
  owner: "Too many requests with the tokens of this account and its ecosystems",
  credential: "Too many requests without a good credential from this address",
  "log-in": "Too many log-ins from this address",
  "sign-up": "Too many sign-ups from this address",
  pairing: "Too many pairings begin at this address",
  "password-reset": "Too many password resets from this address",
};

function rulesOf(settings: LimitSettings): Partial<Record<LimitName, BucketRule>> {
  if (settings.rateLimit === "off") return {};
  const perSecond = (rate: number | "off", burst = 1) =>
    rate === "off" ? undefined : { perSecond: rate, burst: rate * burst };
  const perMinute = (rate: number | "off") => (rate === "off" ? undefined : { perSecond: rate / 60, burst: rate });
  const rules: Record<LimitName, BucketRule | undefined> = {
    default: perSecond(settings.rateLimit, TOKEN_BURST_SECONDS),
    owner: perSecond(settings.ownerRateLimit, TOKEN_BURST_SECONDS),
    credential: perSecond(settings.badCredentialsPerSecond),
    "log-in": perMinute(settings.logInsPerMinute),
    "sign-up": perMinute(settings.signUpsPerMinute),
    pairing: perMinute(settings.pairingsPerMinute),
    "password-reset": perMinute(settings.passwordResetsPerMinute),
  };
  return Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined));
}

/** `RateLimit`: what remains, and in how many seconds it is as much as it can be. */
function standing(name: LimitName, { remaining, fullIn }: Taken): string {
  return `"${name}";r=${remaining};t=${Math.ceil(fullIn)}`;
}
