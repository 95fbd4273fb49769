/** Who may do what: references, credentials, tokens, quotas and passwords. */
import type { Scope } from "@porchlight/shared/kernel";
import {
  AccessEntries,
  Authenticator,
  Quotas,
  References,
  Revocations,
  SessionTokens,
  Tokens,
} from "../access/index.ts";
import { argon2Hasher, LogInLimiter, type PasswordHasher, Passwords } from "../accounts/index.ts";
import { quotaLimits } from "../config/index.ts";
import { storeRevocation } from "../nodes/index.ts";
import type { Core } from "./core.ts";

export interface AccessParts {
  readonly revocations: Revocations;
  readonly references: References;
  readonly authenticator: Authenticator;
  readonly tokens: Tokens;
  readonly sessionTokens: SessionTokens;
  readonly quotas: Quotas;
  readonly entries: AccessEntries;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
}

export async function startAccess(core: Core, hasher: PasswordHasher | undefined, scope: Scope): Promise<AccessParts> {
  const { settings, clock, random, ids, store, keyring, nodes } = core;
  const { rateLimit, logInsPerMinute } = settings;
  const revocations = new Revocations(nodes && { store: storeRevocation, invalidations: nodes.invalidations });
  const quotas = new Quotas(quotaLimits(settings));
  return {
    revocations,
    references: new References(store, nodes),
    authenticator: scope.use(Authenticator.start({ store, clock, revocations })),
    tokens: new Tokens({ store, clock, random, ids, keyring, revocations }),
    sessionTokens: new SessionTokens({ clock, random }),
    quotas,
    entries: new AccessEntries({ quotas, clock, ids, revocations }),
    passwords: await Passwords.start(hasher ?? argon2Hasher),
    logInLimiter: new LogInLimiter({ store, clock }, rateLimit === "off" ? "off" : logInsPerMinute),
  };
}
