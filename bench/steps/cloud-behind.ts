/** What the ladder's cloud does behind its answers, as the product does: history from the event log, and the request log every ten seconds. */
import { recordChange, type SeriesState } from "@porchlight/shared/history";
import type { CloudRows } from "./cloud-rows.ts";
import { ECOSYSTEM, ENVIRONMENT, TOKEN_ID } from "./steps.ts";

/** Events of one transaction, and between two looks at the log, ms. */
const SLICE = 500;
const LOOK_MS = 1_000;
/** While the thread is in use, history takes one part in so many + 1 of it. */
const RESTS = 9;
/** Requests that are kept between two writes of the log, ms, and of one job. */
const MOST_REQUESTS = 2_000;
const LOG_MS = 10_000;
const REQUESTS_OF_JOB = 50;

interface Series {
  readonly series: number;
  state: SeriesState;
}

/** Records the log as it grows. */
export function recordHistory({ db, write }: CloudRows): void {
  const read = db.prepare<[string, number], { sequence: number; data: string; created_at: number }>(
    "select sequence, data, created_at from events where ecosystem_id = +? and sequence > +? order by sequence limit 500",
  );
  const addSeries = db.prepare(
    `insert into history_series (ecosystem_id, environment_id, device_id, service, idx, property, kind, state, gone)
     values (?, ?, ?, ?, ?, ?, 'number', '', 0)`,
  );
  const setState = db.prepare("update history_series set state = ? where series = +?");
  const addPoint = db.prepare("insert into history_points (series, at, sequence, value) values (?, ?, ?, ?)");
  const setPosition = db.prepare(
    `insert into history_positions (ecosystem_id, sequence, at) values (?, ?, ?)
     on conflict (ecosystem_id) do update set sequence = excluded.sequence, at = excluded.at`,
  );
  const known = new Map<string, Series>();
  let position = 0;

  /** @returns whether there may be more */
  const slice = (): boolean => {
    const events = read.all(ECOSYSTEM, position);
    const last = events.at(-1);
    if (!last) return false;
    const changed = new Set<Series>();
    for (const { sequence, data, created_at } of events) {
      const { deviceId, service, index, property, value, modifiedAt } = JSON.parse(data).item;
      const key = `${deviceId} ${service}:${index}.${property}`;
      const at = Math.min(Date.parse(modifiedAt), created_at);
      const change = { at, value: JSON.stringify(value) };
      let series = known.get(key);
      const { state } = recordChange("number", series?.state, change, []);
      if (series) series.state = state;
      else {
        const added = addSeries.run(ECOSYSTEM, ENVIRONMENT, deviceId, service, index, property);
        series = { series: Number(added.lastInsertRowid), state };
        known.set(key, series);
      }
      addPoint.run(series.series, state.at, sequence, change.value);
      changed.add(series);
    }
    for (const { series, state } of changed) setState.run(JSON.stringify(state), series);
    setPosition.run(ECOSYSTEM, last.sequence, last.created_at);
    position = last.sequence;
    return events.length === SLICE;
  };
  const goOn = () => {
    write(() => {
      const start = performance.now();
      const more = slice();
      const took = performance.now() - start;
      return () => void setTimeout(goOn, more ? took * RESTS : LOOK_MS);
    });
  };
  setTimeout(goOn, LOOK_MS);
}

interface Answered {
  readonly requestId: string;
  readonly path: string;
  readonly ms: number;
  readonly commandId: string;
  readonly at: number;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** @returns counts an answer, and keeps it for the log */
export function countRequests({ db, ids, write }: CloudRows): (answered: Answered) => void {
  const insert = db.prepare(
    `insert into request_log (account_id, id, ecosystem_id, request_id, at, method, route, path, status, duration_us, token_id, command_id)
     values ('acc_01m7yjmq0ee0d869r77vh1rgdt', ?, ?, ?, ?, 'PUT', '/api/devices/:id/services/:selector', ?, 200, ?, ?, ?)`,
  );
  const use = db.prepare(
    `insert into token_uses (token_id, last_used_at) values (?, ?)
     on conflict (token_id) do update set last_used_at = max(excluded.last_used_at, token_uses.last_used_at)`,
  );
  const counts = [...BUCKETS.map(() => 0), 0];
  const durations = { counts, sum: 0 };
  let kept: Answered[] = [];
  setInterval(() => {
    const requests = kept;
    kept = [];
    const last = requests.at(-1);
    for (let at = 0; at < requests.length; at += REQUESTS_OF_JOB)
      write(() => {
        for (const request of requests.slice(at, at + REQUESTS_OF_JOB)) {
          const { requestId, path, ms, commandId } = request;
          insert.run(
            ids.next("req"),
            ECOSYSTEM,
            requestId,
            request.at,
            path,
            Math.round(ms * 1000),
            TOKEN_ID,
            commandId,
          );
        }
        return () => undefined;
      });
    if (last)
      write(() => {
        use.run(TOKEN_ID, last.at);
        return () => undefined;
      });
  }, LOG_MS).unref();
  return (answered) => {
    let at = 0;
    while (at < BUCKETS.length && answered.ms / 1000 > (BUCKETS[at] ?? 0)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    durations.sum += answered.ms;
    if (kept.length < MOST_REQUESTS) kept.push(answered);
  };
}
