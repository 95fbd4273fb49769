/** After a reconnect: asks the hub about every open command, so that a command that never reached it is settled too. */
import type { Clock } from "@porchlight/shared/kernel";
import { PeerGone, PeerRefused, PeerTimeout } from "@porchlight/shared/tunnel";
import { type CommandRow, type Sql, type Store, statement } from "../../store/index.ts";
import { type HubTunnel, standingOf } from "../../tunnels/index.ts";
import { readOpenCommands, settleCommand } from "./command-store.ts";
import { endBy } from "./queued-commands.ts";

export interface RecoverDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly deadlines: OpenDeadlines;
}

/** Time for the hub's answer beyond the command's own deadline, ms. */
const ANSWER_MS = 10_000;
/** Maximum concurrent questions. */
const SIDE_BY_SIDE = 100;

const selectEdge = statement<{ eco: string; device: string }>("device_edge")((db, p) =>
  db.selectFrom("devices").select("edge_id").where("ecosystem_id", "=", p.eco).where("id", "=", p.device),
);

/**
 * Asks about commands after their deadline: before it, another node may be sending the command to the hub.
 *
 * Each is sent under its own ID, in the order of acceptance: the hub's journal answers those that it has begun, those
 * with time left are executed, and the rest is refused as late. Only commands that the hub never began are settled
 * here; the end of all others comes as a record of its history.
 * @param among "late" restricts it to commands without time left, because the rest has just been sent again
 * @returns ms until further commands must be asked about; undefined when there are none
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

/** The hub's edgeIds for the devices of these commands. */
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
    // A number means that the journal has it: its record settles it. So it does for a command still being executed.
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

/** Minimum number of deadlines that triggers a clean-up; otherwise it starts at twice the number left by the last one. */
const FEWEST = 64;

/**
 * This process's knowledge of open commands. Deadlines are on its monotonic clock, because a command of another process
 * is never sent again. For a command whose caller still waits, it has whether a hub was asked about it apart from the
 * caller's own request, as happens when the hub reconnects meanwhile.
 */
export class OpenDeadlines {
  readonly #deadlines = new Map<string, number>();
  #lookAt = FEWEST;
  /** By ID, whether a hub was asked. */
  readonly #watched = new Map<string, boolean>();

  /** Watches, until disposal, whether a hub is asked about the command. Must be called before the command is stored. */
  watch(commandId: string): Disposable {
    this.#watched.set(commandId, false);
    return { [Symbol.dispose]: () => void this.#watched.delete(commandId) };
  }

  /** A hub is being asked about the command as it is stored. */
  asked(commandId: string): void {
    if (this.#watched.has(commandId)) this.#watched.set(commandId, true);
  }

  /** Whether a hub was asked about a watched command. */
  wasAsked(commandId: string): boolean {
    return this.#watched.get(commandId) === true;
  }

  /** @param deadline monotonic, ms @param now monotonic, ms */
  set(commandId: string, deadline: number, now: number): void {
    if (deadline > now) this.#deadlines.set(commandId, deadline);
    if (this.#deadlines.size >= this.#lookAt) this.#dropPassed(now);
  }

  /** The command has ended: it is not sent again. */
  forget(commandId: string): void {
    this.#deadlines.delete(commandId);
  }

  /** Undefined when no time is left. */
  get(commandId: string, now: number): number | undefined {
    const deadline = this.#deadlines.get(commandId);
    return deadline !== undefined && deadline > now ? deadline : undefined;
  }

  /** Number of remembered deadlines; some may have passed. */
  get size(): number {
    return this.#deadlines.size;
  }

  #dropPassed(now: number): void {
    for (const [id, deadline] of this.#deadlines) if (deadline <= now) this.#deadlines.delete(id);
    this.#lookAt = Math.max(FEWEST, this.#deadlines.size * 2);
  }
}
