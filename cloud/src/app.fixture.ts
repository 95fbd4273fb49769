/** A cloud for tests: the real one on a real store, on a clock that stands still until it is moved, and a client of its API. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { type Clock, type Random, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { LightMyRequestResponse } from "fastify";
import type { Compilable } from "kysely";

import { App } from "./app.ts";
import type { Bus } from "./bus/index.ts";
import { isPostgres } from "./config/data-location.ts";
import { type CloudSettings, cloudSettings } from "./config/settings.ts";
import { AnswerCheck, type Answered } from "./http/answer-check.fixture.ts";
import { changeAt, type FreshLocation, freshLocation, PATIENT, rowsAt } from "./store/fresh-store.fixture.ts";
import type { Sql } from "./store/index.ts";
import type { Resolve } from "./webhooks/index.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Each `set-cookie`, whole. */
  readonly cookies: readonly string[];
  /** Parsed, `{}` when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by comparing it
  readonly body: any;
  readonly text: string;
}

export interface Home {
  readonly email: string;
  readonly password: string;
  readonly id: string;
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly userId: string;
  /** An account token. */
  readonly token: string;
}

/** A request as it goes over the wire. */
export interface Wire {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** The error that the store fails with, until a test removes it. */
export interface StoreFault {
  error: Error | undefined;
}

/** A database that answers in real time would be too slow for the lease of a node whose clock is moved by minutes at once. */
const LEASE_OVER_ALL = { nodeLeaseMs: 10 * 365 * 24 * 3_600_000 };

/** As quick as a test wants it. */
const plainHasher = {
  hash: async (password: string) => `plain ${password}`,
  verify: async (hashed: string, password: string) => hashed === `plain ${password}`,
};

const EVENTS = /^(?:\/v\d+)?\/api\/events\/?$/;

export class TestCloud implements AsyncDisposable {
  readonly app: App;
  readonly clock: VirtualClock;
  readonly folder: string;
  /** As long as it holds an error, the store fails with it. */
  readonly storeFault: StoreFault;
  readonly #fresh: FreshLocation;
  /** Goes on over restarts: no process makes what another has made. */
  readonly #random: Random;
  readonly #answers: AnswerCheck;
  #homes = 0;

  private constructor(
    app: App,
    clock: VirtualClock,
    folder: string,
    fresh: FreshLocation,
    storeFault: StoreFault,
    random: Random,
  ) {
    this.#random = random;
    this.app = app;
    this.storeFault = storeFault;
    this.clock = clock;
    this.folder = folder;
    this.#fresh = fresh;
    this.#answers = AnswerCheck.of(app.routes);
  }

  /**
   * @param fresh where it keeps its data, when it is not the project's own store
   * @param resolve where the names of webhooks lead
   * @param medium makes its line to the other nodes of the same data
   * @param processorTime what the thread has used, ms; without, anonymous requests have no budget
   */
  static async start(
    settings: Partial<CloudSettings> = {},
    fresh?: FreshLocation,
    resolve?: Resolve,
    medium?: (clock: Clock) => Bus,
    processorTime?: () => number,
  ): Promise<TestCloud> {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-cloud-"));
    const clock = new VirtualClock();
    const location = fresh ?? (await freshLocation());
    return TestCloud.#on(folder, location, clock, seededRandom(1), settings, resolve, medium?.(clock), processorTime);
  }

  /** Another process on the same data, once this one has ended; or beside it, on a database that takes two. */
  restart(settings: Partial<CloudSettings> = {}, bus?: Bus): Promise<TestCloud> {
    return TestCloud.#on(this.folder, this.#fresh, this.clock, this.#random, settings, undefined, bus);
  }

