/**
 * Sends hubs the commands that wait for them.
 *
 * Invariants: from a hub's connection until all its waiting commands are passed to its tunnel, its gate is closed, and
 * no other write overtakes them; commands are sent in the order in which they were stored; no command is sent after its
 * expiry, and the hub gets the time left; a command that the tunnel rejected waits again, unless an earlier tunnel may
 * have delivered it.
 */
import { type Clock, type Log, Rounds, TaskSet } from "@porchlight/shared/kernel";
import { PeerGone, PeerRefused, PeerTimeout, type ResultRecord } from "@porchlight/shared/tunnel";
import type { Others } from "../../nodes/index.ts";
import type { CommandRow, GatheredReads, Store, Transaction } from "../../store/index.ts";
import { type Hub, type HubTunnel, Superseded, standingOf } from "../../tunnels/index.ts";
import type { HubView } from "../hub-view.ts";
import { resolutionOfFailure } from "./command-outcome.ts";
import { type CommandEnd, openCommands, settleCommand } from "./command-store.ts";
import { endBy, putBack, takeFromQueue } from "./queued-commands.ts";
import { edgesOf, type OpenDeadlines } from "./recover-commands.ts";

export interface CommandQueueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly deadlines: OpenDeadlines;
  readonly others?: Others | undefined;
}

/** A hub whose waiting commands are being sent. */
interface Handing {
  tunnel: HubTunnel;
  /** Whether commands that were sent before, and have time left, must be sent again: the connection is new. */
  resend: boolean;
  /** Whether it had any command without a known end at the last look, or the look failed. */
  hadOpen: boolean;
  readonly rounds: Rounds;
}

/** Time for a hub's answer beyond the command's expiry, ms. */
const ANSWER_MS = 10_000;
/** Retry delay after a failed round, ms. */
const RETRY_MS = 1_000;

export class CommandQueue implements AsyncDisposable {
  readonly #deps: CommandQueueDeps;
  readonly #open: GatheredReads<{ eco: string; client: string }, CommandRow>;
  readonly #handing = new Map<string, Handing>();
  readonly #working = new TaskSet();
  /** Callbacks that stop waiting for the answers of hubs. */
  readonly #asking = new Set<() => void>();
  #hubs: Pick<HubView, "live"> | undefined;

  constructor(deps: CommandQueueDeps) {
    this.#deps = deps;
    this.#open = deps.store.gathered(openCommands);
  }

  /** Sets the view of the hubs, which exists once there are tunnels. */
  use(hubs: Pick<HubView, "live">): void {
    this.#hubs = hubs;
  }

  /** Defined while writes to the hub must wait; resolves when they may check again. */
  gate(clientId: string): Promise<void> | undefined {
    return this.#handing.get(clientId)?.rounds.running;
  }

  /**
   * A hub has connected: closes the gate at once. Resolves when it is open again.
   * @returns whether the hub had commands without a known end
   */
  opened(tunnel: HubTunnel): Promise<boolean> {
    return this.#begin(tunnel, true);
  }

  /** A command that waits for the hub was stored: the node with its tunnel sends it. */
  waits(ecosystemId: string, clientId: string): void {
    if (this.#hubs?.live(clientId)) this.look(clientId);
    else this.#deps.others?.invalidations.tell(ecosystemId, { kind: "queue", clientId });
  }

  /** Sends waiting commands if the hub is connected here. */
  look(clientId: string): void {
    const tunnel = this.#hubs?.live(clientId);
    if (tunnel) void this.#begin(tunnel, false);
  }

  /**
   * Sends a command that is stored as sent.
   * @param isRepeat an earlier connection may have delivered it to the hub
   */
  async send(tunnel: HubTunnel, row: CommandRow, edge: string, isRepeat = false): Promise<void> {
    const deadline = this.#deadlineOf(row);
    if (deadline === undefined) return;
    const { id, service, idx: index, property } = row;
    const command = { id, device: edge, service, index, property, value: JSON.parse(row.value) };
    this.#deps.deadlines.asked(id);
    try {
      const answer = await this.#unlessEnded(tunnel.command(command, { deadline, answerBy: deadline + ANSWER_MS }));
      if (answer) await this.#answered(tunnel, row, answer);
    } catch (error) {
      await this.#failed(tunnel, row, error, isRepeat);
    }
  }

  /** Runs work in the background; disposal waits for it. */
  run(work: Promise<void>): void {
    const tried = work.catch((error: unknown) => {
      this.#deps.log.warn({ error }, "the result of a command could not be stored; the hub's record will contain it");
    });
    void this.#working.add(tried);
  }

  /** Stops waiting for hubs, and resolves when nothing is being sent or stored: open commands stay open. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const leave of this.#asking) leave();
    await this.#working.idle();
  }

  async #unlessEnded<T>(asked: Promise<T>): Promise<T | undefined> {
    const { promise: left, resolve } = Promise.withResolvers<undefined>();
    const leave = () => resolve(undefined);
    this.#asking.add(leave);
    try {
      return await Promise.race([asked, left]);
    } finally {
      this.#asking.delete(leave);
    }
  }

  async #begin(tunnel: HubTunnel, resend: boolean): Promise<boolean> {
    const { clientId } = tunnel.hub;
    let handing = this.#handing.get(clientId);
    if (handing?.rounds.running !== undefined) {
      handing.tunnel = tunnel;
      handing.resend ||= resend;
      await handing.rounds.ask();
    } else {
      const begun: Handing = { tunnel, resend, hadOpen: true, rounds: new Rounds(() => this.#handNow(begun)) };
      handing = begun;
      this.#handing.set(clientId, begun);
      const done = begun.rounds.ask();
      this.run(done.finally(() => this.#forget(clientId, begun)));
      await done;
    }
    return handing.hadOpen;
  }

  #forget(clientId: string, handing: Handing): void {
    if (this.#handing.get(clientId) === handing) this.#handing.delete(clientId);
  }

  /** One round: sends all commands that wait at present. */
  async #handNow(handing: Handing): Promise<void> {
    const { log, clock } = this.#deps;
    const { tunnel, resend } = handing;
    const { clientId } = tunnel.hub;
    handing.resend = false;
    handing.hadOpen = true;
    try {
      handing.hadOpen = await this.#hand(tunnel, resend);
    } catch (error) {
      log.warn({ error, client: clientId }, "queued commands could not be sent; will retry");
      clock.timer("waiting commands", RETRY_MS, () => this.look(clientId));
    }
  }

