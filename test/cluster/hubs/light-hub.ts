/** A hub made for truth: it speaks the real tunnel from memory, many in one process, and writes down what it did, when, and where it was connected. */
import { generateKeyPairSync, sign } from "node:crypto";
import { DialRefused, tunnelUrl } from "@porchlight/agent/uplink/dial.ts";
import type { Ending } from "@porchlight/agent/uplink/ending.ts";
import type { HubIdentity } from "@porchlight/agent/uplink/handshake.ts";
import { Reconnect, type ReconnectPolicy } from "@porchlight/agent/uplink/reconnect.ts";
import { webSocketDial } from "@porchlight/agent/uplink/websocket.ts";
import { type Clock, LinkedAbort, type Random, sleep } from "@porchlight/shared/kernel";
import { HubBook, type PropertyTarget } from "./hub-book.ts";
import { LightConnection } from "./light-connection.ts";
import { LightDevices } from "./light-devices.ts";
import type { Report, Truth } from "./truth.ts";

export interface LightHubOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Its client's ID. */
  readonly clientId: string;
  readonly token: string;
  /** Different for each hub of a run. */
  readonly number: number;
  readonly devices: number;
  /** Where it finds the service; asked anew at every attempt when it is a function. */
  readonly url: string | (() => string);
  /** PEM of a CA that it trusts besides the usual ones. */
  readonly ca?: string | undefined;
  readonly truth: Truth;
  /** Of its reconnects; waits that fit a test when left out. */
  readonly policy?: ReconnectPolicy;
  /** Told how each attempt to connect, or the connection that it led to, has ended. */
  readonly ended?: (ending: Ending) => void;
}

const DIAL_MS = 5000;
/** The agent's policy, with waits that fit a test. */
const POLICY = {
  backoff: { firstMs: 500, capMs: 5000, stableMs: 60_000 },
  supersededFirstMs: 5000,
  supersededCapMs: 60_000,
  rejectedMs: 10_000,
};

export class LightHub implements AsyncDisposable {
  readonly clientId: string;
  readonly devices: LightDevices;
  readonly #options: LightHubOptions;
  readonly #book: HubBook;
  readonly #identity: HubIdentity;
  readonly #reconnect: Reconnect;
  readonly #stop = new AbortController();
  readonly #unacknowledged: Report[] = [];
  #connection: LightConnection | undefined;
  #running: Promise<void> | undefined;

  private constructor(options: LightHubOptions) {
    const { clientId, number, devices, clock, random, policy = POLICY } = options;
    this.clientId = clientId;
    this.#options = options;
    this.#book = new HubBook(`light-hub-log-${number}`);
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    this.#identity = {
      edgeId: edgeIdOf(number, 0xffff),
      publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
      sign: (bytes) => sign(null, bytes, privateKey).toString("base64"),
    };
    this.#reconnect = new Reconnect(policy, random);
    const edgeIds = Array.from({ length: devices }, (_, at) => edgeIdOf(number, at));
    this.devices = new LightDevices({ ...options, clock, hub: clientId, edgeIds, book: this.#book });
  }

  /** Begins to connect, and goes on for ever. */
  static start(options: LightHubOptions): LightHub {
    const hub = new LightHub(options);
    hub.#running = hub.#run();
    return hub;
  }

  /** Whether it has a tunnel, as it sees it. */
  get live(): boolean {
    return this.#connection?.live ?? false;
  }

  /** What the cloud has not acknowledged. */
  get queued(): number {
    return this.#book.queued;
  }

  /** What a property has. */
  held(target: PropertyTarget): unknown {
    return this.#book.held(target)?.value;
  }

  /** One of its devices tells by itself how bright it is. @param lux another value each time */
  report(device: string, lux: number): void {
    this.devices.report(device, lux);
    const told = this.#options.truth.reports.at(-1);
    if (told) this.#unacknowledged.push(told);
    this.#connection?.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the hub ends"));
    this.#connection?.close("stopping");
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const ending = await this.#attempt(signal);
      this.#connection = undefined;
      this.#options.ended?.(ending);
      const { ms } = this.#reconnect.next(ending);
      await sleep(clock, "reconnect", ms, signal).catch(() => undefined);
    }
  }

  async #attempt(signal: AbortSignal): Promise<Ending> {
    const { clock, url, token, ca } = this.#options;
    const address = tunnelUrl(typeof url === "string" ? url : url());
    const limit = new LinkedAbort(signal);
    const timer = clock.timer("dial", DIAL_MS, () => limit.abort(new Error("no answer in time")));
    try {
      const socket = await webSocketDial({ clock, env: {}, ca })(address.href, token, limit.signal);
      this.#connection = new LightConnection(socket, {
        ...this.#options,
        hub: this.clientId,
        identity: this.#identity,
        host: address.host,
        book: this.#book,
        devices: this.devices,
        acknowledged: (n) => this.#acknowledged(n),
      });
    } catch (failure) {
      if (failure instanceof DialRefused)
        return { kind: "refused", status: failure.status, retryAfterMs: failure.retryAfterMs };
      return { kind: "unreachable", detail: String(failure) };
    } finally {
      timer.cancel();
      limit.end();
    }
    return this.#connection.ended;
  }

  #acknowledged(n: number): void {
    const ackedAt = this.#options.clock.monotonic();
    for (let first = this.#unacknowledged[0]; first && first.n <= n; first = this.#unacknowledged[0]) {
      first.ackedAt = ackedAt;
      this.#unacknowledged.shift();
    }
  }
}

/** edgeId of a hub's n-th device. */
function edgeIdOf(hub: number, device: number): string {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, "0");
  return (`06${hex(hub, 6)}${hex(device, 4)}`.match(/../g) ?? []).join("-");
}