  static async #on(
    folder: string,
    fresh: FreshLocation,
    clock: VirtualClock,
    random: Random,
    settings: Partial<CloudSettings>,
    resolve?: Resolve,
    bus?: Bus,
    processorTime?: () => number,
  ): Promise<TestCloud> {
    const fault: StoreFault = { error: undefined };
    const fail = () => {
      if (fault.error) throw fault.error;
    };
    const app = await App.start({
      settings: {
        ...cloudSettings.parse({ data: folder, database: fresh.location, port: 0, rateLimit: "off", portal: "off" }),
        ...settings,
        // Several nodes are about their leases.
        ...(isPostgres(fresh.location) && bus === undefined && LEASE_OVER_ALL),
      },
      clock,
      random,
      log: silentLog,
      hasher: plainHasher,
      limits: PATIENT,
      beforeStoring: fail,
      beforeReading: fail,
      resolve,
      bus,
      processorTime,
    });
    return new TestCloud(app, clock, folder, fresh, fault, random);
  }

  /** Sends that, as it is. Of events, which never end, there is no more than that they have begun. */
  async send({ method, url, headers, body }: Wire): Promise<Answered & { readonly bytes: Buffer }> {
    const isEndless = EVENTS.test(decodedPath(url)) && method !== "HEAD";
    const response = await this.app.fastify.inject({
      // Any word is sent as a method.
      method: method as "GET",
      url,
      headers: { ...headers },
      payloadAsStream: isEndless,
      ...(body !== undefined && { payload: body }),
    });
    const text = isEndless ? await begun(response) : response.payload;
    const bytes = isEndless ? Buffer.from(text) : response.rawPayload;
    return { method, url, status: response.statusCode, headers: response.headers, text, bytes };
  }

  /**
   * Every answer is held against the OpenAPI document.
   * @param body an object becomes JSON; a string goes as it is
   * @throws Error when the answer is not one that the document describes
   */
  async call(
    method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "PATCH",
    url: string,
    options: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const { token, body, headers } = options;
    const answered = await this.send({
      method,
      url,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
    this.#answers.check(answered);
    const { status, text } = answered;
    const isJson = /[/+]json\b/.test(String(answered.headers["content-type"])) && text !== "";
    return {
      status,
      headers: answered.headers as Record<string, string | undefined>,
      cookies: [answered.headers["set-cookie"] ?? []].flat() as string[],
      body: isJson ? JSON.parse(text) : {},
      text,
    };
  }

  /** An account with what comes with it, logged in. */
  async home(): Promise<Home> {
    this.#homes += 1;
    const email = `owner-${this.#homes}@example.com`;
    const password = "correct horse battery";
    const made = await this.good("POST", "/api/accounts", { body: { email, password } });
    const login = await this.good("POST", "/api/accounts/login", { body: { email, password, keepMeLoggedIn: true } });
    return { ...made, email, password, token: login.token };
  }

  /** The body of an answer that is a success. */
  async good(
    method: "GET" | "POST" | "PUT" | "DELETE",
    url: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
    // biome-ignore lint/suspicious/noExplicitAny: see Reply
  ): Promise<any> {
    const reply = await this.call(method, url, options);
    if (reply.status >= 300) throw new Error(`${method} ${url}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  async serverToken(home: Home): Promise<string> {
    const server = await this.good("POST", "/api/servers", { token: home.token, body: {} });
    const { items } = await this.good("GET", `/api/servers/${server.id}/tokens`, { token: home.token });
    return items[0].token;
  }

  async userToken(home: Home, userId = home.userId): Promise<string> {
    return (await this.good("POST", `/api/users/${userId}/tokens`, { token: home.token })).token;
  }

  /** Looks at rows behind the API's back. */
  rows<R>(query: (build: Sql["build"]) => Compilable<R>): Promise<R[]> {
    return rowsAt(this.#fresh.location, query);
  }

  /** Changes rows behind the API's back. */
  change(change: (build: Sql["build"]) => Compilable<unknown>): Promise<void> {
    return changeAt(this.#fresh.location, change);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
    await this.#fresh[Symbol.asyncDispose]();
  }
}

/** As the router reads it. */
function decodedPath(url: string): string {
  const { pathname } = new URL(url, "http://localhost");
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Hangs up on a stream of events; of anything else, all that it says. */
async function begun(response: LightMyRequestResponse): Promise<string> {
  const stream = response.stream();
  if (response.statusCode < 300) {
    stream.destroy();
    return "";
  }
  return textOf(stream);
}
