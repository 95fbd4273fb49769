/** Makes, lists and ends the tokens of one subject: an account, a server, a user, a client (A1.3). */
import type { Clock, Id, IdMaker, Random } from "@porchlight/shared/kernel";
import { hashToken, makeToken, referenceNotFound, type TokenKind } from "@porchlight/shared/rest";
import { type Sql, type Store, statement, type TokenRow, type Transaction } from "../store/index.ts";
import type { Revocations } from "./revocations.ts";
import type { Keyring } from "./keyring.ts";

/** A token to be issued. */
export interface NewToken {
  readonly kind: TokenKind;
  /** The account for a log-in; else the ecosystem of the subject. */
  readonly owner: { readonly accountId: string } | { readonly ecosystemId: string };
  readonly subjectId: string;
  /** Wall clock, ms; undefined is never. */
  readonly expiresAt?: number | undefined;
  /** Log-ins only: the network address that they came from. */
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Log-ins only: a browser keeps the token as a cookie. */
  readonly isCookie?: boolean | undefined;
}

/** A new token; the account sees its text once, in the answer to its creation. */
export interface MadeToken {
  readonly id: Id<"tok">;
  readonly token: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

type PageOf = { subject: string; after: string; now: number; limit: number };
/** Lists in the order of creation; leaves out expired tokens. */
const tokensOfSubject = statement<PageOf>("tokens_of_subject")((db, p) =>
  db
    .selectFrom("tokens")
    .selectAll()
    .where("subject_id", "=", p.subject)
    .where("revoked_at", "is", null)
    .where("id", ">", p.after)
    .where((of) => of.or([of("expires_at", "is", null), of("expires_at", ">", p.now)]))
    .orderBy("id")
    .limit(p.limit),
);
const noteReading = statement<{ subject: string; at: number }>("note_token_reading")((db, p) =>
  db.updateTable("tokens").set({ read_at: p.at }).where("subject_id", "=", p.subject).where("sealed", "is not", null),
);
const revokeToken = statement<{ subject: string; id: string; at: number }>("revoke_token")((db, p) =>
  db
    .updateTable("tokens")
    .set({ revoked_at: p.at, sealed: null })
    .where("id", "=", p.id)
    .where("subject_id", "=", p.subject)
    .where("revoked_at", "is", null),
);
const revokeAll = statement<{ subject: string; at: number }>("revoke_tokens_of_subject")((db, p) =>
  db
    .updateTable("tokens")
    .set({ revoked_at: p.at, sealed: null })
    .where("subject_id", "=", p.subject)
    .where("revoked_at", "is", null)
    .returning("expires_at"),
);

const revokeOthers = statement<{ subject: string; kept: string; at: number }>("revoke_other_tokens")((db, p) =>
  db
    .updateTable("tokens")
    .set({ revoked_at: p.at, sealed: null })
    .where("subject_id", "=", p.subject)
    .where("id", "!=", p.kept)
    .where("revoked_at", "is", null)
    .returning("id"),
);

export interface TokensDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly keyring: Keyring;
  readonly revocations: Revocations;
}

export class Tokens {
  readonly #deps: TokensDeps;

  constructor(deps: TokensDeps) {
    this.#deps = deps;
  }

  /** Issues a token, in the caller's write job. */
  async issue(tx: Transaction, made: NewToken): Promise<MadeToken> {
    const { clock, random, ids, keyring } = this.#deps;
    const token = makeToken(made.kind, random);
    const id = ids.next("tok");
    const createdAt = clock.now();
    const row: TokenRow = {
      id,
      hash: hashToken(token),
      kind: made.kind,
      account_id: "accountId" in made.owner ? made.owner.accountId : null,
      ecosystem_id: "ecosystemId" in made.owner ? made.owner.ecosystemId : null,
      subject_id: made.subjectId,
      sealed: made.kind === "srv" ? keyring.seal(id, token) : null,
      created_at: createdAt,
      expires_at: made.expiresAt ?? null,
      revoked_at: null,
      address: made.address ?? null,
      user_agent: made.userAgent ?? null,
      by_cookie: made.isCookie ? 1 : null,
      read_at: null,
    };
    await tx.change(tx.build.insertInto("tokens").values(row));
    return { id, token, createdAt, expiresAt: made.expiresAt };
  }

  /** Living tokens of a subject after the ID `after`, oldest first. */
  list(sql: Sql, subjectId: string, after: string, limit: number): Promise<TokenRow[]> {
    return sql.all(tokensOfSubject, { subject: subjectId, after, now: this.#deps.clock.now(), limit });
  }

  /** The text of a server's token; all other tokens are shown once. Undefined also when the keyring no longer holds its key. */
  unseal(row: TokenRow): string | undefined {
    return row.sealed === null ? undefined : this.#deps.keyring.open(row.id, row.sealed);
  }

  /** Records that the readable tokens of a subject were shown. */
  async noteReading(tx: Transaction, subjectId: string): Promise<void> {
    await tx.run(noteReading, { subject: subjectId, at: this.#deps.clock.now() });
  }

  /** Revokes one token of a subject. @throws "Token Not Found" */
  async revoke(tx: Transaction, subjectId: string, id: string): Promise<void> {
    const ended = await tx.run(revokeToken, { subject: subjectId, id, at: this.#deps.clock.now() });
    if (ended === 0) throw referenceNotFound("tok");
    await this.#deps.revocations.end(tx, { kind: "token", tokenId: id, subjectId });
  }

  /** Revokes all tokens of a subject. Returns how many had not expired. */
  async revokeAll(tx: Transaction, subjectId: string): Promise<number> {
    const at = this.#deps.clock.now();
    const ended = await tx.all(revokeAll, { subject: subjectId, at });
    await this.#deps.revocations.end(tx, { kind: "subject", subjectId });
    return ended.filter(({ expires_at }) => expires_at === null || expires_at > at).length;
  }

  /** Revokes all tokens of a subject but one. */
  async revokeOthers(tx: Transaction, subjectId: string, keptId: string): Promise<void> {
    const ended = await tx.all(revokeOthers, { subject: subjectId, kept: keptId, at: this.#deps.clock.now() });
    for (const { id } of ended) await this.#deps.revocations.end(tx, { kind: "token", tokenId: id, subjectId });
  }
}
