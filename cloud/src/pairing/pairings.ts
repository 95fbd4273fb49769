/**
 * The hub's side of pairing: it starts without credentials, and polls until an owner has answered. Its device code
 * alone proves nothing: every poll is signed with the hub's key.
 */
import type { NewPairing, PairedHub, PairingPoll, StartedPairing } from "@porchlight/shared/api";
import { type Clock, type Log, NamedError, type Random } from "@porchlight/shared/kernel";
import { audit, type Tokens } from "../access/index.ts";
import { one, type PairingRow, type Store, statement, type Transaction } from "../store/index.ts";
import { isSignedBy, readClient } from "../tunnels/index.ts";
import { type DropOld, makeDeviceCode, OldRows, type PastBound, pairingCodeHash, storeUnderCode } from "./code-rows.ts";
import { findByDeviceCode, pairingByDevice } from "./service-queries.ts";

type NewRow = Omit<
  PairingRow,
  "polled_at" | "ecosystem_id" | "environment_id" | "client_id" | "issued_epoch" | "state"
>;
const insertPairing = statement<{ [K in keyof NewRow]: NewRow[K] }>("insert_pairing")((db, p) =>
  db
    .insertInto("pairings")
    .values({
      device_hash: p.device_hash,
      user_hash: p.user_hash,
      public_key: p.public_key,
      edge_id: p.edge_id,
      agent_version: p.agent_version,
      address: p.address,
      state: "pending",
      interval_ms: p.interval_ms,
      created_at: p.created_at,
      expires_at: p.expires_at,
    })
    .onConflict((conflict) => conflict.column("user_hash").doNothing()),
);
const pairingPastBound: PastBound = statement<{ bound: number }>("pairing_past_bound")((db, p) =>
  db.selectFrom("pairings").select("expires_at").orderBy("expires_at").limit(1).offset(p.bound),
);
type PolledRow = { hash: string; state: string; at: number | null; interval: number };
/** Changes nothing if the pairing was approved meanwhile: an approved one may be polled at once. */
const polled = statement<PolledRow>("pairing_polled")((db, p) =>
  db
    .updateTable("pairings")
    .set({ polled_at: p.at, interval_ms: p.interval })
    .where("device_hash", "=", p.hash)
    .where("state", "=", p.state),
);
const issued = statement<{ hash: string; at: number; epoch: number }>("pairing_issued")((db, p) =>
  db.updateTable("pairings").set({ polled_at: p.at, issued_epoch: p.epoch }).where("device_hash", "=", p.hash),
);
const dropOld: DropOld = statement<{ before: number; slice: number }>("drop_old_pairings")((db, p) =>
  db
    .deleteFrom("pairings")
    .where("device_hash", "in", (of) =>
      of.selectFrom("pairings").select("device_hash").where("expires_at", "<=", p.before).limit(p.slice),
    ),
);
const dropOfEcosystem = statement<{ eco: string }>("drop_pairings_of_ecosystem")((db, p) =>
  db.deleteFrom("pairings").where("ecosystem_id", "=", p.eco),
);

/** Denies approved pairings, because each poll of one gets a new token until its hub's first hello. */
const endApproved = statement<{ eco: string; now: number }>("end_approved_pairings")((db, p) =>
  db
    .updateTable("pairings")
    .set({ state: "denied" })
    .where("ecosystem_id", "=", p.eco)
    .where("state", "=", "approved")
    .where("expires_at", ">", p.now),
);

export interface PairingsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly tokens: Tokens;
  /** Lifetime of a code, and minimum time between two polls, ms. */
  readonly lifeMs: number;
  readonly intervalMs: number;
  /** The service's address, without `/api`. */
  readonly serviceUrl: () => string;
}

type Polled =
  | { readonly kind: "paired"; readonly hub: PairedHub }
  | { readonly kind: "refused"; readonly error: NamedError }
  /** The pairing was approved while the poll was being stored. */
  | { readonly kind: "approved" };

export class Pairings implements AsyncDisposable {
  readonly #deps: PairingsDeps;
  readonly #old: OldRows;

