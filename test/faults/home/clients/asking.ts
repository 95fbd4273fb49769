/** What the clients of a run share: where they ask, the record that they write, and values that no client has asked for before. */
import { pick, type Random, randomInteger, sleep, systemClock } from "@porchlight/shared/kernel";
import { HttpClient, type Reply } from "../../../parts/http-client.ts";
import type { Running } from "../processes.ts";
import { type DeviceKind, LIGHT, propertiesOf, SHUTTER, Values } from "../properties.ts";
import type { Api, HomeRecord, Property } from "../record.ts";

export interface Request {
  readonly method: "GET" | "PUT";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the service was asked to wait, ms. */
  readonly waitMs?: number;
  /** After so long the client goes away, ms; a little longer than the wait when left out. */
  readonly patienceMs?: number | undefined;
}

/** How much longer than it has asked the service to wait a client waits, ms. */
const PATIENCE_MS = 3000;
const DEFAULT_WAIT_MS = 3000;

export class Asking implements AsyncDisposable {
  readonly running: Running;
  readonly random: Random;
  readonly #client = new HttpClient(PATIENCE_MS);
  readonly #over: AbortSignal;
  readonly #values = new Values();

  /** @param over clients begin nothing more when it is aborted */
  constructor(running: Running, random: Random, over: AbortSignal) {
    this.running = running;
    this.random = random;
    this.#over = over;
  }

  get record(): HomeRecord {
    return this.running.record;
  }

  get isOver(): boolean {
    return this.#over.aborted;
  }

  /** A property of a device, and a value of it that no client has asked for yet and that it does not begin with. */
  wish(): Property & { readonly value: number } {
    const device = this.device();
    const property = this.property(device);
    return { device, property, value: this.#values.written(this.kindOf(device), property) };
  }

  /** The same for a person at the device. */
  turn(): Property & { readonly value: number } {
    const device = this.device();
    const property = this.property(device);
    return { device, property, value: this.#values.turned(this.kindOf(device), property) };
  }

  kindOf(device: string): DeviceKind {
    return device === this.running.matterDevice ? SHUTTER : LIGHT;
  }

  property(device: string): string {
    return pick(this.random, propertiesOf(this.kindOf(device)));
  }

  /** Where a request to that API may go. */
  where(api: Api): string {
    return api === "home" ? this.running.home.url : pick(this.random, this.running.service.urls);
  }

  /** edgeId of a device of the run; every third time that of the Matter device, if there is one. */
  device(): string {
    const { ids, matterDevice } = this.running;
    if (matterDevice !== undefined && randomInteger(this.random, 3) === 0) return matterDevice;
    return pick(this.random, [...ids.keys()] as [string, ...string[]]);
  }

  path(device: string, selector: string): string {
    return `/api/devices/${this.running.ids.get(device)}/services/${selector}`;
  }

  /** Rests between `least` and `most` ms; less when the run is over. */
  async pause(least: number, most: number): Promise<void> {
    const ms = least + this.random.fraction() * (most - least);
    await sleep(systemClock, "client", ms, this.#over).catch(() => undefined);
  }

  /** Asks; undefined without an answer: the connection broke, could not be made, or the client went away. */
  async ask(api: Api, url: string, asked: Request): Promise<Reply | undefined> {
    const { method, path, body, headers, waitMs = DEFAULT_WAIT_MS, patienceMs = waitMs + PATIENCE_MS } = asked;
    const { token } = api === "home" ? this.running.home : this.running;
    return this.#client.ask(`${url}${path}`, { method, token, body, headers, patienceMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}
