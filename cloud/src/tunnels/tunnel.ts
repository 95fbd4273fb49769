/**
 * One tunnel after its hello: the cloud's end of a hub, from the welcome to the close.
 *
 * Invariants: records are handed on in the order in which they came, a bounded number of batches at a time; nothing is
 * acknowledged that is not committed; after the end nothing of it has effect.
 */
import type { Clock, Log } from "@porchlight/shared/kernel";
import {
  type CloseReason,
  frames,
  type Peer,
  PeerGone,
  PeerRefused,
  type ResultRecord,
  RPC_ERRORS,
} from "@porchlight/shared/tunnel";
import type { z } from "zod";
import { DescribeParts } from "./describe-parts.ts";
import { type Hub, Superseded } from "./hub.ts";
import type { HubCall, HubCommand, HubListener, HubTarget, HubTunnel, ReadResult } from "./hub-listener.ts";
import type { Lease } from "./lease.ts";
import type { LiveSign } from "./presence.ts";

export interface TunnelDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly listener: HubListener;
  readonly uncommittedBatches: number;
  /** Whether this node may answer for its tunnels. */
  readonly nodeAlive: () => boolean;
}

export interface TunnelFacts {
  readonly hub: Hub;
  readonly tokenId: string;
  readonly instance: string;
  readonly agentVersion: string;
  readonly address: string;
  /** Wall-clock ms. */
  readonly openedAt: number;
  /** Earlier openings of the last day, wall-clock ms. */
  readonly openings: readonly number[];
  /** Monotonic time of the hello: zero of the connection time. */
  readonly helloAt: number;
  /** Where the history goes on. */
  readonly position: number;
  /** Records that wait on the hub. */
  readonly queued: number;
}

const DAY_MS = 24 * 3_600_000;

export class Tunnel implements HubTunnel {
  readonly hub: Hub;
  readonly facts: TunnelFacts;
  readonly #deps: TunnelDeps;
  readonly #peer: Peer;
  readonly #lease: Lease;
  #parts: DescribeParts | undefined;
  #offered: number;
  #uncommitted = 0;
  #paused = false;
  #calls = 0;
  #queued: number;
  #roundTripMs: number | undefined;
  #clockSkewMs: number | undefined;
  #onIdle: (() => void) | undefined;

  constructor(deps: TunnelDeps, peer: Peer, lease: Lease, facts: TunnelFacts) {
    this.hub = facts.hub;
    this.facts = facts;
    this.#deps = deps;
    this.#peer = peer;
    this.#lease = lease;
    this.#offered = facts.position;
    this.#queued = facts.queued;
  }

  /** Whether the hub is there, as far as this node may say so. */
  get live(): boolean {
    return !this.#peer.isDown && this.#lease.live && this.#deps.nodeAlive();
  }

  get leaseOver(): boolean {
    return !this.#lease.live;
  }

  get isDown(): boolean {
    return this.#peer.isDown;
  }

  get sign(): LiveSign {
    const { openedAt, agentVersion, openings } = this.facts;
    const since = this.#deps.clock.now() - DAY_MS;
    return {
      openedAt,
      agentVersion,
      lastHeardAt: this.#lease.lastHeardAt,
      roundTripMs: this.#roundTripMs,
      clockSkewMs: this.#clockSkewMs,
      reconnects24h: openings.filter((at) => at > since).length,
      queuedReports: this.#queued,
    };
  }

  // --- what the cloud asks ---------------------------------------------------------------------------------------------

  async command(command: HubCommand, call: HubCall): Promise<ResultRecord> {
    const answer = this.#parseAnswer(frames.commandAnswer, await this.#ask("command", command, call));
    const { id, device, service, index, property } = command;
    const same =
      answer.command === id &&
      answer.device === device &&
      answer.service === service &&
      answer.index === index &&
      answer.property === property;
    return same ? answer : this.#malformedAnswer("command");
  }

  async read(items: readonly HubTarget[], call: HubCall): Promise<readonly ReadResult[]> {
    const answer = this.#parseAnswer(frames.readAnswer, await this.#ask("read", { items }, call));
    return answer.items.length === items.length ? answer.items : this.#malformedAnswer("read");
  }

  /** The hub is to come back in that time; calls in flight still end. */
  goAway(afterMs: number): void {
    this.#peer.notify("goaway", { afterMs });
  }

  close(reason: CloseReason): void {
    this.#peer.close(reason);
  }

