/** After a reconnect: asks the hub about every open command, so that one that never reached it is settled too. */
import type { Clock } from "@porchlight/shared/kernel";
import { PeerGone, PeerRefused, PeerTimeout } from "@porchlight/shared/tunnel";
import { type CommandRow, type Sql, type Store, statement } from "../../store/index.ts";
import { type HubTunnel, standingOf } from "../../tunnels/index.ts";
import { readOpenCommands, settleCommand } from "../commands/command-store.ts";
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

// What this process knows of commands that are open: until when they may still be carried out, on its monotonic clock, since what another
// process sent is never sent again; and of those whose callers still wait, whether a hub has been asked for them beside their caller's
// own way, as one is that comes back meanwhile.

/** Deadlines that have passed are looked for when there are twice as many as after the last look, and at least so many. */
const FEWEST = 64;

export class OpenDeadlines {
  readonly #deadlines = new Map<string, number>();
  #lookAt = FEWEST;
  /** By ID, whether a hub has been asked. */
  readonly #watched = new Map<string, boolean>();

  /** Remembers, until it is disposed of, whether a hub is asked for the command. To be called before it is stored. */
  watch(commandId: string): Disposable {
    this.#watched.set(commandId, false);
    return { [Symbol.dispose]: () => void this.#watched.delete(commandId) };
  }

  /** A hub is being asked for the command, as it stands in the store. */
  asked(commandId: string): void {
    if (this.#watched.has(commandId)) this.#watched.set(commandId, true);
  }

  /** Whether a hub has been asked for a command that is watched. */
  wasAsked(commandId: string): boolean {
    return this.#watched.get(commandId) === true;
  }

  /** @param deadline monotonic, ms @param now monotonic, ms */
  set(commandId: string, deadline: number, now: number): void {
    if (deadline > now) this.#deadlines.set(commandId, deadline);
    if (this.#deadlines.size >= this.#lookAt) this.#dropPassed(now);
  }

  /** Its end is known: it is not sent again. */
  forget(commandId: string): void {
    this.#deadlines.delete(commandId);
  }

  /** Undefined when there is no time left. */
  get(commandId: string, now: number): number | undefined {
    const deadline = this.#deadlines.get(commandId);
    return deadline !== undefined && deadline > now ? deadline : undefined;
  }

  /** How many are remembered; some of them may have passed. */
  get size(): number {
    return this.#deadlines.size;
  }

  #dropPassed(now: number): void {
    for (const [id, deadline] of this.#deadlines) if (deadline <= now) this.#deadlines.delete(id);
    this.#lookAt = Math.max(FEWEST, this.#deadlines.size * 2);
  }
}
