/**
 * Every table of the cloud, as Kysely types. Tenant tables have `ecosystem_id`, first in their keys; the others belong
 * to the service. Times are integers, ms since 1970 UTC; JSON is stored as text; a flag is 0 or 1.
 */

import type {
  AccountCodeRow,
  AccountRow,
  CodeLogInRow,
  EmailRow,
  ErasureRow,
  ExportTables,
  PairingRow,
  SessionTokenRow,
  SharedLimitRow,
  TokenRow,
  TokenUseRow,
  TokenVersionRow,
  VersionNoticeRow,
} from "./account-tables.ts";
import type { AuditTables } from "./audit-tables.ts";
import type {
  AlertSettingsTables,
  AlertTables,
  SinkTables,
  WebhookShareTables,
  WebhookTables,
} from "./delivery-tables.ts";
import type { HistoryTables, HistoryValueTables } from "./history-tables.ts";
import type { ClientRow, SceneTables, TunnelRow } from "./home-tables.ts";
import type {
  ActivityTables,
  CountingTables,
  IdempotencyTables,
  NodeRow,
  RequestLogRow,
  RevocationRow,
  SealingKeyRow,
} from "./service-tables.ts";

/** The columns that all objects with an ID share, and that stay as a tombstone after deletion. */
export interface ObjectRow {
  ecosystem_id: string;
  id: string;
  /** Prefix of its ID. */
  kind: string;
  /** Its environment; for an environment its own ID; null for objects directly in the ecosystem. */
  environment_id: string | null;
  alias: string | null;
  meta: string;
  /** Counts the changes that a PUT can make: the ETag. */
  version: number;
  created_at: number;
  gone_at: number | null;
}

export interface EcosystemRow {
  id: string;
  account_id: string;
  gone_at: number | null;
}

/** Deleted with the user, which frees the key; the object stays as the tombstone. */
export interface UserRow {
  ecosystem_id: string;
  id: string;
  key: string;
  /** The account whose holder this user is: it exists as long as the account. */
  account_id: string | null;
}

export interface AccessEntryRow {
  ecosystem_id: string;
  id: string;
  user_id: string;
  environment_id: string;
  created_at: number;
  /** When it was revoked. The end of its environment leaves it null: the record of who had access stays. */
  gone_at: number | null;
}

export interface DeviceRow {
  ecosystem_id: string;
  id: string;
  environment_id: string;
  type: string;
  edge_id: string | null;
  client_id: string | null;
  arrival: number;
  digest: string;
  /** DeviceDescription as JSON. */
  description: string;
  /** System metadata maintained by the service, as a JSON object. */
  about: string;
  /** 1 when its hub last reported it as reachable. */
  online: number;
  online_since: number;
  last_seen_at: number | null;
}

export interface PropertyValueRow {
  ecosystem_id: string;
  device_id: string;
  service: string;
  idx: string;
  property: string;
  environment_id: string;
  /** JSON. */
  value: string;
  /** Its number in the hub's history: only a larger one replaces it. */
  number: number;
  modified_at: number;
  observed_at: number;
}

export interface CommandRow {
  ecosystem_id: string;
  id: string;
  environment_id: string;
  device_id: string;
  client_id: string | null;
  service: string;
  idx: string;
  property: string;
  value: string;
  /** queued, sent, confirmed, rejected, failed, expired. */
  state: string;
  outcome: string | null;
  /** JSON of `{name, detail, code?}`. */
  error: string | null;
  created_at: number;
  expires_at: number;
  completed_at: number | null;
  token_id: string | null;
  /** 1 when its caller did not wait: until it expires it waits for its hub, and its end is an event. */
  deferred: number | null;
  /**
   * JSON of the request it came from and of the timing of its stages (`command-origin.ts`); null for a command stored
   * before the column existed.
   */
  origin: string | null;
  hops: string | null;
  /** The scene and the ID of the call that it belongs to; null outside a scene. */
  scene_id: string | null;
  scene_command_id: string | null;
  /** JSON of the value that the device confirmed, if it differs from `value`. */
  confirmed_value: string | null;
}

/** A direct item of a zone. When its hub's deletion removes the item, the row stays until it is swept. */
export interface ZoneItemRow {
  ecosystem_id: string;
  zone_id: string;
  item_id: string;
  /** zon or dev. */
  kind: string;
  environment_id: string;
  /** Position in the list. */
  position: number;
}

/** A deleted ecosystem, environment or client whose contents may not all be deleted yet. */
export interface SweepRow {
  ecosystem_id: string;
  id: string;
  /** eco, env, cli. */
  kind: string;
  created_at: number;
}

export interface CounterRow {
  ecosystem_id: string;
  /** Sequence of the newest event. */
  sequence: number;
  /** Counts the transactions that changed the ecosystem: the caches of other nodes are compared with it. */
  version: number | null;
  /** Total bytes of its events; null before the first counted one. */
  log_bytes: number | null;
}

export interface EventRow {
  ecosystem_id: string;
  sequence: number;
  id: string;
  type: string;
  environment_id: string | null;
  data: string;
  created_at: number;
  /** Bytes of all events before it; null for an event stored before bytes were counted. */
  log_offset: number | null;
}

/** An audit entry: kept for the account, even after the ecosystem is deleted. */
export interface AuditEntryRow {
  account_id: string;
  id: string;
  ecosystem_id: string | null;
  at: number;
  /** account, server, user, client, service. */
  actor_type: string;
  actor_id: string | null;
  token_id: string | null;
  address: string | null;
  action: string;
  object_id: string | null;
  /** JSON object. */
  detail: string;
  /** Its chain, its number there, and the salt of its digest. */
  chain_id: string | null;
  sequence: number | null;
  salt: string | null;
}

export interface Tables
  extends ActivityTables,
    CountingTables,
    AlertTables,
    AlertSettingsTables,
    AuditTables,
    ExportTables,
    HistoryTables,
    HistoryValueTables,
    IdempotencyTables,
    SceneTables,
    SinkTables,
    WebhookTables,
    WebhookShareTables {
  zone_items: ZoneItemRow;
  sweeps: SweepRow;
  objects: ObjectRow;
  users: UserRow;
  access_entries: AccessEntryRow;
  clients: ClientRow;
  tunnels: TunnelRow;
  devices: DeviceRow;
  property_values: PropertyValueRow;
  commands: CommandRow;
  counters: CounterRow;
  endings: RevocationRow;
  events: EventRow;
  ecosystems: EcosystemRow;
  accounts: AccountRow;
  account_codes: AccountCodeRow;
  session_tokens: SessionTokenRow;
  shared_limits: SharedLimitRow;
  letters: EmailRow;
  pairings: PairingRow;
  code_log_ins: CodeLogInRow;
  erasures: ErasureRow;
  tokens: TokenRow;
  nodes: NodeRow;
  sealing_keys: SealingKeyRow;
  audit_entries: AuditEntryRow;
  request_log: RequestLogRow;
  token_uses: TokenUseRow;
  token_versions: TokenVersionRow;
  version_notices: VersionNoticeRow;
}

/** Tables that a tenant's reader may query: each has `ecosystem_id`. */
export type TenantTable =
  | "zone_items"
  | "sweeps"
  | "objects"
  | "users"
  | "access_entries"
  | "clients"
  | "tunnels"
  | "devices"
  | "property_values"
  | "commands"
  | "counters"
  | "events"
  | keyof ActivityTables
  | keyof AlertTables
  | keyof HistoryTables
  | keyof SceneTables
  | keyof SinkTables
  | keyof WebhookTables;
