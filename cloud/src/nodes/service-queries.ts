/** The questions of this room that cross tenants: at which versions ecosystems stand, and what has ended of late. */
import { type EndingRow, type Sql, type Store, statement } from "../store/index.ts";

/** Ecosystems asked for at once. */
const MOST = 1_000;

export interface Version {
  readonly ecosystem_id: string;
  readonly version: number | null;
  readonly sequence: number;
}

/** Those that have none are left out. */
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

const selectEndings = statement<{ after: number }>("endings_after")((db, p) =>
  db.selectFrom("endings").selectAll().where("number", ">", p.after).orderBy("number"),
);
const selectNewest = statement<Record<never, never>>("newest_ending")((db) =>
  db.selectFrom("endings").select("number").orderBy("number", "desc").limit(1),
);

export type StoredEnding = { readonly [K in keyof Omit<EndingRow, "number">]: EndingRow[K] } & {
  readonly number: number;
};

export function endingsAfter({ service }: { readonly service: Sql }, after: number): Promise<StoredEnding[]> {
  return service.all(selectEndings, { after });
}

/** 0 before the first. */
export async function newestEnding({ service }: { readonly service: Sql }): Promise<number> {
  return (await service.all(selectNewest, {}))[0]?.number ?? 0;
}
