/** Keeps presence true: remembers ended tunnels until the log has their end, and derives a hub's current connection. */
import { type Clock, type Log, TaskSet } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { type EndedTunnel, recordEnd, recordOffline } from "./end-tunnel.ts";
import { type HubConnection, hubConnection, type LiveSign, offlineDue, type StoredSign } from "./presence.ts";
import { findOrphans, type OpenTunnel, type Orphan } from "./service-queries.ts";

export interface PresenceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
  /** Whether this is the node that looks for hubs without a tunnel. */
  readonly looksForOrphans: () => boolean;
  /** Whether other nodes may hold tunnels. */
  readonly severalNodes: boolean;
  readonly offlineAfterMs: number;
  readonly startGraceMs: number;
  /** The client's tunnel on this node, live or about to close. */
  readonly tunnel: (clientId: string) => { readonly live: boolean; readonly sign: LiveSign } | undefined;
  /** Whether the other node, which has a row, is known to be alive. */
  readonly provesAlive: (nodeId: string) => boolean;
}

interface Ended extends EndedTunnel {
  /** Monotonic time at which the end becomes an event. */
  readonly due: number;
  recorded: boolean;
  busy: boolean;
}

/** An end that is written; a reader may still hold the client's row from before. */
interface WrittenEnd {
  readonly end: EndedTunnel;
  /** Monotonic time after which no reader holds such a row. */
  readonly until: number;
}

/** Longer than any request takes from its first read to its last byte, ms. */
const ROW_AGE_MS = 60_000;
/** Interval of the search for hubs without a tunnel, ms. */
const ORPHANS_EVERY_MS = 60_000;

export class PresenceKeeper {
  readonly #deps: PresenceDeps;
  readonly #startedAt: number;
  readonly #ended = new Map<string, Ended>();
  readonly #written = new Map<string, WrittenEnd>();
  readonly #working = new TaskSet();
  readonly #graceUntil: number;
  /** No hub is reported offline before this time, because hubs could not reconnect for a while, monotonic ms. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #orphansDue: number;

  constructor(deps: PresenceDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
    this.#graceUntil = deps.clock.monotonic() + deps.startGraceMs;
    this.#orphansDue = this.#graceUntil;
  }

  /** The current connection of a client. */
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

  /** A new connection of the client is open: earlier ends are void. */
  opened(clientId: string): void {
    this.#ended.delete(clientId);
    this.#written.delete(clientId);
  }

  /** The client's newest connection has ended. */
  ended(tunnel: EndedTunnel): void {
    const due = offlineDue(tunnel.reason, this.#deps.clock.monotonic(), this.#deps.offlineAfterMs);
    const ended: Ended = { ...tunnel, due, recorded: false, busy: false };
    this.#ended.set(tunnel.clientId, ended);
    this.#work(ended);
  }

  /** Writes what is due; called by the sweep. */
  sweep(): void {
    const now = this.#deps.clock.monotonic();
    if (this.#deps.store.outage) this.#hold(this.#deps.offlineAfterMs);
    for (const ended of this.#ended.values()) this.#work(ended);
    for (const [clientId, { until }] of this.#written) if (now > until) this.#written.delete(clientId);
    if (now < Math.max(this.#orphansDue, this.#heldUntil)) return;
    this.#orphansDue = now + ORPHANS_EVERY_MS;
    if (this.#deps.looksForOrphans()) this.#run(this.#writeOrphans());
  }

  /** Handles a tunnel that is open in the database under this node and unknown to it. */
  async stray({ ecosystem_id: ecosystemId, client_id: clientId, epoch }: OpenTunnel): Promise<void> {
    const now = this.#deps.clock.now();
    if (!this.#ended.has(clientId))
      this.ended({ ecosystemId, clientId, epoch, reason: "lost", closedAt: now, lastHeardAt: now });
  }

  /** Other nodes have died: looks for their hubs at once. */
  othersDied(): void {
    if (this.#deps.clock.monotonic() >= Math.max(this.#graceUntil, this.#heldUntil)) this.#run(this.#writeOrphans());
  }

  /** Resolves when this keeper has no pending write. */
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

  /** This node lost its lease and took a new one: its hubs were disconnected, and reconnect as after a start. */
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

  /** Reports hubs that did not come back after a start or the death of another node. */
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

  /** The next sweep retries a failed write. */
  #run(work: Promise<void>): void {
    const tried = work.catch((error: unknown) => {
      this.#deps.log.warn({ error }, "presence could not be stored; will retry");
    });
    void this.#working.add(tried);
  }
}
