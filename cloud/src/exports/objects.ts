/**
 * Exporters of an account's objects: the account, its places, hubs, devices, users and servers, with their access and tokens.
 */
import { formatTime } from "@porchlight/shared/api";
import { DEFAULT_META_PREFIX, useOfTokens } from "../access/index.ts";
import {
  type Accounts,
  accessEntryResource,
  loginEntry,
  type Servers,
  serverResource,
  tokenResource,
  type Users,
  userResource,
} from "../accounts/index.ts";
import type { Alerts } from "../alerts/index.ts";
import { commandResource, currentItems, type Devices } from "../devices/index.ts";
import {
  type Clients,
  type Ecosystems,
  type Environments,
  ecosystemResource,
  environmentResource,
  type Presence,
  type Zones,
  zoneResource,
} from "../places/index.ts";
import { type Scenes, sceneResource } from "../scenes/index.ts";
import type { Store, TenantReader } from "../store/index.ts";
import { clientResource } from "../tunnels/index.ts";
import { byId, EXPORT_PAGE, type Exporter, listed, paged, stored, timeOf } from "./exporter.ts";
import { findLogIns, findVersionNotices } from "./service-queries.ts";

export interface ObjectExportersDeps {
  readonly store: Store;
  readonly accounts: Pick<Accounts, "get">;
  readonly alerts: Pick<Alerts, "settings">;
  readonly ecosystems: Pick<Ecosystems, "list">;
  readonly environments: Pick<Environments, "list">;
  readonly zones: Pick<Zones, "list">;
  readonly scenes: Pick<Scenes, "list">;
  readonly clients: Pick<Clients, "list">;
  readonly presence: Presence;
  readonly devices: Pick<Devices, "list" | "show">;
}

