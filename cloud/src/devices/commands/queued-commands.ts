/** The rows of commands that wait for their hub: sent when it is back, in the order in which they were stored, or expired. */
import type { Id } from "@porchlight/shared/kernel";
import { type CommandRow, one, statement, type Transaction } from "../../store/index.ts";
import { type CommandEnd, endOf, settleCommand, tellCompleted } from "./command-store.ts";

type Key = { eco: string; id: string };
const changeState = (name: string, from: string, to: string) =>
  statement<Key>(name)((db, p) =>
    db
      .updateTable("commands")
      .set({ state: to })
      .where("ecosystem_id", "=", p.eco)
      .where("id", "=", p.id)
      .where("state", "=", from)
      .where("completed_at", "is", null),
  );
const toSent = changeState("command_sent", "queued", "sent");
const toQueued = changeState("command_queued", "sent", "queued");
const follow = statement<{ eco: string; device: string; client: string }>("queued_commands_follow")((db, p) =>
  db
    .updateTable("commands")
    .set({ client_id: p.client })
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", p.device)
    .where("completed_at", "is", null)
    .where("state", "=", "queued"),
);

const newestOpen = statement<{ eco: string; client: string }>("newest_open_command")((db, p) =>
  db
    .selectFrom("commands")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("completed_at", "is", null)
    .orderBy("id", "desc")
    .limit(1),
);

type Expired = Key & { outcome: string; error: string; now: number };
/** Only while it still waits: another node may have sent it since it was found. */
const expireQueued = statement<Expired>("expire_queued_command")((db, p) =>
  db
    .updateTable("commands")
    .set({ state: "expired", outcome: p.outcome, error: p.error, completed_at: p.now })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id)
    .where("state", "=", "queued")
    .where("completed_at", "is", null)
    .returningAll(),
);

/** The end of a command that expired before its hub came back. */
const EXPIRED = {
  state: "expired",
  outcome: "not_sent",
  error: { name: "Hub Offline", detail: "The hub did not come back before the command expired: nothing was sent." },
} as const satisfies CommandEnd;

/**
 * The ID for a command that is stored now: after those of all that wait for the hub, even if another process with
 * another clock made them, because commands are sent in the order of their IDs.
 */
export async function nextInQueue(tx: Transaction, client: string): Promise<Id<"cmd">> {
  const newest = await one(tx.all(newestOpen, { eco: tx.ecosystemId, client }));
  // Only this module writes the ID.
  if (newest) tx.ids.passOver(newest.id as Id<"cmd">);
  return tx.ids.next("cmd");
}

/** Returns true when it must be sent now; an expired command ends. @param now wall-clock ms */
export async function takeFromQueue(tx: Transaction, row: CommandRow, now: number): Promise<boolean> {
  if (row.expires_at <= now) {
    await expire(tx, row, now);
    return false;
  }
  return (await tx.run(toSent, { eco: row.ecosystem_id, id: row.id })) === 1;
}

/** The command was not sent: it waits again, as long as it has time. @param now wall-clock ms */
export async function putBack(tx: Transaction, row: CommandRow, now: number): Promise<void> {
  if (row.expires_at <= now) await settleCommand(tx, row, EXPIRED, now);
  else await tx.run(toQueued, { eco: row.ecosystem_id, id: row.id });
}

/** The device has moved to another hub: its waiting commands move too. */
export async function followDevice(tx: Transaction, device: string, client: string): Promise<void> {
  await tx.run(follow, { eco: tx.ecosystemId, device, client });
}

/** The end of a command by its hub's answer: a deferred command that the hub refuses as too late has expired. @param now wall-clock ms */
export function endBy(row: CommandRow, answer: Parameters<typeof endOf>[0], now: number): CommandEnd {
  const end = endOf(answer);
  return row.deferred === 1 && end.outcome === "not_applied" && row.expires_at <= now
    ? { ...end, state: "expired" }
    : end;
}

/** Ends a command that still waits, with its event; one that was sent meanwhile is left to its hub. @param now wall-clock ms */
export async function expire(tx: Transaction, row: CommandRow, now: number): Promise<void> {
  const { outcome, error } = EXPIRED;
  const end = { outcome, error: JSON.stringify(error), now };
  for (const ended of await tx.all(expireQueued, { eco: row.ecosystem_id, id: row.id, ...end }))
    tellCompleted(tx, ended);
}
