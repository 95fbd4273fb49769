/** The rows of commands: stored with their result, or open while it is unknown, and settled once, whichever way the result arrives. */
import { type Command, type CommandTold, formatTime } from "@porchlight/shared/api";
import type { Outcome } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { ChangeCause } from "@porchlight/shared/rest";
import type { Failure, ResultRecord } from "@porchlight/shared/tunnel";
import { event } from "../../events/index.ts";
import { bulk, type CommandRow, one, type Sql, statement, type Transaction } from "../../store/index.ts";

/** How a command ended. */
export interface CommandEnd {
  readonly state: "confirmed" | "rejected" | "failed" | "expired";
  readonly outcome: Outcome;
  readonly error?: CommandError | undefined;
  /** The value that the device confirmed; undefined when it is the requested one. */
  readonly value?: Value | undefined;
}

export interface CommandError {
  readonly name: string;
  readonly detail: string;
  readonly code?: number | undefined;
}

/** Size of a row besides its texts, with its index entry, bytes. */
const ROW_BYTES = 300;

const insertCommand = statement<{ [K in keyof CommandRow]: CommandRow[K] }>("insert_command")((db, p) =>
  db
    .insertInto("commands")
    .values({
      ecosystem_id: p.ecosystem_id,
      id: p.id,
      environment_id: p.environment_id,
      device_id: p.device_id,
      client_id: p.client_id,
      service: p.service,
      idx: p.idx,
      property: p.property,
      value: p.value,
      state: p.state,
      outcome: p.outcome,
      error: p.error,
      created_at: p.created_at,
      expires_at: p.expires_at,
      completed_at: p.completed_at,
      token_id: p.token_id,
      deferred: p.deferred,
      origin: p.origin,
      hops: p.hops,
      scene_id: p.scene_id,
      scene_command_id: p.scene_command_id,
      confirmed_value: p.confirmed_value,
    })
    .onConflict((conflict) => conflict.columns(["ecosystem_id", "id"]).doNothing()),
);
const selectCommand = statement<{ eco: string; id: string }>("command")((db, p) =>
  db.selectFrom("commands").selectAll().where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);
type Settled = {
  eco: string;
  id: string;
  state: string;
  outcome: string;
  error: string | null;
  at: number;
  confirmed: string | null;
};
const settleRow = statement<Settled>("settle_command")((db, p) =>
  db
    .updateTable("commands")
    .set({ state: p.state, outcome: p.outcome, error: p.error, completed_at: p.at, confirmed_value: p.confirmed })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id)
    .where("completed_at", "is", null),
);
type Updated = {
  eco: string;
  id: string;
  state: string;
  outcome: string | null;
  error: string | null;
  at: number | null;
  hops: string | null;
  confirmed: string | null;
};
const updateRow = statement<Updated>("update_command")((db, p) =>
  db
    .updateTable("commands")
    .set({
      state: p.state,
      outcome: p.outcome,
      error: p.error,
      completed_at: p.at,
      hops: p.hops,
      confirmed_value: p.confirmed,
    })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id)
    .where("completed_at", "is", null),
);
const selectOpen = statement<{ eco: string; client: string }>("open_commands")((db, p) =>
  db
    .selectFrom("commands")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("completed_at", "is", null)
    .orderBy("id"),
);
/** For many hubs at once: each is asked when it reconnects. */
export const openCommands = bulk(selectOpen, { eco: "text", client: "text" });

const selectOpenOfDevice = statement<{ eco: string; client: string; device: string }>("open_commands_of_device")(
  (db, p) =>
    db
      .selectFrom("commands")
      .selectAll()
      .where("ecosystem_id", "=", p.eco)
      .where("client_id", "=", p.client)
      .where("completed_at", "is", null)
      .where("device_id", "=", p.device)
      .orderBy("id"),
);

export function readCommand(sql: Sql, ecosystemId: string, id: string): Promise<CommandRow | undefined> {
  return one<CommandRow>(sql.all(selectCommand, { eco: ecosystemId, id }));
}

/** Open commands of a hub, in the order of acceptance. */
export function readOpenCommands(sql: Sql, ecosystemId: string, clientId: string): Promise<CommandRow[]> {
  return sql.all(selectOpen, { eco: ecosystemId, client: clientId });
}

/** Open commands of one device of the hub; a virtual device, which has no hub, has none. */
export async function readOpenCommandsOfDevice(
  sql: Sql,
  ecosystemId: string,
  clientId: string | null,
  deviceId: string,
): Promise<CommandRow[]> {
  if (clientId === null) return [];
  return sql.all(selectOpenOfDevice, { eco: ecosystemId, client: clientId, device: deviceId });
}

/** Returns false when the command is stored already: its result has arrived by another way. */
export async function addCommand(tx: Transaction, row: CommandRow): Promise<boolean> {
  const isNew = (await tx.run(insertCommand, { ...row })) === 1;
  if (isNew) tx.addCommandBytes(bytesOf(row.value, row.error, row.origin, row.hops, row.confirmed_value));
  return isNew;
}

