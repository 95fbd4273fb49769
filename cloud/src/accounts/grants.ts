/** Grants of an account besides its log-ins, and their makers: tokens, webhooks and sinks of all its ecosystems. */
import { formatTime, type Grant } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { type AccountCaller, useOfTokens } from "../access/index.ts";
import { mergedPage } from "../places/index.ts";
import type { AuditEntryRow, Store } from "../store/index.ts";
import { countGrants, type GrantPart, type GrantRow, grantRows } from "./grant-rows.ts";
import { ecosystemsOf, makingOf } from "./recovery-service-queries.ts";

/** A grant with its resource. */
export interface ShownGrant {
  readonly id: string;
  readonly resource: Grant;
}

export class Grants {
  readonly #deps: { readonly store: Store; readonly clock: Clock };

  constructor(deps: { readonly store: Store; readonly clock: Clock }) {
    this.#deps = deps;
  }

  /** @param since wall clock, ms: grants made or changed then or later; undefined for all */
  list(caller: AccountCaller, since: number | undefined, part: GrantPart): Promise<readonly ShownGrant[]> {
    return this.#shown(caller.accountId, caller.ecosystemIds, since, part);
  }

  /** The newest grants of an account, newest first, and the number of all. */
  async newest(account: string, limit: number): Promise<{ readonly items: readonly Grant[]; readonly count: number }> {
    const { store, clock } = this.#deps;
    const ecosystems = await ecosystemsOf(store, account);
    const shown = await this.#shown(account, ecosystems, undefined, { after: "", order: "newest", limit });
    const counts = await Promise.all(ecosystems.map((eco) => countGrants(store.of(eco).sql, eco, clock.now())));
    return { items: shown.map(({ resource }) => resource), count: counts.reduce((sum, count) => sum + count, 0) };
  }

  async #shown(
    account: string,
    ecosystems: readonly string[],
    since: number | undefined,
    part: GrantPart,
  ): Promise<readonly ShownGrant[]> {
    const { store, clock } = this.#deps;
    const { limit, order } = part;
    const fetch = (eco: string) => grantRows(store.of(eco).sql, { eco, account }, since ?? 0, clock.now(), part);
    const rows = await mergedPage(ecosystems, limit, fetch, order);
    const ids = new Set(rows.flatMap(({ id, subject_id }) => (subject_id === null ? [id] : [id, subject_id])));
    const making = Map.groupBy(await makingOf(store, account, [...ids]), ({ object_id }) => object_id ?? "");
    const useOf = await useIn(store, rows);
    return rows.map((row) => {
      const about = making.get(row.id) ?? [];
      const made = makerOf(row, about, making.get(row.subject_id ?? "") ?? []);
      const lastUsedAt = useOf(row.id);
      const changed =
        since === undefined ? undefined : about.findLast(({ action, at }) => CHANGES.has(action) && at >= since);
      return { id: row.id, resource: resourceOf(row, made, lastUsedAt, changed?.at) };
    });
  }
}

const CHANGES: ReadonlySet<string> = new Set(["webhook.updated", "ecosystem.sink_changed"]);

/** When each token was last used. */
async function useIn(store: Store, rows: readonly GrantRow[]): Promise<(id: string) => number | undefined> {
  const first = rows.find(({ subject_id }) => subject_id !== null);
  if (!first) return () => undefined;
  const tokens = rows.filter(({ subject_id }) => subject_id !== null).map(({ id }) => id);
  const useOf = await useOfTokens(store.of(first.ecosystem_id).sql, tokens);
  return (id) => useOf(id).lastUsedAt;
}

/**
 * The audit entry that names the grant's maker. For the first token of a server it is the server's entry, for the token of a paired
 * hub the entry of the approval, because the hub itself fetched the token.
 */
function makerOf(
  { id, kind, created_at }: GrantRow,
  about: readonly AuditEntryRow[],
  aboutSubject: readonly AuditEntryRow[],
): AuditEntryRow | undefined {
  if (kind === "whk") return about.find(({ action }) => action === "webhook.created");
  if (kind === "sink") return about.findLast(({ action }) => action === "ecosystem.sink_changed");
  const made = about.find(({ action }) => action === "token.created");
  if (made && made.actor_type !== "client") return made;
  const ofServer = aboutSubject.find(
    ({ action, detail }) => action === "server.created" && JSON.parse(detail).tokenId === id,
  );
  const approved = aboutSubject.findLast(({ action, at }) => action === "pairing.approved" && at <= created_at);
  return ofServer ?? approved ?? made;
}

const TYPES: Readonly<Record<string, Grant["type"]>> = {
  ...{ srv: "server_token", usr: "user_token", cli: "client_token" },
  ...{ whk: "webhook", sink: "sink" },
};
const COLLECTIONS: Readonly<Record<string, string>> = { srv: "servers", usr: "users", cli: "clients" };

function resourceOf(
  row: GrantRow,
  made: AuditEntryRow | undefined,
  lastUsedAt: number | undefined,
  changedAt: number | undefined,
): Grant {
  return {
    id: row.id,
    type: TYPES[row.kind] ?? "user_token",
    ecosystemId: row.ecosystem_id,
    ...(row.environment_id !== null && { environmentId: row.environment_id }),
    ...(row.subject_id !== null && { subjectId: row.subject_id }),
    ...(row.alias !== null && { alias: row.alias }),
    createdAt: formatTime(row.created_at),
    ...(changedAt !== undefined && { changedAt: formatTime(changedAt) }),
    ...(row.expires_at !== null && { expiresAt: formatTime(row.expires_at) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: formatTime(lastUsedAt) }),
    ...(made && {
      // Trusted: `audit` wrote the column.
      madeBy: {
        type: made.actor_type as NonNullable<Grant["madeBy"]>["type"],
        ...(made.actor_id !== null && { id: made.actor_id }),
      },
    }),
    ...(made && made.address !== null && { address: made.address }),
    path: pathOf(row),
  };
}

function pathOf({ kind, id, ecosystem_id, subject_id }: GrantRow): string {
  if (kind === "whk") return `/api/webhooks/${id}`;
  if (kind === "sink") return `/api/ecosystems/${ecosystem_id}/sink`;
  return `/api/${COLLECTIONS[kind]}/${subject_id}/tokens/${id}`;
}
