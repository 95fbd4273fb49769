/** The cloud of the world: the whole application in a process of its own, called as its clients call it, killed and started again on its data. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { App } from "@porchlight/cloud";
import type { ClientPrincipal } from "@porchlight/cloud/access/index.ts";
import { cloudSettings } from "@porchlight/cloud/config/settings.ts";
import { AnswerCheck } from "@porchlight/cloud/http/answer-check.fixture.ts";
import { type Log, type Random, seededRandom, type VirtualClock } from "@porchlight/shared/kernel";
import type { MessageSocket } from "@porchlight/shared/tunnel";
import { Disk } from "./disk.ts";
import { WorldProcess } from "./process.ts";

/** The application without argon2id, which is slow by design and runs on threads that no virtual clock sees. */
const QUICK_HASHER = {
  hash: async (password: string) => `quick:${password}`,
  verify: async (hash: string, password: string) => hash === `quick:${password}`,
};

export interface CloudDeps {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly log: Log;
  readonly folder: string;
}

export interface WorldAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: the body of an answer, read by tests that know what they asked for
  readonly body: any;
}

export class CloudOfWorld {
  readonly #deps: CloudDeps;
  readonly disk: Disk;
  #process: WorldProcess;
  #app: App | undefined;
  /** Of every answer, after a restart too: the routes are the same. */
  #check: AnswerCheck | undefined;

  constructor(deps: CloudDeps) {
    this.#deps = deps;
    this.#process = new WorldProcess(deps.clock);
    this.disk = new Disk(deps.random);
  }

  get running(): boolean {
    return this.#app !== undefined;
  }

  get process(): WorldProcess {
    return this.#process;
  }

  get database(): string {
    return join(this.#deps.folder, "cloud", "cloud.db");
  }

  async start(): Promise<void> {
    const { clock, random, log, folder } = this.#deps;
    this.#process = new WorldProcess(clock);
    this.#app = await this.disk.start(() =>
      App.start({
        // The portal's files are read in real time, which would make a seed do something else each time.
        settings: cloudSettings.parse({ data: join(folder, "cloud"), rateLimit: "off", portal: "off" }),
        clock: this.#process,
        random: seededRandom(Math.floor(random.fraction() * 2 ** 32)),
        log,
        hasher: QUICK_HASHER,
        beforeStoring: this.disk.write,
      }),
    );
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    const app = this.#app;
    this.#app = undefined;
    this.#process.kill();
    await app?.kill();
  }

  /**
   * One request; undefined when the cloud dies, or is dead, before it has answered.
   * @throws Error when the answer is not one that the OpenAPI document describes
   */
  async call(
    method: string,
    url: string,
    token: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<WorldAnswer | undefined> {
    const app = this.#app;
    if (!app) return undefined;
    const dies = new Promise<undefined>((resolve) => this.#process.onKill(() => resolve(undefined)));
    const json = body === undefined ? {} : { "content-type": "application/json" };
    this.#check ??= AnswerCheck.of(app.routes);
    const check = this.#check;
    const answers = app.fastify
      .inject({
        method: method as "GET",
        url,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...json, ...headers },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      .then(({ statusCode: status, headers: received, payload: text }) => {
        check.check({ method, url, status, headers: received, text });
        return { status, headers: received, body: text ? JSON.parse(text) : undefined };
      });
    answers.catch(() => undefined);
    const answer = await Promise.race([answers, dies]);
    return this.#app === app ? answer : undefined;
  }

  async authenticate(token: string): Promise<ClientPrincipal | undefined> {
    return this.#app?.authenticateClient(token).catch(() => undefined);
  }

  /** Takes a hub's connection, as the gateway does after the upgrade. */
  accept(socket: MessageSocket, principal: ClientPrincipal, token: string): void {
    const tokenDigest = createHash("sha256").update(token).digest("hex");
    this.#app?.acceptTunnel(socket, principal, { host: "cloud.example", tokenDigest, address: "192.0.2.1" });
  }
}
