/** Keeps presence true: remembers how tunnels ended until the log says so too, and answers what is known of a hub now. */
import { type Clock, type Log, TaskSet } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { findOrphans, type OpenTunnel, type Orphan } from "../node/service-queries.ts";
import { type EndedTunnel, recordEnd, recordOffline } from "./end-tunnel.ts";
import { type HubConnection, hubConnection, type LiveSign, offlineDue, type StoredSign } from "./presence.ts";

export interface PresenceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
  /** Whether this is the one of the nodes that looks for hubs without a tunnel. */
  readonly looksForOrphans: () => boolean;
  /** Whether tunnels may be on other nodes. */
  readonly severalNodes: boolean;
  readonly offlineAfterMs: number;
  readonly startGraceMs: number;
  /** The client's tunnel on this node, live or about to be closed. */
  readonly tunnel: (clientId: string) => { readonly live: boolean; readonly sign: LiveSign } | undefined;
  /** Whether another node that has a row lives. */
  readonly provesAlive: (nodeId: string) => boolean;
}

interface Ended extends EndedTunnel {
  /** Monotonic time at which it becomes an event. */
  readonly due: number;
  recorded: boolean;
  busy: boolean;
}

/** An end that is written; a row of its client may have been read before. */
interface WrittenEnd {
  readonly end: EndedTunnel;
  /** Monotonic time after which nobody looks at such a row any more. */
  readonly until: number;
}

/** Longer than any answer takes from its first read to its last byte, ms. */
const ROW_AGE_MS = 60_000;
/** How often hubs without a tunnel are looked for, ms. */
const ORPHANS_EVERY_MS = 60_000;

export class PresenceKeeper {
  readonly #deps: PresenceDeps;
  readonly #startedAt: number;
  readonly #ended = new Map<string, Ended>();
  readonly #written = new Map<string, WrittenEnd>();
  readonly #working = new TaskSet();
  readonly #graceUntil: number;
  /** Hubs could not come back for some time, and are not reported offline before, monotonic ms. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #orphansDue: number;

  constructor(deps: PresenceDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
    this.#graceUntil = deps.clock.monotonic() + deps.startGraceMs;
    this.#orphansDue = this.#graceUntil;
  }

  /** What is known now of a client's connection. */
  connection(client: StoredSign & { readonly id: string }): HubConnection {
    const tunnel = this.#deps.tunnel(client.id);
    return hubConnection({
      tunnel: tunnel?.sign,
      isLive: tunnel?.live === true,
      ended: this.#ended.get(client.id) ?? this.#written.get(client.id)?.end,
      stored: client,
      elsewhere: this.#isElsewhere(client.held_by),
      startedAt: this.#startedAt,
    });
  }

  #isElsewhere(nodeId: string | null): boolean {
    const { severalNodes, provesAlive } = this.#deps;
    return severalNodes && nodeId !== null && nodeId !== this.#deps.nodeId() && provesAlive(nodeId);
  }

  /** A connection of the client stands: nothing before it is of interest any more. */
  opened(clientId: string): void {
    this.#ended.delete(clientId);
    this.#written.delete(clientId);
  }

  /** The client's newest connection is over. */
  ended(tunnel: EndedTunnel): void {
    const due = offlineDue(tunnel.reason, this.#deps.clock.monotonic(), this.#deps.offlineAfterMs);
    const ended: Ended = { ...tunnel, due, recorded: false, busy: false };
    this.#ended.set(tunnel.clientId, ended);
    this.#work(ended);
  }

  /** Writes what has become due; called by the sweep. */
  sweep(): void {
    const now = this.#deps.clock.monotonic();
    if (this.#deps.store.outage) this.#hold(this.#deps.offlineAfterMs);
    for (const ended of this.#ended.values()) this.#work(ended);
    for (const [clientId, { until }] of this.#written) if (now > until) this.#written.delete(clientId);
    if (now < Math.max(this.#orphansDue, this.#heldUntil)) return;
    this.#orphansDue = now + ORPHANS_EVERY_MS;
    if (this.#deps.looksForOrphans()) this.#run(this.#writeOrphans());
  }

  /** A tunnel stands open in the database of which this node, that had it, knows nothing any more. */
  async stray({ ecosystem_id: ecosystemId, client_id: clientId, epoch }: OpenTunnel): Promise<void> {
    const now = this.#deps.clock.now();
    if (!this.#ended.has(clientId))
      this.ended({ ecosystemId, clientId, epoch, reason: "lost", closedAt: now, lastHeardAt: now });
  }

  /** Nodes have died: their hubs are looked for now. */
  othersDied(): void {
    if (this.#deps.clock.monotonic() >= Math.max(this.#graceUntil, this.#heldUntil)) this.#run(this.#writeOrphans());
  }

  /** Settles when no write of this keeper is under way. */
  idle(): Promise<void> {
    return this.#working.idle();
  }

  #work(ended: Ended): void {
    if (ended.busy || (ended.recorded && !this.#isDue(ended))) return;
    ended.busy = true;
    this.#run(
      this.#write(ended).finally(() => {
        ended.busy = false;
      }),
    );
  }

  /** This node has lost its lease, and taken another: its hubs were sent away, and come back as after a start. */
  leaseTaken(): void {
    this.#hold(this.#deps.startGraceMs);
  }

  #hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#deps.clock.monotonic() + ms);
  }

  #isDue({ due }: Ended): boolean {
    return this.#deps.clock.monotonic() >= Math.max(due, this.#heldUntil);
  }

  async #write(ended: Ended): Promise<void> {
    if (!ended.recorded) {
      await recordEnd(this.#deps.store, ended);
      ended.recorded = true;
    }
    if (!this.#isDue(ended) || this.#ended.get(ended.clientId) !== ended) return;
    await recordOffline(this.#deps.store, this.#deps.clock, { ...ended, since: ended.closedAt });
    if (this.#ended.get(ended.clientId) !== ended) return;
    this.#ended.delete(ended.clientId);
    this.#written.set(ended.clientId, { end: ended, until: this.#deps.clock.monotonic() + ROW_AGE_MS });
  }

  /** After a start, or when another node died: hubs that did not come back. */
  async #writeOrphans(): Promise<void> {
    const { store, clock, log, tunnel, nodeId, offlineAfterMs } = this.#deps;
    const write = async ({ ecosystem_id: ecosystemId, id: clientId, epoch, reason }: Orphan) => {
      if (tunnel(clientId)?.live || this.#ended.has(clientId)) return;
      await recordOffline(store, clock, { ecosystemId, clientId, epoch, reason: reason ?? "lost" });
    };
    await store.setAside.each(await findOrphans(store, nodeId(), clock.now() - offlineAfterMs), {
      ...{ loop: "offline_hubs", log, about: ({ id }) => ({ client: id }) },
      work: async (some) => {
        for (const orphan of some) await write(orphan);
      },
    });
  }

  /** What could not be written is tried again by the next sweep. */
  #run(work: Promise<void>): void {
    const tried = work.catch((error: unknown) => {
      this.#deps.log.warn({ error }, "presence could not be stored; will retry");
    });
    void this.#working.add(tried);
  }
}
