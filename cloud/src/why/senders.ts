/** Who gave a command, under the name that people know: its own file, because it decides what of a sender which caller may see. */
import type { WhyActor } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import { one, type Store, statement } from "../store/index.ts";
import { readHolder } from "./service-queries.ts";

const subject = statement<{ eco: string; id: string }>("sender_of_command")((db, p) =>
  db
    .selectFrom("objects")
    .leftJoin("users", (join) =>
      join.onRef("users.ecosystem_id", "=", "objects.ecosystem_id").onRef("users.id", "=", "objects.id"),
    )
    .select(["objects.alias", "objects.meta", "objects.gone_at", "users.key"])
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.id", "=", p.id),
);

/** How much of a sender the caller may see: `all` to accounts and servers. */
export type Sight = "all" | "name";

/** @throws "Service Unavailable" */
export async function senderOf(store: Store, ecosystemId: string, tokenId: string, sight: Sight): Promise<WhyActor> {
  const holder = await readHolder(store, tokenId);
  if (!holder) return { kind: "unknown", tokenId };
  const { kind, subject_id: id, user_agent: userAgent, account_name: accountName } = holder;
  if (kind === "acc" || kind === "auth") {
    const agent = sight === "all" && userAgent !== null && { userAgent };
    return { kind: "account", id, ...(accountName && { name: accountName }), tokenId, ...agent };
  }
  const row = await one(store.of(ecosystemId).sql.all(subject, { eco: ecosystemId, id }));
  const key = sight === "all" ? (row?.key ?? undefined) : undefined;
  const name = row && (givenName(showMeta(row.meta, DEFAULT_META_PREFIX)) ?? row.alias ?? key);
  return {
    kind: kind === "srv" ? "server" : "user",
    id,
    ...(name && { name }),
    ...(row?.gone_at !== null && { isDeleted: true }),
    tokenId,
  };
}
