/**
 * Callers that never rest while nodes come and go: each sets a property of its own and reads it, through the balancer, half of them
 * over a connection that they keep. They note each answer and each that did not come.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import type { ClusterHome, HomeDevice } from "../../cluster/cluster-home.ts";

export interface AnsweredPut {
  readonly device: HomeDevice;
  readonly commandId: string;
  readonly value: number;
  /** When it was sent, and how long its answer took, ms. */
  readonly sentAt: number;
  readonly ms: number;
}

const PROPERTY = "LightColor.hue";
/** Between two requests of a caller, ms. */
const REST_MS = 60;
/** The service is asked to wait 10 s: what is not answered in so long is an error, ms. */
const PATIENCE_MS = 15_000;

export class Callers implements AsyncDisposable {
  /** Answers that were no success, and those that did not come, by name. */
  readonly errors = new Map<string, number>();
  readonly puts: AnsweredPut[] = [];
  reads = 0;
  longestRead = 0;
  readonly #url: string;
  readonly #token: string;
  readonly #end = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** One caller a device. @param after which value of each, as callers of before have set theirs */
  static start(url: string, home: ClusterHome, devices: readonly HomeDevice[], after = 0): Callers {
    const callers = new Callers(url, home.token);
    callers.#running = Promise.all(devices.map((device, number) => callers.#call(device, number + after)));
    return callers;
  }

  /** PUTs that were answered with success and took longest, ms. */
  get longestPut(): number {
    return this.puts.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  }

  /** How many requests were no success. */
  get failed(): number {
    return [...this.errors.values()].reduce((sum, count) => sum + count, 0);
  }

  /** By name, for a table. */
  get failures(): string {
    return [...this.errors].map(([name, count]) => `${count} × ${name}`).join(", ");
  }

  /** Settles when each has its last answer. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async #call(device: HomeDevice, number: number): Promise<void> {
    const keeps = number % 2 === 0;
    const agent = new Agent({ pipelining: keeps ? 1 : 0, connections: 1 });
    const path = `/api/devices/${device.id}/services/${PROPERTY}`;
    for (let n = 1; !this.#end.signal.aborted; n++) {
      const value = ((number * 1_000 + n) % 360_000) / 1_000;
      const sentAt = performance.now();
      const put = await this.#ask(agent, "PUT", path, JSON.stringify({ value }));
      if (put) this.puts.push({ device, commandId: put, value, sentAt, ms: performance.now() - sentAt });
      const readAt = performance.now();
      if ((await this.#ask(agent, "GET", path)) !== undefined) this.reads += 1;
      this.longestRead = Math.max(this.longestRead, performance.now() - readAt);
      await pause(REST_MS);
    }
    await agent.destroy();
  }

  /** The command's ID of a success, or nothing of it; undefined when it was none. */
  async #ask(agent: Agent, method: "PUT" | "GET", path: string, body?: string): Promise<string | undefined> {
    try {
      const answer = await request(`${this.#url}${path}`, {
        method,
        dispatcher: agent,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body }),
      });
      const text = await answer.body.text();
      if (answer.statusCode === 200) return String(answer.headers["x-command-id"] ?? "");
      const { title, outcome } = JSON.parse(text);
      this.#failed(`${method} ${answer.statusCode} ${title}${outcome ? ` (${outcome})` : ""}`);
    } catch (error) {
      const { code, name } = error as { code?: string; name?: string };
      this.#failed(`${method} ${code ?? name}`);
    }
    return undefined;
  }

  #failed(name: string): void {
    this.errors.set(name, (this.errors.get(name) ?? 0) + 1);
  }
}
