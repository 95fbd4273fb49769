/** Exporters of hubs and devices: what they are, what they can do, what they said last, and what was asked of them. */
import { formatTime } from "@porchlight/shared/api";
import { DEFAULT_META_PREFIX } from "../../access/index.ts";
import { commandResource, currentItems, type Devices } from "../../devices/index.ts";
import type { Clients, Presence } from "../../places/index.ts";
import type { Store } from "../../store/index.ts";
import { clientResource } from "../../tunnels/index.ts";
import { EXPORT_PAGE, type Exporter, paged } from "./exporter.ts";

export interface DeviceExportersDeps {
  readonly store: Store;
  readonly clients: Pick<Clients, "list">;
  readonly presence: Presence;
  readonly devices: Pick<Devices, "list" | "show">;
}

export function deviceExporters({ store, clients, presence, devices }: DeviceExportersDeps): Exporter[] {
  return [
    {
      name: "clients",
      about:
        "Hubs, with alias, metadata, edge ID, public key, and the state of their connection at the time of the export.",
      tables: ["objects", "clients"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => clients.list(caller, undefined, after, EXPORT_PAGE),
          ({ id }) => id,
        );
        for await (const row of rows)
          yield {
            ...clientResource(row, presence(row)),
            ...(row.public_key !== null && { publicKey: row.public_key }),
          };
      },
    },
    {
      name: "connections",
      about: "The last connections of each hub: when they opened and closed, and why they ended.",
      tables: ["tunnels"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) {
          const rows = paged(
            (after) => readTunnels(store, eco, after),
            ({ client_id }) => client_id,
          );
          for await (const { client_id, epoch, opened_at, closed_at, reason } of rows)
            yield {
              ecosystemId: eco,
              clientId: client_id,
              epoch,
              openedAt: formatTime(opened_at),
              ...(closed_at !== null && { closedAt: formatTime(closed_at) }),
              ...(reason !== null && { reason }),
            };
        }
      },
    },
    {
      name: "devices",
      about:
        "Devices, with alias, metadata and connection. `services` is what a device can do, as `GET /api/devices/:id/services` describes it.",
      tables: ["objects", "devices"],
      async *rows({ caller }) {
        const places = caller.ecosystemIds.map((ecosystemId) => ({ ecosystemId }));
        for (let after = ""; ; ) {
          const page = await devices.list({ places, after, limit: EXPORT_PAGE });
          const services = await servicesOf(store, page);
          for (const device of page)
            yield { ...devices.show(device, DEFAULT_META_PREFIX), services: services.get(device.id) ?? [] };
          const last = page.at(-1);
          if (last === undefined || page.length < EXPORT_PAGE) return;
          after = last.id;
        }
      },
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
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) {
          const rows = paged(
            (after) => readCommands(store, eco, after),
            ({ id }) => id,
          );
          for await (const row of rows)
            yield {
              ...commandResource(row),
              ecosystemId: eco,
              environmentId: row.environment_id,
              ...(row.client_id !== null && { clientId: row.client_id }),
              ...(row.token_id !== null && { tokenId: row.token_id }),
            };
        }
      },
    },
  ];
}

/** What devices of a list can do, by their IDs. */
async function servicesOf(
  store: Store,
  devices: readonly { readonly id: string; readonly ecosystem_id: string }[],
): Promise<ReadonlyMap<string, unknown>> {
  const services = new Map<string, unknown>();
  for (const [eco, some] of Map.groupBy(devices, ({ ecosystem_id }) => ecosystem_id)) {
    const reader = store.of(eco);
    const ids = some.map(({ id }) => id);
    const rows = await reader.sql.query(reader.from("devices").select(["id", "description"]).where("id", "in", ids));
    for (const { id, description } of rows) services.set(id, JSON.parse(description));
  }
  return services;
}

/** A hub with many is told of whole, so that a page always ends between two hubs. */
async function readTunnels(store: Store, eco: string, after: string) {
  const reader = store.of(eco);
  const page = reader.sql.query(
    reader
      .from("tunnels")
      .selectAll()
      .where("client_id", ">", after)
      .orderBy("client_id")
      .orderBy("epoch")
      .limit(EXPORT_PAGE),
  );
  const rows = await page;
  const last = rows.at(-1);
  if (last === undefined || rows.length < EXPORT_PAGE) return rows;
  const rest = await reader.sql.query(
    reader
      .from("tunnels")
      .selectAll()
      .where("client_id", "=", last.client_id)
      .where("epoch", ">", last.epoch)
      .orderBy("epoch"),
  );
  return [...rows, ...rest];
}

function readCommands(store: Store, eco: string, after: string) {
  const reader = store.of(eco);
  return reader.sql.query(reader.from("commands").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE));
}
