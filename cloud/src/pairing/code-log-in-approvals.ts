/** The user's side of a log-in by code: shows the program and the address it comes from, and approves or denies it, once. */
import { type CodeLogIn, formatTime } from "@porchlight/shared/api";
import { BoundedMap, type Clock, NamedError } from "@porchlight/shared/kernel";
import { type AccountCaller, audit, SharedLimit, type SharedLimitDeps } from "../access/index.ts";
import { type CodeLogInRow, one, type Store, statement, type Transaction } from "../store/index.ts";
import { logInState } from "./code-log-ins.ts";
import { pairingCodeHash, readUserCode } from "./code-rows.ts";
import { decideAnswer } from "./pairings.ts";
import { findLogInByUserCode, logInByDevice } from "./service-queries.ts";

/** Minimum time for an approved program to poll, ms. */
const GRACE = 60_000;

type Approved = { hash: string; account: string; by: string; now: number; grace: number };
/** Of two concurrent answers, on any nodes, only one finds the log-in open. The next poll may come at once. */
const approveLogIn = statement<Approved>("approve_code_log_in")((db, p) =>
  db
    .updateTable("code_log_ins")
    .set((of) => ({
      state: "approved",
      account_id: p.account,
      approved_by: p.by,
      polled_at: null,
      expires_at: of.case().when("expires_at", "<", p.grace).then(of.val(p.grace)).else(of.ref("expires_at")).end(),
    }))
    .where("device_hash", "=", p.hash)
    .where("state", "=", "pending")
    .where("expires_at", ">", p.now),
);
const denyLogIn = statement<{ hash: string; now: number }>("deny_code_log_in")((db, p) =>
  db
    .updateTable("code_log_ins")
    .set({ state: "denied" })
    .where("device_hash", "=", p.hash)
    .where("state", "=", "pending")
    .where("expires_at", ">", p.now),
);

export interface CodeLogInApprovalsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly codeLimiter: PairingCodeLimiter;
  /** Sends an email to an account's own address, if that is verified. @throws "Service Unavailable" */
  readonly outbox: { notify(tx: Transaction, accountId: string, letter: EmailText): Promise<boolean> };
  readonly serviceUrl: () => string;
}

export class CodeLogInApprovals {
  readonly #deps: CodeLogInApprovalsDeps;

  constructor(deps: CodeLogInApprovalsDeps) {
    this.#deps = deps;
  }

  /** The program behind a code. @throws "Login Code Invalid", "Login Expired", "Rate Limit Exceeded" */
  async get(caller: AccountCaller, userCode: string): Promise<CodeLogIn> {
    const row = await this.#open(caller, userCode);
    return {
      userCode: readUserCode(userCode),
      address: row.address,
      ...(row.user_agent !== null && { userAgent: row.user_agent }),
      createdAt: formatTime(row.created_at),
      expiresAt: formatTime(row.expires_at),
    };
  }

  /** Lets the program log in to the caller's account at its next poll. @throws those of {@link get} */
  async approve(caller: AccountCaller, userCode: string): Promise<void> {
    const { outbox, serviceUrl } = this.#deps;
    const { accountId: account, tokenId: by } = caller;
    await this.#answer(caller, userCode, async (tx, row, now) => {
      const changed = await tx.run(approveLogIn, { hash: row.device_hash, account, by, now, grace: now + GRACE });
      if (changed > 0) {
        await audit(tx, caller, "login.approved", account, askedBy(row));
        await outbox.notify(tx, account, codeLogInEmail(serviceUrl(), row.address));
      }
      return changed;
    });
  }

  /** @throws those of {@link get} */
  async deny(caller: AccountCaller, userCode: string): Promise<void> {
    await this.#answer(caller, userCode, async (tx, row, now) => {
      const changed = await tx.run(denyLogIn, { hash: row.device_hash, now });
      if (changed > 0) await audit(tx, caller, "login.denied", caller.accountId, askedBy(row));
      return changed;
    });
  }

  /** @param change returns the number of changed rows: 0 when another answer was quicker, or the code has expired meanwhile */
  async #answer(
    caller: AccountCaller,
    userCode: string,
    change: (tx: Transaction, row: CodeLogInRow, now: number) => Promise<number>,
  ): Promise<void> {
    const row = await this.#open(caller, userCode);
    await this.#deps.store.writeService(async (tx) => {
      if ((await change(tx, row, tx.now())) > 0) return;
      const now = await one(tx.all(logInByDevice, { hash: row.device_hash }));
      throw (now && refusal(now, tx.now())) ?? new NamedError("Login Code Invalid");
    });
  }

  async #open(caller: AccountCaller, userCode: string): Promise<CodeLogInRow> {
    const { store, clock, codeLimiter } = this.#deps;
    const right = await codeLimiter.begin(caller.accountId);
    const row = await findLogInByUserCode(store, pairingCodeHash(readUserCode(userCode, "Login Code Invalid")));
    if (!row) throw new NamedError("Login Code Invalid");
    await right();
    const problem = refusal(row, clock.now());
    if (problem) throw problem;
    return row;
  }
}

