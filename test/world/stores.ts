/** What stands on the disks of the world, read past the programs that wrote it: what a dead one has left is all that counts. */
import Sqlite from "better-sqlite3";
import type { CommandRecord, DeviceChange, EventRecord } from "./history.ts";

export interface Stored {
  readonly commands: CommandRecord[];
  readonly events: EventRecord[];
  readonly values: DeviceChange[];
}

/** @param ids of devices, by edgeId */
export function readCloud(path: string, ecosystemId: string, ids: ReadonlyMap<string, string>): Stored {
  const db = new Sqlite(path, { readonly: true });
  const edgeIds = new Map([...ids].map(([edgeId, id]) => [id, edgeId]));
  const values = db.prepare("select * from property_values").all() as Record<string, string>[];
  const stored = {
    commands: db.prepare("select id, value, state, outcome from commands").all() as CommandRecord[],
    events: db
      .prepare("select sequence, type, data from events where ecosystem_id = ? order by sequence")
      .all(ecosystemId) as EventRecord[],
    values: values.map((row) => ({
      device: edgeIds.get(row.device_id ?? "") ?? "unknown",
      property: `${row.service}:${row.idx}.${row.property}`,
      value: JSON.parse(row.value ?? "null"),
    })),
  };
  db.close();
  return stored;
}

/** How a command ended by a hub's journal; null while it has not. */
export function readJournal(path: string, commandId: string): unknown {
  const db = new Sqlite(path, { readonly: true });
  const row = db
    .prepare<[string], { ended: string | null }>("select ended from journal where command = ?")
    .get(commandId);
  db.close();
  return JSON.parse(row?.ended ?? "null");
}

/** Every command that a hub's journal knows, with how it ended; without an outcome while it has not. */
export function readJournaled(path: string): CommandRecord[] {
  const db = new Sqlite(path, { readonly: true });
  const rows = db.prepare("select command, target, ended from journal").all() as Record<string, string | null>[];
  db.close();
  return rows.map(({ command, target, ended }) => {
    const outcome: string | null = JSON.parse(ended ?? "null")?.outcome ?? null;
    const value = JSON.stringify(JSON.parse(target ?? "{}").value);
    return { id: command ?? "", value, state: outcome ?? "sent", outcome };
  });
}
