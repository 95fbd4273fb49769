/** Whether this node has the keys that the database was sealed with: with others it would lose what it cannot open. */
import { type Store, statement } from "../store/index.ts";
import type { Keyring } from "./keyring.ts";
import { knownSealingKeys } from "./service-queries.ts";

/** The file of keys is not the one that belongs to the database. */
export class KeyMismatch extends Error {
  constructor(id: string) {
    super(
      `The key ${id}, with which this database was sealed, is not in the key file. Start with the key file that belongs to the database (--secret-file).`,
    );
  }
}

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

/** Records keys that are new, and compares all. @throws KeyMismatch, "Service Unavailable" */
export async function checkSealingKeys(store: Store, keyring: Pick<Keyring, "fingerprints">): Promise<void> {
  const known = await knownSealingKeys(store);
  const held = keyring.fingerprints;
  for (const { id, fingerprint } of known) if (held.get(id) !== fingerprint) throw new KeyMismatch(id);
  const recorded = new Set(known.map(({ id }) => id));
  const fresh = [...held].filter(([id]) => !recorded.has(id));
  if (fresh.length === 0) return;
  await store.writeService(async (tx) => {
    for (const [id, fingerprint] of fresh) await tx.run(recordKey, { id, fingerprint });
  });
  // Another node may have started meanwhile with a key of its own.
  await checkSealingKeys(store, keyring);
}
