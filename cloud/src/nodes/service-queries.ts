/** This module's queries across tenants: the versions of ecosystems, and recent revocations. */
import { type RevocationRow, type Sql, type Store, statement } from "../store/index.ts";

/** Ecosystems per query. */
const MOST = 1_000;

export interface Version {
  readonly ecosystem_id: string;
  readonly version: number | null;
  readonly sequence: number;
}

/** Ecosystems without a version are omitted. */
export async function versionsOf(store: Store, ecosystems: readonly string[]): Promise<Version[]> {
  const versions: Version[] = [];
  for (let at = 0; at < ecosystems.length; at += MOST) {
    const some = ecosystems.slice(at, at + MOST);
    const { build } = store.service;
    versions.push(
      ...(await store.service.query(
        build.selectFrom("counters").select(["ecosystem_id", "version", "sequence"]).where("ecosystem_id", "in", some),
      )),
    );
  }
  return versions;
}

const selectRevocations = statement<{ after: number }>("endings_after")((db, p) =>
  db.selectFrom("endings").selectAll().where("number", ">", p.after).orderBy("number"),
);
const selectNewest = statement<Record<never, never>>("newest_ending")((db) =>
  db.selectFrom("endings").select("number").orderBy("number", "desc").limit(1),
);

export type StoredRevocation = { readonly [K in keyof Omit<RevocationRow, "number">]: RevocationRow[K] } & {
  readonly number: number;
};

export function revocationsAfter({ service }: { readonly service: Sql }, after: number): Promise<StoredRevocation[]> {
  return service.all(selectRevocations, { after });
}

/** 0 before the first. */
export async function newestRevocation({ service }: { readonly service: Sql }): Promise<number> {
  return (await service.all(selectNewest, {}))[0]?.number ?? 0;
}
