/**
 * One tunnel of a light hub: the agent's own handshake, heartbeat, lease and outbox, and devices in memory behind them. Its
 * own file because everything in it ends with the connection.
 */
import { heard, NOTHING_HEARD, toMonotonic } from "@porchlight/agent/commands/connection-time.ts";
import type { Ending } from "@porchlight/agent/uplink/ending.ts";
import { type HandshakeResult, type HubIdentity, shakeHands } from "@porchlight/agent/uplink/handshake.ts";
import { Heartbeat } from "@porchlight/agent/uplink/heartbeat.ts";
import { NO_LEASE, renewed } from "@porchlight/agent/uplink/lease.ts";
import { OutboxPump } from "@porchlight/agent/uplink/outbox-pump.ts";
import { type Clock, type Random, silentLog, type Timer } from "@porchlight/shared/kernel";
import { type CloseReason, type CommandFrame, frames, type MessageSocket, Peer } from "@porchlight/shared/tunnel";
import type { HubBook } from "./hub-book.ts";
import type { LightDevices } from "./light-devices.ts";
import type { Connected, Truth } from "./truth.ts";

export interface LightConnectionDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly hub: string;
  readonly identity: HubIdentity;
  readonly token: string;
  /** Host (and port) that it dialled. */
  readonly host: string;
  readonly book: HubBook;
  readonly devices: LightDevices;
  readonly truth: Truth;
  /** The cloud has the hub's history up to that number. */
  readonly acknowledged: (n: number) => void;
}

const HANDSHAKE_MS = 10_000;
const ANSWER_MS = 30_000;
const LINGER_MS = 5;
/** Of the one list of devices that it ever has. */
const INVENTORY = "light";

export class LightConnection {
  readonly #deps: LightConnectionDeps;
  readonly #peer: Peer;
  readonly #over = Promise.withResolvers<Ending>();
  /** It has its lease. */
  readonly #begun = Promise.withResolvers<void>();
  readonly #asked = new Map<number, AbortController>();
  readonly #limit: Timer;
  #time = NOTHING_HEARD;
  #heartbeat: Heartbeat | undefined;
  #pump: OutboxPump | undefined;
  #interval: Connected | undefined;
  /** When it sent the last heartbeat that was answered: so long the line surely carried. */
  #lastReceived: number | undefined;
  #awayMs: number | undefined;
  #leaving = false;
  #goodbye: Timer | undefined;