  /** Returns whether the hub had open commands. */
  async #hand(tunnel: HubTunnel, resend: boolean): Promise<boolean> {
    const { store, clock } = this.#deps;
    const { ecosystemId, clientId } = tunnel.hub;
    const { sql } = store.of(ecosystemId);
    const open = await this.#open.all({ eco: ecosystemId, client: clientId });
    const due = open.filter((row) => row.state === "queued" || (resend && this.#deadlineOf(row) !== undefined));
    if (due.length === 0) return open.length > 0;
    const edges = await edgesOf(sql, ecosystemId, due);
    const taken = await store.write(ecosystemId, async (tx) => {
      await standingOf(tx, tunnel.hub);
      const taken: CommandRow[] = [];
      for (const row of due) if (row.state !== "queued" || (await takeFromQueue(tx, row, clock.now()))) taken.push(row);
      return taken;
    });
    // No await in between: they are sent in the order in which they were stored.
    for (const row of taken) {
      const edge = edges.get(row.device_id);
      if (edge !== undefined) this.run(this.send(tunnel, row, edge, row.state !== "queued"));
    }
    return true;
  }

  /** Monotonic ms; undefined when no time is left. */
  #deadlineOf(row: CommandRow): number | undefined {
    const { clock, deadlines } = this.#deps;
    const now = clock.monotonic();
    if (row.deferred !== 1) return deadlines.get(row.id, now);
    const left = row.expires_at - clock.now();
    return left > 0 ? now + left : undefined;
  }

  /** An answer with a number comes as a record too and is settled there; so does a command still being executed. */
  async #answered(tunnel: HubTunnel, row: CommandRow, answer: ResultRecord): Promise<void> {
    if (answer.n > 0 || answer.outcome === "unknown") return;
    const now = this.#deps.clock.now();
    await this.#settle(row, endBy(row, answer, now), now, tunnel);
  }

  async #failed(tunnel: HubTunnel, row: CommandRow, failure: unknown, isRepeat: boolean): Promise<void> {
    if (failure instanceof Superseded) return;
    if (!(failure instanceof PeerGone || failure instanceof PeerTimeout || failure instanceof PeerRefused))
      throw failure;
    // This failure proves nothing about what an earlier connection delivered.
    if (row.deferred !== 1 || isRepeat) return;
    const now = this.#deps.clock.now();
    const resolution = resolutionOfFailure(failure);
    // Its record, the next connection, or the end of a day settles it.
    if (resolution.kind === "open") return;
    if (resolution.end.outcome !== "not_sent") return this.#settle(row, resolution.end, now);
    await this.#deps.store.write(row.ecosystem_id, async (tx) => {
      // A newer connection, of this node or another, may have sent it meanwhile.
      if (await isNewest(tx, tunnel.hub)) await putBack(tx, row, this.#deps.clock.now());
    });
    if (row.client_id !== null) this.waits(row.ecosystem_id, row.client_id);
  }

  async #settle(row: CommandRow, end: CommandEnd, now: number, tunnel?: HubTunnel): Promise<void> {
    await this.#deps.store.write(row.ecosystem_id, async (tx) => {
      if (tunnel) await standingOf(tx, tunnel.hub);
      await settleCommand(tx, row, end, now);
    });
  }
}

async function isNewest(tx: Transaction, hub: Hub): Promise<boolean> {
  try {
    await standingOf(tx, hub);
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    throw error;
  }
}
