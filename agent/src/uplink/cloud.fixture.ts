/** The other end of a hub's tunnel, as a test scripts it: a cloud that checks the hello and keeps what it receives. */
import { createHash, createPublicKey, verify } from "node:crypto";
import { type Clock, settle } from "@porchlight/shared/kernel";
import {
  type CloseReason,
  frames,
  type Hello,
  type HubRecord,
  helloProof,
  Peer,
  PeerRefused,
  RPC_ERRORS,
  socketPair,
  type Welcome,
} from "@porchlight/shared/tunnel";
import { type Dial, DialRefused } from "./dial.ts";

export const CLOUD = "https://cloud.example:8443";
export const TOKEN = "plt_cli_secret";
const NONCE = "n".repeat(43);

/** One connection of a hub, as the cloud has it. */
export interface Tunnel {
  readonly peer: Peer;
  readonly epoch: number;
  readonly openedAt: number;
  hello?: Hello;
  down?: CloseReason | "lost";
  readonly inventories: string[][];
  readonly described: string[];
  /** Batches as they came. */
  readonly batches: HubRecord[][];
  heartbeats: number;
  /** The line breaks. */
  cut(): void;
}

type Answer = (params: unknown) => unknown;

export class FakeCloud {
  readonly #clock: Clock;
  readonly tunnels: Tunnel[] = [];
  /** Monotonic times of all attempts. */
  readonly dials: number[] = [];
  /** What dials end with instead of a socket. */
  readonly refusals: (DialRefused | Error)[] = [];
  welcome: Partial<Welcome> = {};
  /** Stands for what the cloud does with a method; undefined falls back to the ordinary. */
  answers: Partial<Record<string, Answer>> = {};
  /** The last number stored. */
  stored = 0;
  /** The hub's end of a socket hears that it is closed when this has settled. */
  held: Promise<void> | undefined;
  /** Everything stored, once. */
  readonly history: HubRecord[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly dial: Dial = async (url, token) => {
    this.dials.push(this.#clock.monotonic());
    const refusal = this.refusals.shift();
    if (refusal) throw refusal;
    if (url !== "wss://cloud.example:8443/api/tunnel" || token !== TOKEN) throw new DialRefused(401);
    const { a, b, breakFor } = socketPair();
    const peer = new Peer(b, this.#clock, {
      request: (method, params) => this.#request(tunnel, method, params),
      notification: () => false,
      down: (reason) => {
        tunnel.down = reason;
      },
    });
    const tunnel: Tunnel = {
      peer,
      epoch: this.tunnels.length + 1,
      openedAt: this.#clock.monotonic(),
      inventories: [],
      described: [],
      batches: [],
      heartbeats: 0,
      cut: () => {
        breakFor("a");
        breakFor("b");
      },
    };
    this.tunnels.push(tunnel);
    peer.notify("challenge", { nonce: NONCE, oldest: 1, newest: 1 });
    const { held } = this;
    if (held !== undefined) {
      const listen = a.listen.bind(a);
      a.listen = (events) =>
        listen({
          message: (text) => events.message(text),
          closed: (code) => void held.then(() => events.closed(code)),
        });
    }
    return a;
  };

  /** The newest tunnel. */
  get tunnel(): Tunnel {
    const newest = this.tunnels.at(-1);
    if (!newest) throw new Error("the hub has never connected");
    return newest;
  }

  /** Connection time of the newest tunnel. */
  get at(): number {
    return this.#clock.monotonic() - this.tunnel.openedAt;
  }

  /** Asks the hub; answers what the hub answers. */
  ask(method: string, params: Record<string, unknown>, waitMs = 10_000): Promise<unknown> {
    return this.tunnel.peer.ask(method, { at: this.at, deadline: this.at + waitMs, ...params }, { timeoutMs: 60_000 });
  }

  close(reason: CloseReason): Promise<void> {
    this.tunnel.peer.close(reason);
    return settle();
  }

  #request(tunnel: Tunnel, method: string, params: unknown): Promise<unknown> | undefined {
    const scripted = this.answers[method]?.(params);
    if (scripted !== undefined) return Promise.resolve(scripted);
    switch (method) {
      case "hello":
        return Promise.resolve(this.#hello(tunnel, frames.hello.parse(params)));
      case "heartbeat":
        frames.heartbeat.parse(params);
        tunnel.heartbeats += 1;
        return Promise.resolve({ at: this.at });
      case "inventory": {
        const edgeIds = frames.inventory.parse(params).devices.map(({ edgeId }) => edgeId);
        tunnel.inventories.push(edgeIds);
        return Promise.resolve({ wanted: edgeIds });
      }
      case "describe":
        tunnel.described.push(frames.describe.parse(params).edgeId);
        return Promise.resolve({});
      case "records":
        return Promise.resolve(this.#records(tunnel, frames.records.parse(params).records));
      default:
        return undefined;
    }
  }

  #hello(tunnel: Tunnel, hello: Hello): Welcome {
    tunnel.hello = hello;
    const key = createPublicKey({ key: Buffer.from(hello.publicKey, "base64"), format: "der", type: "spki" });
    const proof = helloProof(NONCE, createHash("sha256").update(TOKEN).digest("hex"), "cloud.example:8443");
    if (!verify(null, proof, key, Buffer.from(hello.signature, "base64")))
      throw new PeerRefused(RPC_ERRORS.invalidParams);
    return {
      at: this.at,
      version: 1,
      epoch: tunnel.epoch,
      now: this.#clock.now(),
      leaseMs: 15_000,
      heartbeatMs: 5000,
      acknowledged: this.stored,
      inventory: false,
      resync: false,
      ...this.welcome,
    };
  }

  #records(tunnel: Tunnel, records: HubRecord[]): { acknowledged: number } {
    tunnel.batches.push(records);
    for (const record of records) {
      if (record.n <= this.stored) continue;
      this.history.push(record);
      this.stored = record.n;
    }
    return { acknowledged: this.stored };
  }
}