  private constructor(deps: PairingsDeps) {
    this.#deps = deps;
    this.#old = OldRows.start(deps, "old pairings", dropOld);
  }

  static start(deps: PairingsDeps): Pairings {
    return new Pairings(deps);
  }

  /** @param address IP address of the hub @throws "Service Unavailable" when too many are in progress */
  async begin({ edgeId, agentVersion, publicKey }: NewPairing, address: string): Promise<StartedPairing> {
    const { store, random, lifeMs, intervalMs, serviceUrl } = this.#deps;
    const deviceCode = makeDeviceCode(random);
    const userCode = await store.writeService((tx) => {
      const now = tx.now();
      return storeUnderCode(tx, random, pairingPastBound, (code) =>
        tx.run(insertPairing, {
          device_hash: pairingCodeHash(deviceCode),
          user_hash: pairingCodeHash(code),
          public_key: publicKey,
          edge_id: edgeId,
          agent_version: agentVersion,
          address,
          interval_ms: intervalMs,
          created_at: now,
          expires_at: now + lifeMs,
        }),
      );
    });
    const verificationUri = `${serviceUrl()}/pair`;
    return {
      deviceCode,
      userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?code=${userCode}`,
      expiresIn: lifeMs / 1000,
      interval: intervalMs / 1000,
    };
  }

  /**
   * Returns the state of the hub's pairing and, once approved, its token. Until its first hello each answer has a new
   * token, because the previous one may have been lost, and revokes the earlier ones.
   * @throws "Pairing Code Invalid", "Pairing Pending", "Pairing Slow Down", "Pairing Denied", "Pairing Expired"
   */
  async poll({ deviceCode, signature }: PairingPoll, address: string): Promise<PairedHub> {
    const { store } = this.#deps;
    const hash = pairingCodeHash(deviceCode);
    for (;;) {
      const known = await findByDeviceCode(store, hash);
      if (!known || !isSignedBy(known.public_key, Buffer.from(deviceCode), signature)) throw invalid();
      const { ecosystem_id: eco } = known;
      const outcome = await (eco === null
        ? store.writeService((tx) => this.#polled(tx, hash, address))
        : store.write(eco, (tx) => this.#polled(tx, hash, address)));
      if (outcome.kind === "paired") return outcome.hub;
      if (outcome.kind === "refused") throw outcome.error;
    }
  }

  /** Denies the pairings approved in an ecosystem, in a job of it. Returns their number. */
  endApproved(tx: Transaction, eco: string): Promise<number> {
    return tx.run(endApproved, { eco, now: tx.now() });
  }

  /** Deletes everything of an account's ecosystems. */
  async forget(ecosystems: readonly string[]): Promise<void> {
    for (const eco of ecosystems) await this.#deps.store.writeService((tx) => tx.run(dropOfEcosystem, { eco }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#old[Symbol.asyncDispose]();
  }

  /** A refusal is a value here, because a job that throws would roll back what it has stored of the poll. */
  async #polled(tx: Transaction, hash: string, address: string): Promise<Polled> {
    const row = await one(tx.all(pairingByDevice, { hash }));
    if (!row) return refused(invalid());
    const now = tx.now();
    const decision = decidePoll(stateOf(row), now);
    switch (decision.kind) {
      case "denied":
        return refused(new NamedError("Pairing Denied"));
      case "expired":
        return refused(new NamedError("Pairing Expired"));
      case "slow_down": {
        const { intervalMs, waitMs } = decision;
        if (intervalMs !== row.interval_ms)
          await tx.run(polled, { hash, state: row.state, at: row.polled_at, interval: intervalMs });
        return refused(new NamedError("Pairing Slow Down", undefined, { retryAfter: Math.ceil(waitMs / 1000) }));
      }
      case "pending":
        await tx.run(polled, { hash, state: row.state, at: now, interval: row.interval_ms });
        return refused(new NamedError("Pairing Pending"));
      case "approved":
        return this.#issue(tx, row, address);
    }
  }

  async #issue(tx: Transaction, row: PairingRow, address: string): Promise<Polled> {
    const { tokens } = this.#deps;
    const { ecosystem_id: eco, client_id: clientId, device_hash: hash } = row;
    if (eco === null || clientId === null) return refused(invalid());
    if (tx.ecosystemId !== eco) return { kind: "approved" };
    const client = await readClient(tx, eco, clientId);
    const decision = decideIssue({ issuedEpoch: row.issued_epoch }, client?.epoch);
    if (decision === "withdrawn" || !client) return refused(new NamedError("Pairing Denied"));
    if (decision === "spent") return refused(invalid());
    await tokens.revokeAll(tx, clientId);
    const made = await tokens.issue(tx, { kind: "cli", owner: { ecosystemId: eco }, subjectId: clientId });
    await tx.run(issued, { hash, at: tx.now(), epoch: client.epoch });
    await audit(tx, { kind: "client", clientId, address }, "token.created", made.id, { subjectId: clientId });
    return { kind: "paired", hub: { clientId, token: made.token, environmentId: client.environment_id } };
  }
}

/** The state of a stored pairing. */
export function stateOf(row: PairingRow): PairingState {
  return {
    // Only this module writes the column.
    state: row.state as PairingState["state"],
    intervalMs: row.interval_ms,
    polledAt: row.polled_at,
    expiresAt: row.expires_at,
    issuedEpoch: row.issued_epoch,
  };
}

function refused(error: NamedError): Polled {
  return { kind: "refused", error };
}

/** The same error for an unknown code, a used one, and a wrong signature. */
function invalid(): NamedError {
  return new NamedError("Pairing Code Invalid");
}

/** The state of a pairing or a log-in by code; times are wall clock, ms. */
export interface CodeState {
  readonly state: "pending" | "approved" | "denied";
  /** Minimum time between two polls. */
  readonly intervalMs: number;
  /** The last poll that respected the interval. */
  readonly polledAt: number | null;
  readonly expiresAt: number;
}

export interface PairingState extends CodeState {
  /** The client's epoch when a token was last issued. */
  readonly issuedEpoch: number | null;
}

type PollDecision =
  | { readonly kind: "denied" | "expired" | "pending" | "approved" }
  /** The poll came too early. @param intervalMs the interval from now on */
  | { readonly kind: "slow_down"; readonly intervalMs: number; readonly waitMs: number };

/** Increase of the interval for each early poll (RFC 8628, section 3.5), and its maximum, above which nothing is stored, ms. */
const SLOWER_BY = 5_000;
const SLOWEST = 60_000;

/** Decides the answer to a poll with the device code: pure. */
export function decidePoll(pairing: CodeState, now: number): PollDecision {
  const { state, intervalMs, polledAt, expiresAt } = pairing;
  if (state === "denied") return { kind: "denied" };
  if (now >= expiresAt) return { kind: "expired" };
  // A clock that was set back must not delay a hub.
  const early = polledAt === null || now < polledAt ? 0 : polledAt + intervalMs - now;
  if (early > 0) {
    const slower = Math.max(intervalMs, Math.min(intervalMs + SLOWER_BY, SLOWEST));
    return { kind: "slow_down", intervalMs: slower, waitMs: early + slower - intervalMs };
  }
  return { kind: state };
}

/**
 * Whether the hub of an approved pairing gets a token.
 * @param epoch of the client; undefined when it is deleted
 */
export function decideIssue(
  { issuedEpoch }: Pick<PairingState, "issuedEpoch">,
  epoch: number | undefined,
): "issue" | "spent" | "withdrawn" {
  if (epoch === undefined) return "withdrawn";
  // The first hello proves that the answer arrived; a second token would only end the hub's tunnel.
  return issuedEpoch !== null && epoch > issuedEpoch ? "spent" : "issue";
}

/** Whether a user may still answer: only once, and before the expiry. */
export function decideAnswer({ state, expiresAt }: CodeState, now: number): "open" | "spent" | "expired" {
  if (state !== "pending") return "spent";
  return now >= expiresAt ? "expired" : "open";
}