/** Stores the outcome of a command that was stored before it was sent; does nothing when it has ended already. */
export async function updateCommand(tx: Transaction, row: CommandRow): Promise<void> {
  tx.addCommandBytes(bytesOf(row.error, row.hops, row.confirmed_value));
  await tx.run(updateRow, {
    eco: row.ecosystem_id,
    id: row.id,
    state: row.state,
    outcome: row.outcome,
    error: row.error,
    at: row.completed_at,
    hops: row.hops,
    confirmed: row.confirmed_value,
  });
}

/** Ends an open command, with its event; does nothing when it has ended already. */
export async function settleCommand(tx: Transaction, row: CommandRow, end: CommandEnd, at: number): Promise<void> {
  const { state, outcome } = end;
  const error = end.error ? JSON.stringify(end.error) : null;
  const confirmed = confirmedText(row.value, end);
  const settled = await tx.run(settleRow, { eco: row.ecosystem_id, id: row.id, state, outcome, error, at, confirmed });
  if (settled === 0) return;
  tx.addCommandBytes(bytesOf(error, confirmed));
  tellCompleted(tx, { ...row, state, outcome, error, completed_at: at });
}

/** Appends `command.completed`, for a command whose caller was answered before its end was known. */
export function tellCompleted(tx: Transaction, row: CommandRow): void {
  tx.append(event("command.completed", row.environment_id, commandForEvent(row)));
}

/** Appends `command.unconfirmed`, for a command whose caller has waited and gets the error. */
export function tellUnconfirmed(tx: Transaction, row: CommandRow): void {
  tx.append(event("command.unconfirmed", row.environment_id, commandForEvent(row)));
}

/** The end of a command as its hub reports it. */
export function endOf(result: Pick<ResultRecord, "outcome" | "failure" | "value">): CommandEnd {
  const { outcome, failure, value } = result;
  switch (outcome) {
    case "confirmed":
      return { state: "confirmed", outcome, value };
    case "rejected":
      return { state: "rejected", outcome, error: errorOf(failure, "Device Rejected") };
    case "not_applied":
    case "unknown":
      return { state: "failed", outcome, error: errorOf(failure, "Device Unreachable") };
  }
}

/** The column of the confirmed value. @param asked JSON of the requested value */
export function confirmedText(asked: string, { outcome, value }: CommandEnd): string | null {
  const text = outcome === "confirmed" && value !== undefined ? JSON.stringify(value) : asked;
  return text === asked ? null : text;
}

/** JSON of the value with which a confirmed command has ended. */
export function confirmedValueOf(row: Pick<CommandRow, "value" | "confirmed_value">): string {
  return row.confirmed_value ?? row.value;
}

function bytesOf(...texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), ROW_BYTES);
}

function errorOf(failure: Failure | undefined, otherwise: Failure["name"]): CommandError {
  return failure ?? { name: otherwise, detail: "The hub gave no reason." };
}

/** Time from acceptance to the known end, ms; undefined for a command that has not ended. */
export function durationOf(row: Pick<CommandRow, "created_at" | "completed_at">): number | undefined {
  return row.completed_at === null ? undefined : Math.max(0, row.completed_at - row.created_at);
}

/** The cause of a value that a command has set. */
export function causeOf(
  row: Pick<CommandRow, "id" | "token_id" | "scene_id" | "scene_command_id" | "created_at" | "completed_at">,
): ChangeCause & { readonly commandId?: string | undefined } {
  const commandId = row.id;
  const durationMs = durationOf(row);
  const more = {
    ...(row.token_id !== null && { tokenId: row.token_id }),
    ...(durationMs !== undefined && { durationMs }),
  };
  if (row.scene_id === null || row.scene_command_id === null) return { kind: "command", commandId, ...more };
  return { kind: "scene", sceneId: row.scene_id, sceneCommandId: row.scene_command_id, commandId, ...more };
}

function commandForEvent(row: CommandRow): CommandTold {
  return { ...commandResource(row), ...(row.token_id !== null && { tokenId: row.token_id }) };
}

export function commandResource(row: CommandRow): Command {
  return {
    // Only this module writes the column.
    id: row.id,
    deviceId: row.device_id,
    service: row.service,
    index: row.idx,
    property: row.property,
    value: JSON.parse(row.value),
    state: row.state as Command["state"],
    ...(row.outcome !== null && { outcome: row.outcome as Outcome }),
    createdAt: formatTime(row.created_at),
    expiresAt: formatTime(row.expires_at),
    ...(row.scene_id !== null && { sceneId: row.scene_id }),
    ...(row.scene_command_id !== null && { sceneCommandId: row.scene_command_id }),
    ...(row.completed_at !== null && { completedAt: formatTime(row.completed_at) }),
    ...(row.error !== null && { error: JSON.parse(row.error) }),
  };
}
