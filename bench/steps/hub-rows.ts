/** The database of the ladder's hub: the product's tables, written by plain functions that share one transaction a turn of the loop. */
import { crc32 } from "node:zlib";
import { MIGRATIONS } from "@porchlight/agent/state/schema.ts";
import { recordChange, type SeriesState } from "@porchlight/shared/history";
import Sqlite from "better-sqlite3";
import type { CommandFrame, Has, ResultFrame } from "./steps.ts";

const MOST_JOBS = 500;
/** How long an acknowledged record waits for its deletion, ms. */
const ACKNOWLEDGE_MS = 1_000;

export interface Outgoing {
  /** JSON of each. */
  readonly texts: readonly string[];
  readonly last: number;
}
export interface HubRows {
  /** The command is in the journal when it is done; what was there already is not begun. */
  begin(command: CommandFrame, done: (isNew: boolean) => void): void;
  /** Journal, value and record of a command that was begun. */
  end(command: CommandFrame, value: number, done: (text: string) => void): void;
  /** Records after that number. */
  pending(after: number): Outgoing;
  acknowledge(number: number): void;
}

type Target = Pick<CommandFrame, "device" | "service" | "index" | "property">;
interface Unsaved {
  readonly target: Target;
  readonly value: string;
  readonly number: number;
  readonly at: number;
}

/** @param told after each commit with new records */
export function openRows(path: string, has: Has, told: () => void): HubRows {
  const db = new Sqlite(path);
  db.pragma("locking_mode = EXCLUSIVE");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  for (const migration of MIGRATIONS) db.exec(migration);
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const known = db.prepare<[string], number>("select 1 from journal where command = +?").pluck();
  const insertJournal = db.prepare("insert into journal values (?, ?, ?, null, ?)");
  const endJournal = db.prepare("update journal set ended = ?, crc = ? where command = +?");
  const insertRecord = db.prepare("insert into outbox values (?, ?, ?, ?, ?, null, null, ?)");
  const setHub = db.prepare("insert or replace into hub values (1, '', ?, ?, 0, 0, 0, ?, ?, 0)");
  const setValue = db.prepare(
    `insert into property_values (device, service, idx, property, value, number, observed_at, written_at, event, modified_at, crc)
     values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?) on conflict (device, service, idx, property) do update
     set value = excluded.value, number = excluded.number, observed_at = excluded.observed_at, written_at = excluded.written_at,
       modified_at = excluded.modified_at, crc = excluded.crc`,
  );
  const addChange = db.prepare("insert into history_recent values (?, ?, ?, ?)");
  const after = db.prepare<[number], { number: number; payload: string }>(
    "select number, payload from outbox where number > +? order by number limit +200",
  );
  const remove = db.prepare("delete from outbox where number <= +?");

  const jobs: { readonly job: () => void; readonly done: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let lastNumber = 0;
  let acknowledged = 0;
  let newest = "";
  let isAcknowledging = false;
  const begun = new Map<string, string>();
  const unsaved = new Map<string, Unsaved>();
  const series = new Map<string, { readonly number: number; state: SeriesState }>();

  const flush = () => {
    clearTimeout(timer);
    timer = immediate = undefined;
    const group = jobs.splice(0, MOST_JOBS);
    const before = lastNumber;
    begin.run();
    for (const { job } of group) job();
    for (const { target, value, number, at } of unsaved.values()) {
      const { device, service, index, property } = target;
      const crc = seal(device, service, index, property, value, number, at, at, 0, at);
      setValue.run(device, service, index, property, value, number, at, at, at, crc);
    }
    unsaved.clear();
    if (lastNumber > before || isAcknowledging) {
      const now = Date.now();
      setHub.run(lastNumber, acknowledged, seal("", lastNumber, acknowledged, 0, 0, 0, now, 0), now);
    }
    commit.run();
    for (const { done } of group) done();
    if (jobs.length > 0) immediate ??= setImmediate(flush);
    if (lastNumber > before) told();
  };
  const write = (withinMs: number, job: () => void, done: () => void) => {
    jobs.push({ job, done });
    if (withinMs === 0) immediate ??= setImmediate(flush);
    else if (!immediate) timer ??= setTimeout(flush, withinMs);
  };

  /** A value and its record, under one number. */
  const store = (key: string, record: ResultFrame): string => {
    const { n, device, service, index, property, observedAt } = record;
    const value = JSON.stringify(record.value);
    const text = JSON.stringify(record);
    unsaved.set(key, { target: { device, service, index, property }, value, number: n, at: observedAt });
    const bytes = Buffer.byteLength(text);
    insertRecord.run(n, record.kind, null, text, bytes, seal(n, record.kind, null, text, bytes, null, null));
    if (has("history")) {
      const own = series.get(key);
      const { state } = recordChange("number", own?.state, { at: observedAt, value }, []);
      if (own) own.state = state;
      else series.set(key, { number: series.size + 1, state });
      addChange.run(own?.number ?? series.size, state.at, n, value);
    }
    return text;
  };

  return {
    begin(command, done) {
      let isNew = false;
      write(
        0,
        () => {
          const { id, device, service, index, property, value } = command;
          isNew = id > newest || known.get(id) === undefined;
          if (!isNew) return;
          const target = JSON.stringify({ device, service, index, property, value, begunAt: Date.now() });
          insertJournal.run(id, 0, target, seal(id, 0, target, null));
          begun.set(id, target);
          if (id > newest) newest = id;
        },
        () => done(isNew),
      );
    },
    end({ id, device, service, index, property, value: requested }, value, done) {
      let text = "";
      write(
        0,
        () => {
          const n = ++lastNumber;
          const observedAt = Date.now();
          const where = { command: id, device, service, index, property };
          const result: ResultFrame = {
            kind: "result",
            n,
            ...where,
            requested,
            outcome: "confirmed",
            value,
            observedAt,
          };
          text = store(keyOf(result), result);
          const ended = JSON.stringify({ n, outcome: "confirmed", value, observedAt });
          endJournal.run(ended, seal(id, 0, begun.get(id) ?? "", ended), id);
          begun.delete(id);
        },
        () => done(text),
      );
    },
    pending(number) {
      const found = after.all(number);
      return { texts: found.map(({ payload }) => payload), last: found.at(-1)?.number ?? number };
    },
    acknowledge(number) {
      acknowledged = Math.max(acknowledged, number);
      if (isAcknowledging) return;
      isAcknowledging = true;
      write(
        ACKNOWLEDGE_MS,
        () => {
          remove.run(acknowledged);
        },
        () => {
          isAcknowledging = false;
        },
      );
    },
  };
}

function keyOf({ device, service, index, property }: Target): string {
  return `${device} ${service}:${index}.${property}`;
}

/** As the product seals a row. */
function seal(...fields: readonly (string | number | null)[]): number {
  let text = "";
  for (const field of fields) text += `${field ?? ""}\u0000`;
  return crc32(text);
}
