/** A sink as the API shows it: never with its token. */
import { formatTime, type Sink } from "@porchlight/shared/api";
import type { SinkRow } from "../store/index.ts";

/** @param newest sequence of the newest event of its ecosystem */
export function sinkResource(row: SinkRow, newest: number): Sink {
  const { tried_at, status, failing_since, retry_at, error, refused_error, lost_at } = row;
  return {
    ecosystemId: row.ecosystem_id,
    url: row.url,
    measurementPrefix: row.measurement_prefix,
    enabled: row.enabled === 1,
    hasToken: row.token !== null,
    createdAt: formatTime(row.created_at),
    behind: Math.max(0, newest - row.position),
    ...(tried_at !== null && { lastDelivery: { at: formatTime(tried_at), ...(status !== null && { status }) } }),
    ...(failing_since !== null && { failingSince: formatTime(failing_since) }),
    ...(retry_at !== null && { nextAttemptAt: formatTime(retry_at) }),
    ...(error !== null && { error }),
    refusedLines: row.refused_lines,
    ...(refused_error !== null && { refusedError: refused_error }),
    lostEvents: row.lost_events,
    ...(lost_at !== null && { lostAt: formatTime(lost_at) }),
  };
}
