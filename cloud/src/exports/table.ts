/**
 * All exporters, in the order of the files, and the tables that no exporter covers, each with the reason. A new table needs an
 * exporter, or a reason here: a test checks all tables of the store.
 */
import type { Tables } from "../store/index.ts";
import type { Exporter } from "./exporter.ts";
import { historyExporters } from "./history.ts";
import { type AccessExportersDeps, accessExporters, type ObjectExportersDeps, objectExporters } from "./objects.ts";
import { type RecordExportersDeps, recordExporters } from "./records.ts";

export type ExportersDeps = ObjectExportersDeps & AccessExportersDeps & RecordExportersDeps;

export function allExporters(deps: ExportersDeps): readonly Exporter[] {
  return [...objectExporters(deps), ...historyExporters(deps), ...accessExporters(deps), ...recordExporters(deps)];
}

const OF_THE_SERVICE = "is about the service itself, not about an account";
const ONLY_HASHES = "holds only hashes, from which nothing can be read";

export const NOT_EXPORTED: Partial<Readonly<Record<keyof Tables, string>>> = {
  sweeps: "is a list of work: what was deleted and has rows left",
  counters: "numbers the events, which are exported with their numbers",
  history_positions: "is how far the recording of events has come; what was recorded is exported",
  webhook_cursors: "is how far the sending of events has come; what was sent is exported",
  webhook_nodes: OF_THE_SERVICE,
  webhook_shares: OF_THE_SERVICE,
  webhook_calls: OF_THE_SERVICE,
  endings: "tells other nodes of ended tokens, which are exported as such",
  idempotency_keys: "holds hashes and sealed answers, for a day",
  idempotency_steps: "holds hashes and sealed values, for a day",
  account_codes: ONLY_HASHES,
  session_tokens: ONLY_HASHES,
  shared_limits: ONLY_HASHES,
  letters: "holds e-mails until they are sent, and they go to the account itself",
  pairings: "holds pairings for the minutes until a hub is approved, which is then exported",
  code_log_ins: "holds log-ins by code for the minutes until they are approved, and are then exported",
  erasures: "holds accounts that are gone already",
  nodes: OF_THE_SERVICE,
  sealing_keys: OF_THE_SERVICE,
  counting_periods: OF_THE_SERVICE,
  audit_chains: "proves that the audit is whole, and tells nothing more than its entries",
  audit_links: "proves that the audit is whole, and tells nothing more than its entries",
  account_exports: "is about the archive itself",
  export_chunks: "is the archive itself",
};
