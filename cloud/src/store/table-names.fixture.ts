/** The name of every table, so that a test can walk them all: one that is left out is an error of types. */
import type { Tables } from "./tables.ts";

const NAMES: Readonly<Record<keyof Tables, true>> = {
  zone_items: true,
  sweeps: true,
  objects: true,
  users: true,
  access_entries: true,
  clients: true,
  tunnels: true,
  devices: true,
  property_values: true,
  commands: true,
  counters: true,
  events: true,
  webhooks: true,
  webhook_cursors: true,
  deliveries: true,
  ecosystems: true,
  idempotency_keys: true,
  idempotency_steps: true,
  accounts: true,
  account_codes: true,
  session_tokens: true,
  letters: true,
  pairings: true,
  erasures: true,
  tokens: true,
  nodes: true,
  sealing_keys: true,
  audit_entries: true,
  audit_chains: true,
  audit_links: true,
  request_log: true,
  token_uses: true,
  token_versions: true,
  version_notices: true,
};

// The keys of a record that is typed by them.
export const TABLES = Object.keys(NAMES) as (keyof Tables)[];
