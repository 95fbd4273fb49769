/** The first schema: tenants, their objects, hubs, devices, values, commands, events, tokens, nodes. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function first(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);

  return [
    table(
      "objects",
      {
        ecosystem_id: "text",
        id: "text",
        kind: "text",
        environment_id: "text?",
        alias: "text?",
        meta: "text",
        version: "integer",
        created_at: "integer",
        gone_at: "integer?",
      },
      ["ecosystem_id", "id"],
    ),
    createIndex("objects_alias")
      .on("objects")
      .columns(["ecosystem_id", "alias"])
      .unique()
      .where(sql.ref("alias"), "is not", null)
      .where(sql.ref("gone_at"), "is", null)
      // An ecosystem's own alias is unique within its account instead of within the ecosystem.
      .where(sql.ref("kind"), "!=", "eco"),
    // Excludes tombstones, so that the cost of a page does not grow with the number of deleted objects.
    createIndex("objects_kind")
      .on("objects")
      .columns(["ecosystem_id", "kind", "id"])
      .where(sql.ref("gone_at"), "is", null),
    createIndex("objects_environment")
      .on("objects")
      .columns(["ecosystem_id", "environment_id", "kind", "id"])
      .where(sql.ref("gone_at"), "is", null),
    table("ecosystems", { id: "text", account_id: "text", gone_at: "integer?" }, ["id"]),
    createIndex("ecosystems_account").on("ecosystems").columns(["account_id", "id"]),
    table("users", { ecosystem_id: "text", id: "text", key: "text", account_id: "text?" }, ["ecosystem_id", "id"]),
    createIndex("users_key").on("users").columns(["ecosystem_id", "key"]).unique(),
    table(
      "access_entries",
      {
        ecosystem_id: "text",
        id: "text",
        user_id: "text",
        environment_id: "text",
        created_at: "integer",
        gone_at: "integer?",
      },
      ["ecosystem_id", "id"],
    ),
    createIndex("access_entries_user")
      .on("access_entries")
      .columns(["ecosystem_id", "user_id", "environment_id"])
      .unique()
      .where(sql.ref("gone_at"), "is", null),
    table(
      "clients",
      {
        ecosystem_id: "text",
        id: "text",
        environment_id: "text",
        public_key: "text?",
        edge_id: "text?",
        epoch: "integer",
        log_id: "text?",
        position: "integer",
        inventory_digest: "text?",
        agent_version: "text?",
        online: "integer",
        online_since: "integer?",
        last_seen_at: "integer?",
        reason: "text?",
      },
      ["ecosystem_id", "id"],
    ),
    table(
      "tunnels",
      {
        ecosystem_id: "text",
        client_id: "text",
        epoch: "integer",
        node_id: "text",
        opened_at: "integer",
        closed_at: "integer?",
        reason: "text?",
      },
      ["ecosystem_id", "client_id", "epoch"],
    ),
    table(
      "devices",
      {
        ecosystem_id: "text",
        id: "text",
        environment_id: "text",
        type: "text",
        edge_id: "text?",
        client_id: "text?",
        arrival: "integer",
        digest: "text",
        description: "text",
        about: "text",
        online: "integer",
        online_since: "integer",
        last_seen_at: "integer?",
      },
      ["ecosystem_id", "id"],
    ),
    createIndex("devices_edge").on("devices").columns(["ecosystem_id", "environment_id", "edge_id"]).unique(),
    createIndex("devices_client").on("devices").columns(["ecosystem_id", "client_id"]),
    table(
      "property_values",
      {
        ecosystem_id: "text",
        device_id: "text",
        service: "text",
        idx: "text",
        property: "text",
        environment_id: "text",
        value: "text",
        number: "integer",
        modified_at: "integer",
        observed_at: "integer",
      },
      ["ecosystem_id", "device_id", "service", "idx", "property"],
    ),
    createIndex("property_values_environment")
      .on("property_values")
      .columns(["ecosystem_id", "environment_id", "device_id"]),
    table(
      "commands",
      {
        ecosystem_id: "text",
        id: "text",
        environment_id: "text",
        device_id: "text",
        client_id: "text?",
        service: "text",
        idx: "text",
        property: "text",
        value: "text",
        state: "text",
        outcome: "text?",
        error: "text?",
        created_at: "integer",
        expires_at: "integer",
        completed_at: "integer?",
        token_id: "text?",
      },
      ["ecosystem_id", "id"],
    ),
    createIndex("commands_open")
      .on("commands")
      .columns(["ecosystem_id", "client_id"])
      .where(sql.ref("completed_at"), "is", null),
    table("counters", { ecosystem_id: "text", sequence: "integer" }, ["ecosystem_id"]),
    table(
      "events",
      {
        ecosystem_id: "text",
        sequence: "integer",
        id: "text",
        type: "text",
        environment_id: "text?",
        data: "text",
        created_at: "integer",
      },
      ["ecosystem_id", "sequence"],
    ),
    table(
      "accounts",
      { id: "text", email: "text", email_key: "text", name: "text?", password_hash: "text", created_at: "integer" },
      ["id"],
    ),
    createIndex("accounts_email").on("accounts").columns(["email_key"]).unique(),
    table(
      "tokens",
      {
        id: "text",
        hash: "text",
        kind: "text",
        account_id: "text?",
        ecosystem_id: "text?",
        subject_id: "text",
        sealed: "text?",
        created_at: "integer",
        expires_at: "integer?",
        revoked_at: "integer?",
        address: "text?",
        user_agent: "text?",
      },
      ["id"],
    ),
    createIndex("tokens_hash").on("tokens").columns(["hash"]).unique(),
    createIndex("tokens_subject").on("tokens").columns(["subject_id", "id"]).where(sql.ref("revoked_at"), "is", null),
    table("nodes", { id: "text", lease: "integer", lease_until: "integer", started_at: "integer" }, ["id"]),
    table("sealing_keys", { id: "text", fingerprint: "text" }, ["id"]),
  ];
}
