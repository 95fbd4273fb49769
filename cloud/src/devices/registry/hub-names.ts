/** What the cloud calls a hub's devices, for the API that the hub serves at home: told where the hub's digest says that it has something else. */
import { createHash } from "node:crypto";
import type { Names } from "@porchlight/shared/tunnel";
import { one, type Store, statement } from "../../store/index.ts";
import type { Hub, HubTunnel } from "../../tunnels/index.ts";
import type { HubSubject } from "./hub-teller.ts";

type OfHub = { eco: string; client: string };
const selectNames = statement<OfHub>("hub_device_names")((db, p) =>
  db
    .selectFrom("devices as d")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "d.ecosystem_id").onRef("o.id", "=", "d.id"))
    .select(["d.edge_id", "d.id", "o.version"])
    .where("d.ecosystem_id", "=", p.eco)
    .where("d.client_id", "=", p.client)
    .where("o.gone_at", "is", null)
    .orderBy("d.id"),
);
const selectName = statement<OfHub & { edge: string }>("hub_device_name")((db, p) =>
  db
    .selectFrom("devices as d")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "d.ecosystem_id").onRef("o.id", "=", "d.id"))
    .select(["d.id", "o.version", "o.alias", "o.meta", "o.created_at"])
    .where("d.ecosystem_id", "=", p.eco)
    .where("d.client_id", "=", p.client)
    .where("d.edge_id", "=", p.edge)
    .where("o.gone_at", "is", null),
);
const selectAlias = statement<{ eco: string; env: string }>("environment_alias")((db, p) =>
  db.selectFrom("objects").select("alias").where("ecosystem_id", "=", p.eco).where("id", "=", p.env),
);

export class HubNames implements HubSubject {
  readonly name = "names";
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  digestOf({ namesDigest }: HubTunnel): string | undefined {
    return namesDigest;
  }

  async tell(tunnel: HubTunnel, digest: string): Promise<string> {
    const names = await this.#names(tunnel.hub);
    if (names.digest === digest) return digest;
    for (const edge of await tunnel.names(names)) {
      const { ecosystemId: eco, clientId: client } = tunnel.hub;
      const row = await one(this.#store.of(eco).sql.all(selectName, { eco, client, edge }));
      // What has gone meanwhile is a change that is told after this.
      if (!row) continue;
      const { id, version, alias, meta, created_at: createdAt } = row;
      await tunnel.name({ edgeId: edge, id, version, meta, createdAt, ...(alias !== null && { alias }) });
    }
    return names.digest;
  }

  async #names({ ecosystemId, environmentId, clientId }: Hub): Promise<Names> {
    const { sql } = this.#store.of(ecosystemId);
    const environment = await one(sql.all(selectAlias, { eco: ecosystemId, env: environmentId }));
    const rows = await sql.all(selectNames, { eco: ecosystemId, client: clientId });
    const devices = rows.flatMap(({ edge_id: edgeId, id, version }) =>
      edgeId === null ? [] : [{ edgeId, id, version }],
    );
    const alias = environment?.alias ?? null;
    const place = { ecosystemId, environmentId, ...(alias !== null && { environmentAlias: alias }), clientId };
    const digest = createHash("sha256")
      .update(JSON.stringify([place, devices]))
      .digest("base64url");
    return { digest, ...place, devices };
  }
}
