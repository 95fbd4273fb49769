/** The services of a tunnel once the cloud has welcomed the hub: heartbeats, the inventory, and the outbox after it. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import { frames, type Peer, PeerRefused, PeerTimeout } from "@porchlight/shared/tunnel";
import type { State } from "../state/index.ts";
import type { HandshakeResult } from "./handshake.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Inventory } from "./inventory.ts";
import { NO_LEASE, renewed } from "./lease.ts";
import { OutboxPump } from "./outbox-pump.ts";

export interface LiveTunnelDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly peer: Peer;
  readonly state: State;
  readonly lingerMs: number;
  readonly welcomed: Extract<HandshakeResult, { kind: "welcome" }>;
  /** An answer of the cloud arrived, with its connection time and the send time of its heartbeat. */
  readonly heard: (at: number, arrived: number, asked: number) => void;
  /** Called with devices that live on another hub of the home. */
  readonly claimed: (edgeIds: readonly string[]) => void;
}

const CLAIMS_MS = 10_000;

export class LiveTunnel implements Disposable {
  readonly #deps: LiveTunnelDeps;
  readonly #heartbeat: Heartbeat;
  readonly #pump: OutboxPump;
  #stopListening: () => void = () => undefined;

  private constructor(deps: LiveTunnelDeps, heartbeat: Heartbeat, pump: OutboxPump) {
    this.#deps = deps;
    this.#heartbeat = heartbeat;
    this.#pump = pump;
  }

  static start(deps: LiveTunnelDeps): LiveTunnel {
    const { peer, state } = deps;
    const { welcome, sentAt } = deps.welcomed;
    const { heartbeatMs, leaseMs, acknowledged } = welcome;
    const heartbeat = Heartbeat.start({
      ...deps,
      heartbeatMs,
      leaseMs,
      lease: renewed(NO_LEASE, sentAt, leaseMs),
      queued: () => state.queued,
      expired: () => peer.close("lease_expired"),
      malformed: () => peer.close("malformed"),
    });
    const pump = new OutboxPump({ ...deps, acknowledged, failed: (why) => peer.close(why) });
    const tunnel = new LiveTunnel(deps, heartbeat, pump);
    tunnel.#begin();
    return tunnel;
  }

  /** Whether the lease is live, as the hub sees it. */
  get live(): boolean {
    return this.#heartbeat.live;
  }

  get roundTripMs(): number | undefined {
    return this.#heartbeat.roundTripMs;
  }

  get slowedMs(): number | undefined {
    return this.#heartbeat.slowedMs;
  }

  /**
   * Asks which of the devices live on another hub. A cloud that does not support the question knows no such hub.
   * @throws PeerGone, PeerTimeout, ZodError
   */
  async askClaims(edgeIds: readonly string[]): Promise<readonly string[]> {
    try {
      const answer = await this.#deps.peer.ask("claims", { edgeIds }, { timeoutMs: CLAIMS_MS });
      return frames.claimsAnswer.parse(answer).claimed;
    } catch (failure) {
      if (failure instanceof PeerRefused) return [];
      throw failure;
    }
  }

  [Symbol.dispose](): void {
    this.#stopListening();
    this.#heartbeat[Symbol.dispose]();
    this.#pump[Symbol.dispose]();
  }

  #begin(): void {
    const { state, welcomed } = this.#deps;
    const { welcome, inventoryDigest } = welcomed;
    const inventory = new Inventory({
      ...this.#deps,
      listed: welcome.inventory ? undefined : inventoryDigest,
      inStep: (inStep) => (inStep ? this.#pump.open() : this.#pump.shut()),
      failed: (why) => this.#failed(why),
    });
    this.#stopListening = state.listen({ devices: () => inventory.check(), records: () => this.#pump.wake() });
    const stored = [state.acknowledge(welcome.acknowledged), ...(welcome.resync ? [state.resync()] : [])];
    Promise.all(stored).catch((failure: unknown) => this.#failed(failure));
    inventory.check();
  }

  #failed(why: unknown): void {
    const { peer, log } = this.#deps;
    if (peer.isDown) return;
    log.warn({ why: String(why) }, "the tunnel is closed");
    peer.close(why instanceof PeerTimeout ? "overloaded" : "malformed");
  }
}