function askedBy({ address, user_agent }: CodeLogInRow) {
  return { programAddress: address, userAgent: user_agent ?? undefined };
}

/** Why the log-in takes no answer; undefined while it does. An answered code has the same error as an unknown one. */
function refusal(row: CodeLogInRow, now: number): NamedError | undefined {
  switch (decideAnswer(logInState(row), now)) {
    case "open":
      return undefined;
    case "spent":
      return new NamedError("Login Code Invalid");
    case "expired":
      return new NamedError("Login Expired");
  }
}

/** Period over which wrong codes are counted, ms. */
const WINDOW = 60_000;
/** Maximum remembered accounts; beyond it the oldest is dropped. */
const CAPACITY = 10_000;

/** Limits wrong codes for each account, over all its tokens: a correct guess would give access to another owner's home. */
export class PairingCodeLimiter {
  readonly #clock: SharedLimitDeps["clock"];
  readonly #perMinute: number | "off";
  readonly #everywhere: SharedLimit | undefined;
  readonly #counts = new BoundedMap<string, { wrong: number; readonly until: number }>(CAPACITY);

  constructor(deps: SharedLimitDeps, perMinute: number | "off") {
    this.#clock = deps.clock;
    this.#perMinute = perMinute;
    if (perMinute === "off") return;
    this.#everywhere = new SharedLimit(deps, "pairing", { perSecond: perMinute / 60, burst: perMinute });
  }

  /**
   * Must be called before a code is looked up: the attempt counts as wrong until the returned function reports that it
   * was right, so that concurrent attempts are limited like consecutive ones.
   * @throws "Rate Limit Exceeded", "Service Unavailable"
   */
  async begin(account: string): Promise<() => Promise<void>> {
    if (this.#perMinute === "off") return async () => undefined;
    const now = this.#clock.monotonic();
    const count = this.#countOf(account, now);
    if (count.wrong >= this.#perMinute) throw tooMany(Math.max(1, Math.ceil((count.until - now) / 1000)));
    count.wrong += 1;
    await this.#everywhere?.take(account, tooMany);
    return async () => {
      count.wrong -= 1;
      await this.#everywhere?.giveBack(account);
    };
  }

  #countOf(account: string, now: number): { wrong: number; readonly until: number } {
    const known = this.#counts.get(account);
    if (known && now < known.until) return known;
    const fresh = { wrong: 0, until: now + WINDOW };
    this.#counts.set(account, fresh);
    return fresh;
  }
}

function tooMany(retryAfter: number): NamedError {
  return new NamedError("Rate Limit Exceeded", `Too many wrong codes. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}

/**
 * An email about a paired hub or a log-in by code, because the owner must soon learn of one that is not theirs. Plain
 * text under a subject line.
 */
export interface EmailText {
  readonly subject: string;
  readonly text: string;
}

interface PairedHubFacts {
  readonly edgeId: string;
  /** The IP address that it polled from. */
  readonly address: string;
  readonly clientId: string;
  readonly environmentId: string;
}

/** @param url the service's address, without `/api` @param isNew whether the hub was no client of the environment before */
export function pairedEmail(url: string, hub: PairedHubFacts, isNew: boolean): EmailText {
  const { edgeId, address, clientId, environmentId } = hub;
  const text = `A hub was ${isNew ? "paired" : "paired again and gets a new token"} at
${url}

edge ID: ${edgeId}
requested from: ${address}
hub: ${clientId}
environment: ${environmentId}

The hub can now read and control the devices of this environment. If
you did not approve it, remove it. Its connection then ends at once:

${url}/environments/${environmentId}/hubs/${clientId}
`;
  return { subject: isNew ? "A new hub was paired" : "A hub was paired again", text };
}

/** @param url the service's address, without `/api` @param address IP address of the program */
function codeLogInEmail(url: string, address: string): EmailText {
  const text = `A program was logged in to your account with a code at
${url}

requested from: ${address}

It can do everything that you can. If you did not approve it, end its
session and change your password:

${url}/account
`;
  return { subject: "A program was logged in to your account", text };
}
