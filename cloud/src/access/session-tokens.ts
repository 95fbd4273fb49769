/**
 * Session tokens: short-lived account tokens of a log-in whose own credential is a cookie (A2); a page holds one in memory. Each
 * acts as its log-in, under that ID, and ends with it at the latest; so no other module needs to handle them.
 */
import type { Clock, Random } from "@porchlight/shared/kernel";
import { hashToken, makeToken } from "@porchlight/shared/rest";
import { statement, type Transaction } from "../store/index.ts";

/** Lifetime, ms. */
const LIFE = 15 * 60_000;

const insertSessionToken = statement<{ hash: string; login: string; end: number }>("insert_session_token")((db, p) =>
  db.insertInto("session_tokens").values({ hash: p.hash, login_id: p.login, expires_at: p.end }),
);
const dropOldSessionTokens = statement<{ now: number }>("drop_old_session_tokens")((db, p) =>
  db.deleteFrom("session_tokens").where("expires_at", "<=", p.now),
);
const dropSessionTokensOf = statement<{ login: string }>("drop_session_tokens_of")((db, p) =>
  db.deleteFrom("session_tokens").where("login_id", "=", p.login),
);

export interface SessionTokensDeps {
  readonly clock: Clock;
  readonly random: Random;
}

export class SessionTokens {
  readonly #deps: SessionTokensDeps;

  constructor(deps: SessionTokensDeps) {
    this.#deps = deps;
  }

  /** Issues a session token, and deletes the expired ones. @param end of the log-in, wall clock, ms; null is never */
  async issue(tx: Transaction, loginId: string, end: number | null) {
    const now = this.#deps.clock.now();
    const token = makeToken("acc", this.#deps.random);
    const expiresAt = Math.min(now + LIFE, end ?? Number.POSITIVE_INFINITY);
    await tx.run(dropOldSessionTokens, { now });
    await tx.run(insertSessionToken, { hash: hashToken(token), login: loginId, end: expiresAt });
    return { token, expiresAt };
  }

  /** Deletes the session tokens of a log-in that ends. Returns whether it had any, that is, whether it used a cookie. */
  async drop(tx: Transaction, loginId: string): Promise<boolean> {
    return (await tx.run(dropSessionTokensOf, { login: loginId })) > 0;
  }
}
