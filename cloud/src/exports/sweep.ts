/** Deletes exports and their chunks: expired ones, replaced ones, and those of erased accounts. */
import { takeTurn } from "../accounts/index.ts";
import { type Store, statement } from "../store/index.ts";
import { dropExpiredExports, dropExport } from "./export-store.ts";
import { type ChunkPlace, findVoidChunks } from "./service-queries.ts";

/** Chunks deleted in one job: 2 MB, so that no request waits for it. */
const AT_ONCE = 8;

type Place = { [K in keyof ChunkPlace]: ChunkPlace[K] };
const dropChunk = statement<Place>("drop_export_chunk")((db, p) =>
  db
    .deleteFrom("export_chunks")
    .where("account_id", "=", p.account_id)
    .where("export_id", "=", p.export_id)
    .where("attempt", "=", p.attempt)
    .where("place", "=", p.place),
);
const someOf = statement<{ account: string }>("some_export_chunks_of_account")((db, p) =>
  db
    .selectFrom("export_chunks")
    .select(["account_id", "export_id", "attempt", "place"])
    .where("account_id", "=", p.account)
    .limit(AT_ONCE),
);

/** @param goesOn called between jobs: whether to continue @throws "Service Unavailable" */
export async function sweepExports(store: Store, goesOn: () => boolean): Promise<void> {
  await store.writeService((tx) => dropExpiredExports(tx));
  for (let found = await findVoidChunks(store); found.length > 0; found = await findVoidChunks(store)) {
    for (let at = 0; at < found.length; at += AT_ONCE) {
      if (!goesOn()) return;
      const some = found.slice(at, at + AT_ONCE);
      await store.writeService(async (tx) => {
        for (const { account_id, export_id, attempt, place } of some)
          await tx.run(dropChunk, { account_id, export_id, attempt, place });
      });
    }
  }
}

/** Erases an account's export, in steps that are safe to repeat. @throws "Service Unavailable" */
export async function eraseExports(store: Store, account: string): Promise<void> {
  await store.writeService(async (tx) => {
    await takeTurn(tx, account);
    await dropExport(tx, account);
  });
  for (let removed = AT_ONCE; removed > 0; ) {
    removed = await store.writeService(async (tx) => {
      await takeTurn(tx, account);
      const some = await tx.all(someOf, { account });
      for (const each of some) await tx.run(dropChunk, { ...each });
      return some.length;
    });
  }
}
