/** After a reconnect: asks the hub about every open command, so that one that never reached it is settled too. */
import type { Clock } from "@porchlight/shared/kernel";
import { PeerGone, PeerRefused, PeerTimeout } from "@porchlight/shared/tunnel";
import { type CommandRow, type Sql, type Store, statement } from "../../store/index.ts";
import { type HubTunnel, standingOf } from "../../tunnels/index.ts";
import { readOpenCommands, settleCommand } from "../commands/command-store.ts";
import type { OpenDeadlines } from "./open-deadlines.ts";
import { endBy } from "./queued-commands.ts";

export interface RecoverDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly deadlines: OpenDeadlines;
}

/** How long the hub may take to answer beyond the command's own deadline, ms. */
const ANSWER_MS = 10_000;
/** Commands asked for at once. */
const SIDE_BY_SIDE = 100;

const selectEdge = statement<{ eco: string; device: string }>("device_edge")((db, p) =>
  db.selectFrom("devices").select("edge_id").where("ecosystem_id", "=", p.eco).where("id", "=", p.device),
);

/**
 * A command whose time is not over may be on its way to the hub through another node, and is not asked about until it is.
 *
 * Each is asked under its own ID, in the order in which they were accepted: the hub's journal answers what it has begun,
 * what has time left is carried out, and the rest is refused as late. Only what the hub never began is settled here; the
 * end of everything else comes as a record of its history.
 * @param among whether only what has no time left, because the rest has just been sent again
 * @returns ms after which there are more to be asked about; undefined when there are none
 */
export async function recoverCommands(
  deps: RecoverDeps,
  tunnel: HubTunnel,
  among: "all" | "late",
): Promise<number | undefined> {
  const { ecosystemId, clientId } = tunnel.hub;
  const { sql } = deps.store.of(ecosystemId);
  const now = deps.clock.monotonic();
  const wall = deps.clock.now();
  const rows = (await readOpenCommands(sql, ecosystemId, clientId)).filter(({ state }) => state !== "queued");
  const isSentHere = ({ id }: CommandRow) => deps.deadlines.get(id, now) !== undefined;
  const isLater = (row: CommandRow) => row.expires_at > wall && !isSentHere(row);
  const open = rows.filter((row) => !isLater(row) && (among === "all" || !isSentHere(row)));
  for (let at = 0; at < open.length; at += SIDE_BY_SIDE) {
    const some = open.slice(at, at + SIDE_BY_SIDE);
    const edges = await edgesOf(sql, ecosystemId, some);
    await Promise.all(some.map((row) => recover(deps, tunnel, row, edges.get(row.device_id))));
  }
  const later = rows.filter(isLater).map((row) => row.expires_at - wall);
  return later.length > 0 ? Math.min(...later) : undefined;
}

/** Under which edgeId the hub knows the devices of these commands. */
export async function edgesOf(sql: Sql, eco: string, rows: readonly CommandRow[]): Promise<Map<string, string>> {
  const edges = new Map<string, string>();
  for (const device of new Set(rows.map((row) => row.device_id))) {
    const [found] = await sql.all(selectEdge, { eco, device });
    if (found?.edge_id) edges.set(device, found.edge_id);
  }
  return edges;
}

async function recover(deps: RecoverDeps, tunnel: HubTunnel, row: CommandRow, edge: string | undefined): Promise<void> {
  if (edge === undefined) return;
  const { id, service, idx: index, property } = row;
  const now = deps.clock.monotonic();
  const deadline = deps.deadlines.get(id, now) ?? now;
  const command = { id, device: edge, service, index, property, value: JSON.parse(row.value) };
  deps.deadlines.asked(id);
  try {
    const answer = await tunnel.command(command, { deadline, answerBy: deadline + ANSWER_MS });
    // A number means that the journal has it: its record settles it. So does one that is still being carried out.
    if (answer.n > 0 || answer.outcome === "unknown") return;
    await deps.store.write(row.ecosystem_id, async (tx) => {
      await standingOf(tx, tunnel.hub);
      await settleCommand(tx, row, endBy(row, answer, deps.clock.now()), deps.clock.now());
    });
  } catch (error) {
    // It stays open: the next connection, its record, or the end of a day settles it.
    if (!(error instanceof PeerGone || error instanceof PeerTimeout || error instanceof PeerRefused)) throw error;
  }
}
