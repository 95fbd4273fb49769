/** Accounts and hubs as people deal with them: emails, pairings, and erasure. */
import { type Eraser, Erasures, ecosystemEraser, recordsEraser } from "../accounts/index.ts";
import { eraseExports } from "../exports/index.ts";
import { MailQueue, Outbox, transportOf } from "../mail/index.ts";
import { CodeLogIns, PairingCodeLimiter, Pairings } from "../pairing/index.ts";
import type { AccessParts } from "./access-parts.ts";
import type { Core } from "./core.ts";

/** All but the outbox and the limiter must be ended by the caller, while the node's lease stands. */
export interface AccountParts {
  readonly outbox: Outbox;
  readonly mail: MailQueue;
  readonly pairings: Pairings;
  readonly codeLogIns: CodeLogIns;
  readonly codeLimiter: PairingCodeLimiter;
  readonly erasures: Erasures;
}

/** @param serviceUrl the service's address for readers of an email and for hubs */
export function startAccounts(core: Core, access: AccessParts, serviceUrl: () => string): AccountParts {
  const { settings, clock, random, log, store, keyring } = core;
  const { tokens, passwords, logInLimiter, revocations } = access;
  const { rateLimit, pairingsPerMinute, pairingLifeMs: lifeMs, pairingIntervalMs: intervalMs } = settings;
  const outbox = new Outbox({ keyring });
  const transport = transportOf(settings, log);
  const mail = MailQueue.start({ store, clock, random, log, keyring, outbox, transport });
  const pairings = Pairings.start({ store, clock, random, log, tokens, lifeMs, intervalMs, serviceUrl });
  const codeLogIns = CodeLogIns.start({ store, clock, random, log, tokens, lifeMs, intervalMs, serviceUrl });
  const codeLimiter = new PairingCodeLimiter({ store, clock }, rateLimit === "off" ? "off" : pairingsPerMinute);
  const erasers: Eraser[] = [
    (_account, { ecosystems }) => pairings.forget(ecosystems),
    (account) => codeLogIns.forget(account),
    ecosystemEraser(store, revocations),
    (account: string) => mail.forget(account),
    (account: string) => eraseExports(store, account),
    recordsEraser(store),
  ];
  const erasures = Erasures.start({ store, clock, log, tokens, passwords, logInLimiter, erasers });
  return { outbox, mail, pairings, codeLogIns, codeLimiter, erasures };
}