  /** Takes over a socket that has just been opened. */
  constructor(socket: MessageSocket, deps: LightConnectionDeps) {
    this.#deps = deps;
    this.#limit = deps.clock.timer("handshake", HANDSHAKE_MS, () => this.close("hello_timeout"));
    this.#peer = new Peer(socket, deps.clock, {
      request: (method, params, id) => this.#request(method, params, id),
      notification: (method, params) => this.#notification(method, params),
      down: (reason) => this.#down(reason),
    });
  }

  get ended(): Promise<Ending> {
    return this.#over.promise;
  }

  /** Whether it has been welcomed and its lease is live. */
  get live(): boolean {
    return !this.#peer.isDown && (this.#heartbeat?.live ?? false);
  }

  /** There is something new in the book. */
  wake(): void {
    this.#pump?.wake();
  }

  close(reason: CloseReason): void {
    this.#peer.close(reason);
  }

  #request(method: string, params: unknown, id: number): Promise<unknown> | undefined {
    const arrived = this.#deps.clock.monotonic();
    if (method === "read") return Promise.resolve(this.#deps.devices.read(frames.read.parse(params).items));
    if (method !== "command") return undefined;
    const frame = frames.command.parse(params);
    // The cloud may ask in the same breath as it welcomes.
    return this.#heartbeat
      ? this.#command(frame, id, arrived)
      : this.#begun.promise.then(() => this.#command(frame, id, arrived));
  }

  #command(frame: CommandFrame, id: number, arrived: number): Promise<unknown> {
    this.#time = heard(this.#time, frame.at, arrived);
    const asked = new AbortController();
    this.#asked.set(id, asked);
    // What came before the hub began to leave is carried on.
    const mayTouch = this.#leaving ? () => false : () => this.live;
    const deadline = toMonotonic(this.#time, frame.deadline);
    const epoch = this.#interval?.epoch ?? 0;
    const result = this.#deps.devices.command(frame, { deadline, mayTouch, signal: asked.signal, epoch });
    return result.finally(() => {
      this.#asked.delete(id);
      this.wake();
      this.#leaveWhenIdle();
    });
  }

  #notification(method: string, params: unknown): boolean {
    switch (method) {
      case "challenge":
        void this.#open(params).catch(() => this.close("hello_timeout"));
        return true;
      case "cancel":
        this.#asked.get(frames.cancel.parse(params).id)?.abort();
        return true;
      case "goaway":
        this.#goaway(frames.goaway.parse(params).afterMs);
        return true;
      default:
        return false;
    }
  }

  async #open(params: unknown): Promise<void> {
    const { book, hub } = this.#deps;
    const result = await shakeHands(this.#peer, frames.challenge.parse(params), {
      ...this.#deps,
      instance: `light-${hub}`,
      agentVersion: "light",
      state: {
        logId: book.logId,
        lastNumber: book.lastNumber,
        acknowledged: book.acknowledged,
        queued: book.queued,
        inventoryDigest: INVENTORY,
      },
      timeoutMs: HANDSHAKE_MS,
    });
    if (result.kind !== "welcome") this.close(result.kind);
    else if (!this.#peer.isDown) await this.#begin(result);
  }

  async #begin({ welcome, sentAt, cameAt }: Extract<HandshakeResult, { kind: "welcome" }>): Promise<void> {
    const { book, hub, truth, devices } = this.#deps;
    const peer = this.#peer;
    this.#limit.cancel();
    const { leaseMs, heartbeatMs, epoch } = welcome;
    this.#time = heard(this.#time, welcome.at, cameAt, sentAt);
    this.#interval = { hub, epoch, from: cameAt };
    truth.connections.push(this.#interval);
    this.#heartbeat = Heartbeat.start({
      ...this.#deps,
      log: silentLog,
      peer,
      leaseMs,
      heartbeatMs,
      lease: renewed(NO_LEASE, sentAt, leaseMs),
      queued: () => book.queued,
      heard: (at, arrived, asked) => {
        this.#time = heard(this.#time, at, arrived, asked);
        this.#lastReceived = asked;
      },
      expired: () => this.close("lease_expired"),
      malformed: () => this.close("malformed"),
    });
    this.#begun.resolve();
    this.#acknowledge(welcome.acknowledged);
    this.#pump = new OutboxPump({
      ...this.#deps,
      log: silentLog,
      peer,
      acknowledged: welcome.acknowledged,
      lingerMs: LINGER_MS,
      state: {
        pendingTexts: (after, most) => book.pendingTexts(after, most),
        acknowledge: async (n) => this.#acknowledge(n),
      },
      failed: (why) => this.close(why),
    });
    if (welcome.inventory) {
      const list = devices.edgeIds.map((edgeId) => ({ edgeId, digest: INVENTORY, arrival: 1, online: true }));
      const answer = await peer.ask("inventory", { digest: INVENTORY, devices: list }, { timeoutMs: ANSWER_MS });
      for (const edgeId of frames.inventoryAnswer.parse(answer).wanted)
        await peer.ask("describe", devices.description(edgeId), { timeoutMs: ANSWER_MS });
    }
    this.#pump.open();
  }

  #acknowledge(n: number): void {
    this.#deps.book.acknowledge(n);
    this.#deps.acknowledged(n);
  }

  #goaway(afterMs: number): void {
    if (this.#awayMs !== undefined) return;
    this.#awayMs = afterMs;
    this.#goodbye = this.#deps.clock.timer("goaway", afterMs, () => {
      this.#leaving = true;
      this.#leaveWhenIdle();
    });
  }

  #leaveWhenIdle(): void {
    if (this.#leaving && this.#asked.size === 0) this.close("stopping");
  }

  #down(reason: CloseReason | "lost"): void {
    const now = this.#deps.clock.monotonic();
    this.#limit.cancel();
    this.#goodbye?.cancel();
    this.#heartbeat?.[Symbol.dispose]();
    this.#pump?.[Symbol.dispose]();
    for (const asked of this.#asked.values()) asked.abort();
    const to = reason === "lease_expired" ? (this.#lastReceived ?? this.#interval?.from) : now;
    if (this.#interval) Object.assign(this.#interval, { to, reason });
    const lastedMs = this.#interval === undefined ? 0 : now - this.#interval.from;
    this.#over.resolve({ kind: "closed", reason, lastedMs, awayMs: this.#awayMs });
  }
}