/** The account, its places, hubs and devices. */
export function objectExporters(deps: ObjectExportersDeps): Exporter[] {
  const { store } = deps;
  return [
    {
      name: "account",
      about: "The account: name, e-mail address, and when it was created. The password is stored only as a hash.",
      tables: ["accounts"],
      async *rows({ caller }) {
        yield await deps.accounts.get(caller);
      },
    },
    {
      name: "alert-settings",
      about: "For which problems the account wants alerts, and when they may be sent by e-mail.",
      tables: ["alert_settings"],
      async *rows({ caller }) {
        yield await deps.alerts.settings(caller);
      },
    },
    {
      name: "log-ins",
      about:
        "Sessions of the account: from which address and program each was made, when it was last used, with which versions of the API, and when it ended (`revokedAt`).",
      tables: ["tokens", "token_uses", "token_versions"],
      async *rows({ accountId }) {
        const read = (after: string) => findLogIns(store, accountId, after, EXPORT_PAGE);
        for await (const row of paged("", read, ({ id }) => id))
          yield {
            ...tokenResource(row),
            ...loginEntry({ ...row, last_used_at: row.use.lastUsedAt ?? null }),
            ...timeOf("revokedAt", row.revoked_at),
          };
      },
    },
    {
      name: "version-notices",
      about: "New versions of the API of which the account was told by e-mail.",
      tables: ["version_notices"],
      async *rows({ accountId }) {
        for (const { release, told_at } of await findVersionNotices(store, accountId))
          yield { release, toldAt: formatTime(told_at) };
      },
    },
    {
      name: "ecosystems",
      about: "Ecosystems, with alias and metadata.",
      tables: ["ecosystems", "objects"],
      rows: listed((caller, after) => deps.ecosystems.list(caller, after, EXPORT_PAGE), ecosystemResource),
    },
    {
      name: "environments",
      about: "Environments (homes), with alias, metadata, time zone and location.",
      tables: ["objects", "homes"],
      rows: listed(
        (caller, after) => deps.environments.list(caller, undefined, after, EXPORT_PAGE),
        environmentResource,
      ),
    },
    {
      name: "zones",
      about: "Zones, with alias and metadata. `items` are the IDs of the devices and zones in a zone.",
      tables: ["objects", "zone_items"],
      rows: listed(
        (caller, after) => deps.zones.list(caller, undefined, { after, limit: EXPORT_PAGE }),
        (row) => zoneResource(row),
      ),
    },
    {
      name: "scenes",
      about: "Scenes, with alias and metadata, what each sets, and what calls it.",
      tables: ["objects", "scene_items", "scene_triggers"],
      rows: listed(
        (caller, after) => deps.scenes.list(caller, undefined, { after, limit: EXPORT_PAGE }),
        (row) => sceneResource(row),
      ),
    },
    {
      name: "deleted-objects",
      about:
        "IDs of objects that were deleted. Of most, the service keeps only the ID, so that the ID is never used again.",
      tables: ["objects"],
      rows: stored(
        store,
        byId((reader, after) => {
          const gone = reader.from("objects").where("gone_at", "is not", null).where("id", ">", after).orderBy("id");
          const columns = ["id", "ecosystem_id", "environment_id", "created_at", "gone_at"] as const;
          return reader.sql.query(gone.select(columns).limit(EXPORT_PAGE));
        }),
        ({ id, ecosystem_id, environment_id, created_at, gone_at }) => ({
          ...{ id, ecosystemId: ecosystem_id },
          ...(environment_id !== null && { environmentId: environment_id }),
          createdAt: formatTime(created_at),
          ...timeOf("deletedAt", gone_at),
        }),
      ),
    },
    {
      name: "clients",
      about:
        "Hubs, with alias, metadata, edge ID, public key, and the state of their connection at the time of the export.",
      tables: ["objects", "clients"],
      rows: listed(
        (caller, after) => deps.clients.list(caller, undefined, after, EXPORT_PAGE),
        (row) => ({
          ...clientResource(row, deps.presence(row)),
          ...(row.public_key !== null && { publicKey: row.public_key }),
        }),
      ),
    },
    {
      name: "connections",
      about: "The last connections of each hub: when they opened and closed, and why they ended.",
      tables: ["tunnels"],
      rows: stored(
        store,
        { first: "", read: connectionsAfter, keyOf: ({ client_id }) => client_id },
        ({ client_id, epoch, opened_at, closed_at, reason }, ecosystemId) => ({
          ...{ ecosystemId, clientId: client_id, epoch, openedAt: formatTime(opened_at) },
          ...timeOf("closedAt", closed_at),
          ...(reason !== null && { reason }),
        }),
      ),
    },
    {
      name: "devices",
      about:
        "Devices, with alias, metadata and connection. `services` is what a device can do, as `GET /api/devices/:id/services` describes it.",
      tables: ["objects", "devices"],
      rows: listed(
        (caller, after) => devicesAfter(store, deps.devices, caller.ecosystemIds, after),
        ({ device, services }) => ({ ...deps.devices.show(device, DEFAULT_META_PREFIX), services }),
      ),
    },
    {
      name: "values",
      about:
        "The last known value of each property of each device, with the times at which it changed and was observed.",
      tables: ["property_values"],
      async *rows({ caller }) {
        for (const ecosystemId of caller.ecosystemIds)
          for await (const { items } of currentItems(store.of(ecosystemId).sql, { ecosystemId })) yield* items.values();
      },
    },
    {
      name: "commands",
      about: "Writes of properties in the last 30 days: what was asked, with which token, and the result.",
      tables: ["commands"],
      rows: stored(
        store,
        byId((reader, after) =>
          reader.sql.query(
            reader.from("commands").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE),
          ),
        ),
        (row, ecosystemId) => ({
          ...commandResource(row),
          ...{ ecosystemId, environmentId: row.environment_id },
          ...(row.client_id !== null && { clientId: row.client_id }),
          ...(row.token_id !== null && { tokenId: row.token_id }),
        }),
      ),
    },
  ];
}

