/** Renews the hub's lease by heartbeats, and detects when none was answered for the length of the lease. */
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";
import { frames, type Peer } from "@porchlight/shared/tunnel";
import { isLive, type Lease, renewed } from "./lease.ts";

export interface HeartbeatDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly peer: Peer;
  readonly heartbeatMs: number;
  readonly leaseMs: number;
  /** The lease from the hello. */
  readonly lease: Lease;
  readonly queued: () => number;
  /** An answer of the cloud arrived, with its connection time and the send time of its heartbeat. */
  readonly heard: (at: number, arrived: number, asked: number) => void;
  /** No heartbeat was answered for the length of the lease. */
  readonly expired: () => void;
  readonly malformed: () => void;
}

/** Minimum interval between log lines about a slowed hub, ms. */
const SLOWED_LOG_MS = 60_000;

export class Heartbeat implements Disposable {
  readonly #deps: HeartbeatDeps;
  #beats: Timer | undefined;
  #watch: Timer | undefined;
  #lease: Lease;
  #roundTripMs: number | undefined;
  #slowedMs: number | undefined;
  #slowedLoggedAt = Number.NEGATIVE_INFINITY;

  private constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
    this.#lease = deps.lease;
  }

  static start(deps: HeartbeatDeps): Heartbeat {
    const heartbeat = new Heartbeat(deps);
    heartbeat.#beats = every(deps.clock, "heartbeat", deps.heartbeatMs, () => void heartbeat.#beat());
    heartbeat.#armWatch();
    return heartbeat;
  }

  /** Whether the lease is live, as the hub sees it. */
  get live(): boolean {
    return isLive(this.#lease, this.#deps.clock.monotonic());
  }

  /** Round trip of the last answered heartbeat, ms. */
  get roundTripMs(): number | undefined {
    return this.#roundTripMs;
  }

  /** How long the cloud stopped reading from this hub between the last two answers, ms; undefined when it never did. */
  get slowedMs(): number | undefined {
    return this.#slowedMs;
  }

  [Symbol.dispose](): void {
    this.#beats?.cancel();
    this.#watch?.cancel();
  }

  async #beat(): Promise<void> {
    const { clock, peer, leaseMs, queued } = this.#deps;
    const sentAt = clock.monotonic();
    const params = {
      queued: queued(),
      now: clock.now(),
      ...(this.#roundTripMs !== undefined && { roundTripMs: this.#roundTripMs }),
    };
    let answer: unknown;
    try {
      answer = await peer.ask("heartbeat", params, { timeoutMs: leaseMs });
    } catch {
      // The watch handles an unanswered heartbeat: nothing was renewed.
      return;
    }
    const { data } = frames.heartbeatAnswer.safeParse(answer);
    if (!data) {
      this.#deps.malformed();
      return;
    }
    const arrived = clock.monotonic();
    this.#roundTripMs = arrived - sentAt;
    this.#lease = renewed(this.#lease, sentAt, leaseMs);
    this.#deps.heard(data.at, arrived, sentAt);
    this.#slowed(data.slowedMs, arrived);
  }

  #slowed(slowedMs: number | undefined, now: number): void {
    this.#slowedMs = slowedMs;
    if (slowedMs === undefined || now - this.#slowedLoggedAt < SLOWED_LOG_MS) return;
    this.#slowedLoggedAt = now;
    this.#deps.log.warn({ slowedMs }, "this hub sends more than its budget: the cloud reads it slowly");
  }

  /** Fires when the lease would end; if it was renewed since, the watch is armed again. */
  #armWatch(): void {
    const { clock } = this.#deps;
    this.#watch = clock.timer("lease", this.#lease.endsAt - clock.monotonic(), () => {
      if (this.live) this.#armWatch();
      else this.#deps.expired();
    });
  }
}
