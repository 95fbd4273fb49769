/** Whether this node has the keys that the database was sealed with: with others it would lose what it cannot open. */
import { sql } from "kysely";
import { type SealingKeyRow, type Store, statement } from "../../store/index.ts";
import type { Keyring } from "./keyring.ts";
import { knownSealingKeys, sealingKeys } from "./service-queries.ts";

/** The file of keys is not the one that belongs to the database. */
export class KeyMismatch extends Error {
  constructor(id: string) {
    super(
      `The database has secrets that are sealed with the key ${id}, but the key file does not contain it. Start with the key file that belongs to the database (--secret-file).`,
    );
  }
}

/** Until the commit: a node that records keys has seen those that were recorded before. A number that no other of the service's locks has. */
const takeTurns = sql`select pg_advisory_xact_lock(7460112)`;

const recordKey = statement<{ id: string; fingerprint: string }>("record_sealing_key")((db, p) =>
  db
    .insertInto("sealing_keys")
    .values({ id: p.id, fingerprint: p.fingerprint })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const forgetKey = statement<{ id: string }>("forget_sealing_key")((db, p) =>
  db.deleteFrom("sealing_keys").where("id", "=", p.id),
);

/** From now on the database does without that key. @throws "Service Unavailable" */
export async function forgetSealingKey(store: Store, id: string): Promise<void> {
  await store.writeService((tx) => tx.run(forgetKey, { id }));
}

/**
 * Records keys that are new, and compares all. Of two nodes that start at once with keys of their own on an empty database one
 * is refused, and leaves nothing there that would keep the other from starting again.
 * @throws KeyMismatch, "Service Unavailable"
 */
export async function checkSealingKeys(store: Store, keyring: Pick<Keyring, "fingerprints">): Promise<void> {
  const held = keyring.fingerprints;
  if (unknownAmong(held, await knownSealingKeys(store)).length === 0) return;
  await store.writeService(async (tx) => {
    if (store.dialect === "postgres") await tx.query({ compile: () => takeTurns.compile(tx.build) });
    for (const [id, fingerprint] of unknownAmong(held, await tx.all(sealingKeys, {})))
      await tx.run(recordKey, { id, fingerprint });
  });
}

/** Those held that the database does not know yet. @throws KeyMismatch when it knows others */
function unknownAmong(held: ReadonlyMap<string, string>, known: readonly SealingKeyRow[]): [string, string][] {
  for (const { id, fingerprint } of known) if (held.get(id) !== fingerprint) throw new KeyMismatch(id);
  const recorded = new Set(known.map(({ id }) => id));
  return [...held].filter(([id]) => !recorded.has(id));
}
