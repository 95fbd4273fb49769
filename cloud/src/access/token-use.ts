/** Recorded use of listed tokens: when each was last used, and with which versions of the API. */
import type { Sql } from "../store/index.ts";

export interface TokenUse {
  /** Wall clock, ms; undefined when no use is recorded. */
  readonly lastUsedAt: number | undefined;
  readonly versions: readonly SeenVersion[];
}

interface SeenVersion {
  /** Where the request stated the version: `path` or `header`. */
  readonly via: string;
  /** "" for paths without a version. */
  readonly version: string;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
  readonly count: number;
}

/** Looks up the use of these tokens; it can lag by up to ten seconds. */
export async function useOfTokens(sql: Sql, ids: readonly string[]): Promise<(id: string) => TokenUse> {
  if (ids.length === 0) return () => ({ lastUsedAt: undefined, versions: [] });
  const uses = await sql.query(sql.build.selectFrom("token_uses").selectAll().where("token_id", "in", ids));
  const versions = await sql.query(
    sql.build.selectFrom("token_versions").selectAll().where("token_id", "in", ids).orderBy("via").orderBy("version"),
  );
  const lastUsed = new Map(uses.map(({ token_id, last_used_at }) => [token_id, last_used_at]));
  const byToken = Map.groupBy(versions, ({ token_id }) => token_id);
  return (id) => ({ lastUsedAt: lastUsed.get(id), versions: byToken.get(id) ?? [] });
}