/** A page of devices, each with its description. */
async function devicesAfter(
  store: Store,
  devices: Pick<Devices, "list">,
  ecosystemIds: readonly string[],
  after: string,
) {
  const places = ecosystemIds.map((ecosystemId) => ({ ecosystemId }));
  const page = await devices.list({ places, after, limit: EXPORT_PAGE });
  const services = new Map<string, unknown>();
  for (const [ecosystemId, some] of Map.groupBy(page, ({ ecosystem_id }) => ecosystem_id)) {
    const reader = store.of(ecosystemId);
    const ids = some.map(({ id }) => id);
    const rows = await reader.sql.query(reader.from("devices").select(["id", "description"]).where("id", "in", ids));
    for (const { id, description } of rows) services.set(id, JSON.parse(description));
  }
  return page.map((device) => ({ id: device.id, device, services: services.get(device.id) ?? [] }));
}

/** A page of connections. It contains all connections of its last hub, so that every page ends between two hubs. */
async function connectionsAfter(reader: TenantReader, after: string) {
  const connections = () => reader.from("tunnels").selectAll();
  const rows = await reader.sql.query(
    connections().where("client_id", ">", after).orderBy("client_id").orderBy("epoch").limit(EXPORT_PAGE),
  );
  const last = rows.at(-1);
  if (last === undefined || rows.length < EXPORT_PAGE) return rows;
  const rest = await reader.sql.query(
    connections().where("client_id", "=", last.client_id).where("epoch", ">", last.epoch).orderBy("epoch"),
  );
  return [...rows, ...rest];
}

export interface AccessExportersDeps {
  readonly store: Store;
  readonly users: Pick<Users, "list">;
  readonly servers: Pick<Servers, "list">;
}

/** Exporters of access: users, servers, access entries, and tokens without their texts. */
export function accessExporters({ store, users, servers }: AccessExportersDeps): Exporter[] {
  return [
    {
      name: "users",
      about: "Users, each with the key under which your own server knows it.",
      tables: ["objects", "users"],
      rows: listed((caller, after) => users.list(caller, undefined, after, EXPORT_PAGE), userResource),
    },
    {
      name: "access-entries",
      about: "Which users have access to which environments, and until when they had it (`endedAt`).",
      tables: ["access_entries"],
      rows: stored(
        store,
        byId((reader, after) =>
          reader.sql.query(
            reader.from("access_entries").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE),
          ),
        ),
        (row, ecosystemId) => ({
          ...accessEntryResource(row),
          userId: row.user_id,
          ecosystemId,
          ...timeOf("endedAt", row.gone_at),
        }),
      ),
    },
    {
      name: "servers",
      about: "Servers (your own programs), with alias and metadata.",
      tables: ["objects"],
      rows: listed((caller, after) => servers.list(caller, undefined, after, EXPORT_PAGE), serverResource),
    },
    {
      name: "tokens",
      about:
        "Tokens of users, servers and hubs: of whom, when each was created, last used and ended, and which versions of the API it asked for. The tokens themselves are not in the archive.",
      tables: ["tokens", "token_uses", "token_versions"],
      rows: stored(store, byId(tokensAfter), (row, ecosystemId) => ({
        ...tokenResource(row),
        subjectId: row.subject_id,
        ecosystemId,
        ...timeOf("revokedAt", row.revoked_at),
      })),
    },
  ];
}

/** A page of tokens, each with its use and without its text. */
async function tokensAfter({ sql, ecosystemId }: TenantReader, after: string) {
  const rows = await sql.query(
    sql.build
      .selectFrom("tokens")
      .select(["id", "kind", "subject_id", "created_at", "expires_at", "revoked_at", "read_at"])
      .where("ecosystem_id", "=", ecosystemId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(EXPORT_PAGE),
  );
  const useOf = await useOfTokens(
    sql,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, use: useOf(row.id) }));
}
