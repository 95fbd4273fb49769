/**
 * The owner's side of pairing: shows the hub behind a code, and approves it for an environment or denies it. Each code
 * is answered once.
 */
import { formatTime, type Pairing, type PairingApproval } from "@porchlight/shared/api";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { audit, type Caller, type References, readAlias } from "../access/index.ts";
import type { Clients, VersionedClient } from "../places/index.ts";
import { one, type PairingRow, type Store, statement, type Transaction } from "../store/index.ts";
import { type EmailText, type PairingCodeLimiter, pairedEmail } from "./code-log-in-approvals.ts";
import { keyFingerprint, pairingCodeHash, readUserCode } from "./code-rows.ts";
import { decideAnswer, stateOf } from "./pairings.ts";
import { accountOfEcosystem, findByUserCode, pairingByDevice } from "./service-queries.ts";

/** Minimum time for an approved hub to request its token, ms. */
const GRACE = 60_000;

type Approved = { hash: string; eco: string; env: string; now: number; grace: number };
/** Of two concurrent answers, on any nodes, only one finds the pairing open. */
const approvePairing = statement<Approved>("approve_pairing")((db, p) =>
  db
    .updateTable("pairings")
    .set((of) => ({
      state: "approved",
      ecosystem_id: p.eco,
      environment_id: p.env,
      polled_at: null,
      expires_at: of.case().when("expires_at", "<", p.grace).then(of.val(p.grace)).else(of.ref("expires_at")).end(),
    }))
    .where("device_hash", "=", p.hash)
    .where("state", "=", "pending")
    .where("expires_at", ">", p.now),
);
const nameClient = statement<{ hash: string; client: string }>("name_client_of_pairing")((db, p) =>
  db.updateTable("pairings").set({ client_id: p.client }).where("device_hash", "=", p.hash),
);
const denyPairing = statement<{ hash: string; now: number }>("deny_pairing")((db, p) =>
  db
    .updateTable("pairings")
    .set({ state: "denied" })
    .where("device_hash", "=", p.hash)
    .where("state", "=", "pending")
    .where("expires_at", ">", p.now),
);
const ownerOf = statement<{ eco: string }>("owner_of_paired")((db, p) =>
  db.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco),
);

export interface ApprovalsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly references: References;
  readonly clients: Pick<Clients, "adopt">;
  readonly codeLimiter: PairingCodeLimiter;
  /** Sends an email to an account's own address, if that is verified. @throws "Service Unavailable" */
  readonly outbox: { notify(tx: Transaction, accountId: string, letter: EmailText): Promise<boolean> };
  readonly serviceUrl: () => string;
}

export class Approvals {
  readonly #deps: ApprovalsDeps;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  /** The hub behind a code, in any spelling. @throws "Pairing Code Invalid", "Pairing Expired", "Rate Limit Exceeded" */
  async get(caller: Caller, userCode: string): Promise<Pairing> {
    const row = await this.#open(caller, userCode);
    return {
      userCode: readUserCode(userCode),
      edgeId: row.edge_id,
      agentVersion: row.agent_version,
      address: row.address,
      fingerprint: keyFingerprint(row.public_key),
      createdAt: formatTime(row.created_at),
      expiresAt: formatTime(row.expires_at),
    };
  }

  /**
   * Approves the hub as a client of an environment: as the client with its key, if there is one, otherwise as a new
   * one.
   * @throws those of {@link get}, of the environment's reference, "Alias Invalid", "Alias Exists", "Quota Exceeded"
   */
  async approve(caller: Caller, userCode: string, given: PairingApproval): Promise<VersionedClient> {
    const { store, references, clients, outbox, serviceUrl } = this.#deps;
    const alias = readAlias(given.alias);
    const row = await this.#open(caller, userCode);
    const { ecosystemId: eco, id: env } = await references.resolve(caller, "env", given.environmentId);
    return store.write(eco, async (tx) => {
      const now = tx.now();
      const hash = row.device_hash;
      const taken = await tx.run(approvePairing, { hash, eco, env, now, grace: now + GRACE });
      if (taken === 0) throw await this.#late(tx, hash);
      const { client, isNew } = await clients.adopt(
        tx,
        eco,
        env,
        { alias, name: given.name },
        {
          publicKey: row.public_key,
          edgeId: row.edge_id,
        },
      );
      await tx.run(nameClient, { hash, client: client.id });
      await audit(tx, caller, "pairing.approved", client.id, { edgeId: row.edge_id, address: row.address, isNew });
      const owner = await one(tx.all(ownerOf, { eco }));
      const hub = { edgeId: row.edge_id, address: row.address, clientId: client.id, environmentId: env };
      if (owner) await outbox.notify(tx, owner.account_id, pairedEmail(serviceUrl(), hub, isNew));
      return client;
    });
  }

  /** Denies the hub. @throws those of {@link get} */
  async deny(caller: Caller, userCode: string): Promise<void> {
    const { store } = this.#deps;
    const { device_hash: hash, edge_id: edgeId, address } = await this.#open(caller, userCode);
    const job = async (tx: Transaction) => {
      if ((await tx.run(denyPairing, { hash, now: tx.now() })) === 0) throw await this.#late(tx, hash);
      // No caller gets the pairing's ID.
      await audit(tx, caller, "pairing.denied", edgeId, { edgeId, address });
    };
    await (caller.kind === "account" ? store.writeService(job) : store.write(caller.ecosystemId, job));
  }

  async #open(caller: Caller, userCode: string): Promise<PairingRow> {
    const { store, clock, codeLimiter } = this.#deps;
    const account = caller.kind === "account" ? caller.accountId : await accountOfEcosystem(store, caller.ecosystemId);
    const right = await codeLimiter.begin(account);
    const row = await findByUserCode(store, pairingCodeHash(readUserCode(userCode)));
    if (!row) throw new NamedError("Pairing Code Invalid");
    await right();
    const problem = refusal(row, clock.now());
    if (problem) throw problem;
    return row;
  }

  /** The error when another answer was quicker, or the code has expired meanwhile. */
  async #late(tx: Transaction, hash: string): Promise<NamedError> {
    const row = await one(tx.all(pairingByDevice, { hash }));
    return (row && refusal(row, tx.now())) ?? new NamedError("Pairing Code Invalid");
  }
}

/** Why the pairing takes no answer; undefined while it does. An answered code has the same error as an unknown one. */
function refusal(row: PairingRow, now: number): NamedError | undefined {
  switch (decideAnswer(stateOf(row), now)) {
    case "open":
      return undefined;
    case "spent":
      return new NamedError("Pairing Code Invalid");
    case "expired":
      return new NamedError("Pairing Expired");
  }
}