  /** Closes it when its lease is over. */
  closeIfOver(): void {
    if (this.leaseOver) this.close(this.#lease.endReason);
  }

  /** Settles when no call is in flight any more. */
  idle(): Promise<void> {
    if (this.#calls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  async #ask(method: string, params: object, { deadline, answerBy, signal }: HubCall): Promise<unknown> {
    if (!this.live) throw new PeerGone(false);
    const now = this.#deps.clock.monotonic();
    const at = now - this.facts.helloAt;
    let id: number | undefined;
    const cancel = () => {
      if (id !== undefined) this.#peer.notify("cancel", { id });
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.#calls += 1;
    try {
      const frame = { at, deadline: deadline - this.facts.helloAt, ...params };
      const timeoutMs = Math.max(0, answerBy - now);
      return await this.#peer.ask(method, frame, {
        timeoutMs,
        signal,
        onId: (given) => {
          id = given;
        },
      });
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#calls -= 1;
      if (this.#calls === 0) this.#onIdle?.();
    }
  }

  #parseAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
    const parsed = schema.safeParse(answer);
    return parsed.success ? parsed.data : this.#malformedAnswer(parsed.error.message);
  }

  #malformedAnswer(why: string): never {
    this.#deps.log.warn(
      { client: this.hub.clientId, why },
      "a hub answered with what is no answer; its tunnel is closed",
    );
    this.close("malformed");
    throw new PeerGone(true);
  }

  // --- what the hub says -----------------------------------------------------------------------------------------------

  /** Undefined for a method that is not known here. */
  request(method: string, params: unknown): Promise<unknown> | undefined {
    switch (method) {
      case "heartbeat":
        return this.#handle(frames.heartbeat, params, async (heartbeat) => {
          const { queued, roundTripMs, now } = heartbeat;
          this.#queued = queued;
          this.#roundTripMs = roundTripMs;
          this.#clockSkewMs = Math.round(now + (roundTripMs ?? 0) / 2 - this.#deps.clock.now());
          return { at: this.#deps.clock.monotonic() - this.facts.helloAt };
        });
      case "records":
        return this.#handle(frames.records, params, ({ records }) => this.#records(records));
      case "inventory":
        return this.#handle(frames.inventory, params, async (inventory) => ({
          wanted: await this.#deps.listener.inventory(this.hub, inventory),
        }));
      case "describe":
        return this.#handle(frames.describe, params, async (part) => {
          this.#parts ??= new DescribeParts();
          const assembled = this.#parts.add(part);
          if (assembled.kind === "malformed") throw this.#malformed("describe", "parts out of order, or too many");
          if (assembled.kind === "complete") await this.#deps.listener.describe(this.hub, assembled.device);
          return {};
        });
      default:
        return undefined;
    }
  }

  async #records(records: readonly z.infer<typeof frames.record>[]): Promise<{ acknowledged: number }> {
    let last = 0;
    for (const { n } of records) {
      if (n <= last) throw this.#malformed("records", "numbers do not grow");
      last = n;
    }
    const batch = { records, after: this.#offered };
    this.#offered = Math.max(this.#offered, last);
    this.#take(1);
    try {
      return { acknowledged: await this.#deps.listener.records(this.hub, batch) };
    } finally {
      this.#take(-1);
    }
  }

  /** Counts batches in the store's hands, and stops reading while there are too many. */
  #take(change: 1 | -1): void {
    this.#uncommitted += change;
    const full = this.#uncommitted >= this.#deps.uncommittedBatches;
    if (full === this.#paused || this.#peer.isDown) return;
    this.#paused = full;
    if (full) {
      this.#lease.pause();
      this.#peer.pause();
    } else {
      this.#lease.resume();
      this.#peer.resume();
    }
  }

  async #handle<T>(schema: z.ZodType<T>, params: unknown, work: (parsed: T) => Promise<unknown>): Promise<unknown> {
    const parsed = schema.safeParse(params);
    if (!parsed.success) throw this.#malformed("request", parsed.error.message);
    try {
      return await work(parsed.data);
    } catch (error) {
      if (error instanceof PeerRefused) throw error;
      if (error instanceof Superseded) this.close("superseded");
      else {
        this.#deps.log.error(
          { error, client: this.hub.clientId },
          "what a hub said could not be stored; its tunnel is closed",
        );
        this.close("unavailable");
      }
      throw new PeerRefused(RPC_ERRORS.internal);
    }
  }

  #malformed(what: string, why: string): PeerRefused {
    this.#deps.log.warn(
      { client: this.hub.clientId, what, why },
      "a hub sent what breaks the protocol; its tunnel is closed",
    );
    this.close("malformed");
    return new PeerRefused(RPC_ERRORS.invalidParams);
  }
}
