/**
 * Rows of every table that can hold something of an account, each with a word by which it is known again: what is exported and what is
 * erased is tested with them. A table that is left out is an error of types.
 */
import type { Insertable } from "kysely";
import type { Tables } from "./tables/tables.ts";

export interface RowOwner {
  readonly account: string;
  readonly eco: string;
  readonly env: string;
}

/** A word that stands in the row of that table and nowhere else. */
export function markOf(table: keyof Tables): string {
  return `mark-of-${table}`;
}

/** Why a table has no row here. */
export type WhyNone = "of the service" | "made with the account" | "has only hashes" | "would begin an erasure";

const AT = 1_780_000_000_000;
const idOf = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`;
const CLIENT = idOf("cli");
const DEVICE = idOf("dev");
const WEBHOOK = idOf("whk");
const ZONE = idOf("zon");
const SCENE = idOf("scn");
const USER = idOf("usr");
export const LOGIN = "tok_01h455vb4pex5vsknk084sn02r";
export const SERVER_TOKEN = "tok_01h455vb4pex5vsknk084sn02s";
const EVENT = idOf("evt");
/** The database gives it to the first one. */
const SERIES = 1;

type RowsOf<T extends keyof Tables> = Insertable<Tables[T]> | readonly Insertable<Tables[T]>[] | WhyNone;

/** Where there is none, why. */
export function rowsOfEveryTable({ account, eco, env }: RowOwner): { readonly [T in keyof Tables]: RowsOf<T> } {
  const inEco = { ecosystem_id: eco };
  const inEnv = { ecosystem_id: eco, environment_id: env };
  const mark = (table: keyof Tables) => markOf(table);
  const object = { ...inEnv, meta: "{}", version: 1, created_at: AT, gone_at: null };
  const step = {
    ...{ series: SERIES, start: AT, count: 1, known_ms: 1, min: null, max: null, area: 0, growth: 0, resets: 0 },
    states: null,
  };
  return {
    accounts: "made with the account",
    ecosystems: "made with the account",
    counters: "made with the account",
    erasures: "would begin an erasure",
    nodes: "of the service",
    sealing_keys: "of the service",
    counting_periods: "of the service",
    webhook_nodes: "of the service",
    webhook_shares: "of the service",
    webhook_calls: "of the service",
    endings: "of the service",
    shared_limits: "has only hashes",
    audit_chains: "has only hashes",
    audit_links: "has only hashes",
    idempotency_steps: "has only hashes",
    objects: [
      { ...object, id: DEVICE, kind: "dev", alias: mark("objects") },
      ...[
        { id: CLIENT, kind: "cli" },
        { id: ZONE, kind: "zon" },
        { id: SCENE, kind: "scn" },
        { id: USER, kind: "usr" },
        { id: WEBHOOK, kind: "whk" },
      ].map((each) => ({ ...object, ...each, alias: null })),
    ],
    devices: {
      ...{ ...inEnv, id: DEVICE, type: "virtual", edge_id: null, client_id: null, arrival: 0, digest: "" },
      description: JSON.stringify([{ service: mark("devices"), index: "0", properties: [] }]),
      ...{ about: "{}", online: 1, online_since: AT, last_seen_at: null },
    },
    property_values: {
      ...{ ...inEnv, device_id: DEVICE, service: "Switch", idx: "0", property: "on" },
      ...{ value: JSON.stringify(mark("property_values")), number: 1, modified_at: AT, observed_at: AT },
    },
    clients: {
      ...{ ...inEnv, id: CLIENT, public_key: mark("clients"), edge_id: null, epoch: 1, log_id: null, position: 0 },
      ...{
        inventory_digest: null,
        agent_version: null,
        stores_scenes: null,
        online: 0,
        online_since: null,
        last_seen_at: null,
      },
      reason: null,
    },
    tunnels: {
      ...{ ...inEco, client_id: CLIENT, epoch: 1, node_id: "node", opened_at: AT, closed_at: AT },
      ...{ reason: mark("tunnels"), instance: null, kept: null },
    },
    zone_items: {
      ...{ ...inEnv, zone_id: ZONE, item_id: DEVICE, kind: "dev", position: 0 },
    },
    scene_items: {
      ...{ ...inEnv, scene_id: SCENE, position: 0, target_id: DEVICE, selector: "Switch.on" },
      value: JSON.stringify(mark("scene_items")),
    },
    scene_triggers: {
      ...{ ...inEnv, scene_id: SCENE, position: 0, kind: "time", device_id: null },
      trigger: JSON.stringify({ kind: "time", at: mark("scene_triggers") }),
    },
    homes: { ...inEco, id: env, time_zone: mark("homes"), location: null },
    sweeps: { ...inEco, id: mark("sweeps"), kind: "cli", created_at: AT },
    users: { ...inEco, id: USER, key: mark("users"), account_id: null },
    access_entries: {
      ...{ ...inEnv, id: idOf("acs"), user_id: mark("access_entries"), created_at: AT, gone_at: AT },
    },
    commands: {
      ...{ ...inEnv, id: idOf("cmd"), device_id: DEVICE, client_id: null, service: "Switch", idx: "0", property: "on" },
      ...{ value: JSON.stringify(mark("commands")), state: "confirmed", outcome: "confirmed", error: null },
      ...{ created_at: AT, expires_at: AT, completed_at: AT, token_id: null, deferred: null },
      ...{ origin: null, hops: null, scene_id: null, scene_command_id: null, confirmed_value: null },
    },
    events: {
      ...{ ...inEco, sequence: 1_000_000, id: EVENT, type: "zone.deleted", environment_id: env },
      ...{ data: JSON.stringify({ alias: mark("events") }), created_at: AT, log_offset: null },
    },
    webhooks: {
      ...{ ...inEco, id: WEBHOOK, environment_id: null, url: `https://receiver.example/${mark("webhooks")}` },
      ...{ description: null, disabled: 1, events: "[]", secrets: "", failing_since: null, created_at: AT },
    },
    webhook_cursors: { ...inEco, webhook_id: WEBHOOK, id: mark("webhook_cursors"), position: 0, until: null },
    deliveries: {
      ...{ ...inEco, id: idOf("dlv"), webhook_id: WEBHOOK, event_id: EVENT, type: "zone.deleted", cursor: null },
      ...{ sequence: 1, body: mark("deliveries"), attempt: 1, state: "succeeded", created_at: AT },
      ...{ next_attempt_at: null, attempted_at: AT, duration_ms: 1, response_status: 200, error: null },
      ...{ response: null, attempt_error: null, earlier_attempts: null },
    },
    alerts: {
      ...{ ...inEco, id: idOf("alt"), kind: "hub_offline", subject_id: CLIENT, subject_name: mark("alerts") },
      ...{ environment_id: env, text: "offline", end_text: "online", since: AT, opened_at: AT, ended_at: AT },
      ...{ mail: null, told: 0 },
    },
    request_counts: {
      ...{ ...inEco, minute: AT - (AT % 60_000), succeeded: 987_654, redirected: 0, refused: 0, failed: 0 },
    },
    alert_settings: {
      account_id: account,
      settings: JSON.stringify({ quietHours: { timeZone: "Pacific/Chatham", start: "22:00", end: "06:00" } }),
      mailed_at: null,
    },
    account_codes: {
      hash: mark("account_codes"),
      account_id: account,
      purpose: "reset",
      created_at: AT,
      expires_at: AT,
    },
    tokens: [
      {
        ...{ id: LOGIN, hash: "hash of a log-in", kind: "auth", account_id: account, ecosystem_id: null },
        ...{ subject_id: account, sealed: null, created_at: AT, expires_at: null, revoked_at: AT, address: null },
        ...{ user_agent: mark("tokens"), by_cookie: null },
      },
      {
        ...{ id: SERVER_TOKEN, hash: "hash of a server token", kind: "srv", account_id: null, ecosystem_id: eco },
        ...{ subject_id: "srv_1", sealed: "sealed token", created_at: AT, expires_at: null, revoked_at: AT },
        ...{ address: null, user_agent: null, by_cookie: null },
      },
    ],
    token_uses: [LOGIN, SERVER_TOKEN].map((token_id) => ({ token_id, last_used_at: AT + 86_400_000 })),
    token_versions: {
      ...{ token_id: LOGIN, via: "header", version: mark("token_versions"), first_seen_at: AT, last_seen_at: AT },
      count: 1,
    },
    session_tokens: { hash: mark("session_tokens"), login_id: LOGIN, expires_at: AT },
    letters: {
      ...{ id: mark("letters"), account_id: account, sealed: "", attempts: 0, next_at: 10 * AT, expires_at: 10 * AT },
      ...{ created_at: AT, claimed_by: null },
    },
    version_notices: { account_id: account, release: mark("version_notices"), told_at: AT },
    audit_entries: {
      ...{ account_id: account, id: idOf("aud"), ecosystem_id: null, at: AT, actor_type: "account", actor_id: account },
      ...{ token_id: null, address: mark("audit_entries"), action: "zone.deleted", object_id: null, detail: "{}" },
      ...{ chain_id: null, sequence: null, salt: null },
    },
    request_log: {
      ...{ account_id: account, id: idOf("req"), ecosystem_id: eco, request_id: mark("request_log"), at: AT },
      ...{ method: "GET", route: "/api/zones", path: "/api/zones", status: 200, duration_us: 1, token_id: null },
      ...{ problem: null, problem_body: null, command_id: null },
    },
    idempotency_keys: {
      ...{ hash: mark("idempotency_keys"), owner: account, fingerprint: "", state: "done", node_id: "", claim: "" },
      ...{ answer: null, created_at: AT },
    },
    pairings: {
      ...{ device_hash: mark("pairings"), user_hash: "", public_key: "", edge_id: "", agent_version: "" },
      ...{ address: "192.0.2.7", state: "approved", interval_ms: 5_000, polled_at: null, created_at: AT },
      ...{ expires_at: 10 * AT, ecosystem_id: eco, environment_id: env, client_id: CLIENT, issued_epoch: null },
    },
    code_log_ins: {
      ...{ device_hash: mark("code_log_ins"), user_hash: "", address: "192.0.2.7", user_agent: null },
      ...{ state: "approved", interval_ms: 5_000, polled_at: null, created_at: AT, expires_at: 10 * AT },
      ...{ account_id: account, approved_by: LOGIN },
    },
    history_positions: "made with the account",
    history_series: {
      ...{ ...inEnv, device_id: DEVICE, service: "Switch", idx: "0", property: "on", kind: "state" },
      ...{ unit: mark("history_series"), state: "{}", gone: 0 },
    },
    history_points: { series: SERIES, at: AT, sequence: 1, value: JSON.stringify(mark("history_points")) },
    history_five_minutes: { ...step, last: JSON.stringify(mark("history_five_minutes")) },
    history_hours: { ...step, last: JSON.stringify(mark("history_hours")) },
    history_gaps: { ...inEco, subject_id: mark("history_gaps"), since: AT, until: AT + 1, restarted: 0 },
    sinks: {
      ...{ ...inEco, url: `https://receiver.example/${mark("sinks")}`, token: "sealed token", measurement_prefix: "" },
      ...{ enabled: 0, created_at: AT, revision: 1, position: 0, proven: 0, tried_at: null, status: null },
      ...{ failing_since: null, error: null, attempts: 0, retry_at: null, refused_lines: 0, refused_error: null },
      ...{ lost_events: 0, lost_at: null },
    },
    history_settings: { ...inEco, enabled: 1, raw_days: 8_765, statistics_days: null },
    account_exports: {
      ...{ account_id: account, id: idOf("exp"), state: "ready", started_at: AT, node_id: null, attempt: 1 },
      ...{ bytes: 3, ended_at: AT, expires_at: 10 * AT, problem: null },
    },
    export_chunks: {
      ...{ account_id: account, export_id: idOf("exp"), attempt: 1, place: 0, data: mark("export_chunks") },
    },
  };
}
