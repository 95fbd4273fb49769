/** A node of tunnels on a real store and a virtual clock, with clients in it and scripted hubs that connect from memory. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
  IdMaker,
  type Log,
  type Random,
  seededRandom,
  settle,
  silentLog,
  VirtualClock,
} from "@porchlight/shared/kernel";
import {
  type Challenge,
  type CloseReason,
  frames,
  type Hello,
  helloProof,
  type MessageSocket,
  Peer,
  type PeerRefused,
  type SocketPair,
  socketPair,
  type Welcome,
} from "@porchlight/shared/tunnel";
import type { ClientPrincipal } from "../access/index.ts";
import { type FreshLocation, freshAt, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { readClient } from "./client-resource.ts";
import type { ConnectionOrigin } from "./handshake.ts";
import type { HubListener, HubTunnel, InventoryAnswer, RecordBatch } from "./session/hub-listener.ts";
import type { TunnelSettings } from "./settings.ts";
import { Tunnels } from "./tunnels.ts";

const HOST = "cloud.example";
const EDGE = "02-00-00-00-00-01";
/** Time moves by no more than this before what it has led to is in the store. */
const STEP_MS = 1_000;

/** What a listener is made of when a test brings its own. */
export interface ListenerDeps {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly ids: IdMaker;
  readonly log: Log;
}

/** Keeps what hubs say; stores nothing. */
class FakeListener implements HubListener {
  readonly opened: (tunnel: HubTunnel) => void = (tunnel) => void this.tunnels.push(tunnel);
  readonly tunnels: HubTunnel[] = [];
  readonly histories: string[] = [];
  readonly batches: RecordBatch[] = [];
  /** Stands between a batch and its acknowledgement. */
  store: (batch: RecordBatch) => Promise<void> = () => Promise.resolve();

  async newHistory(_tx: unknown, hub: { readonly logId: string }): Promise<void> {
    this.histories.push(hub.logId);
  }

  async records(_hub: unknown, batch: RecordBatch): Promise<number> {
    this.batches.push(batch);
    await this.store(batch);
    return batch.records.at(-1)?.n ?? 0;
  }

  /** Stands between a question of a hub and its answer. */
  ask: () => Promise<void> = () => Promise.resolve();

  async inventory(): Promise<InventoryAnswer> {
    await this.ask();
    return { wanted: [], claimed: [] };
  }

  async claims(): Promise<readonly string[]> {
    await this.ask();
    return [];
  }

  async describe(): Promise<void> {}
}

export interface TestNodeOptions {
  readonly settings?: Partial<TunnelSettings>;
  readonly listener?: (deps: ListenerDeps) => HubListener;
}

export interface StoredEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event by comparing it
  readonly data: any;
}

export class TestNode implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly fake = new FakeListener();
  /** What was logged as a warning or worse. */
  readonly warnings: string[] = [];
  /** The fields that were logged with each. */
  readonly details: unknown[] = [];
  readonly log: Log = {
    ...silentLog,
    warn: (fields, message) => this.#record(fields, message),
    error: (fields, message) => this.#record(fields, message),
  };
  readonly #options: TestNodeOptions;
  readonly #fresh: FreshLocation;
  #store: Store | undefined;
  #tunnels: Tunnels | undefined;
  #clients = 0;

  private constructor(options: TestNodeOptions, fresh: FreshLocation, clock: VirtualClock, random: Random) {
    this.clock = clock;
    this.random = random;
    this.ids = new IdMaker(clock, random);
    this.#options = options;
    this.#fresh = fresh;
  }

  static async open(options: TestNodeOptions = {}): Promise<TestNode> {
    const testNode = new TestNode(options, await freshLocation(), new VirtualClock(), seededRandom(1));
    await testNode.start();
    return testNode;
  }

  /** Another node over the same database, at the same time. It must be closed first. */
  async another(): Promise<TestNode> {
    const fresh = freshAt(this.#fresh.location, () => Promise.resolve());
    const testNode = new TestNode(this.#options, fresh, this.clock, this.random);
    await testNode.start();
    return testNode;
  }

  get store(): Store {
    if (!this.#store) throw new Error("the node is not open");
    return this.#store;
  }

  get tunnels(): Tunnels {
    if (!this.#tunnels) throw new Error("the node is not open");
    return this.#tunnels;
  }

  #record(fields: unknown, message: string): void {
    this.details.push(fields);
    this.warnings.push(message);
  }

  accept(socket: MessageSocket, principal: ClientPrincipal, via: ConnectionOrigin): void {
    this.tunnels.accept(socket, principal, via);
  }

  /** A process of the cloud on the same store. */
  async start(): Promise<void> {
    const { clock, ids, random, log } = this;
    this.#store = await Store.open({ ...this.#fresh.opening, clock, ids });
    const listener = this.#options.listener?.({ store: this.#store, clock, ids, log }) ?? this.fake;
    this.#tunnels = await Tunnels.start({
      store: this.#store,
      clock,
      random,
      log,
      listener,
      tokens: {
        revoke: async (tx, subjectId, tokenId) =>
          tx.afterCommit(() => this.tunnels.revoke({ kind: "token", tokenId, subjectId })),
      },
      settings: this.#options.settings ?? {},
    });
  }

  /** The process of the cloud dies: no hub is notified, nothing is written. */
  async crash(): Promise<void> {
    this.tunnels.kill();
    await this.store[Symbol.asyncDispose]();
  }

  /** A client that has never connected, in a home of its own. */
  async client(): Promise<ClientPrincipal> {
    this.#clients += 1;
    const ecosystemId = this.ids.next("eco");
    const environmentId = this.ids.next("env");
    const clientId = this.ids.next("cli");
    await this.store.write(ecosystemId, async (tx) => {
      const { build } = tx;
      await tx.change(build.insertInto("ecosystems").values({ id: ecosystemId, account_id: "acc_1", gone_at: null }));
      for (const [id, kind] of [
        [ecosystemId, "eco"],
        [environmentId, "env"],
        [clientId, "cli"],
      ] as const) {
        const environment_id = kind === "eco" ? null : environmentId;
        const base = { alias: null, meta: "{}", version: 1, created_at: this.clock.now(), gone_at: null };
        await tx.change(
          build.insertInto("objects").values({ ecosystem_id: ecosystemId, id, kind, environment_id, ...base }),
        );
      }
      const place = { ecosystem_id: ecosystemId, id: clientId, environment_id: environmentId };
      await tx.change(build.insertInto("clients").values({ ...place, epoch: 0, position: 0, online: 0 }));
    });
    return { ecosystemId, environmentId, clientId, tokenId: this.ids.next("tok") };
  }

  async events(ecosystemId: string): Promise<StoredEvent[]> {
    const rows = await this.store
      .of(ecosystemId)
      .sql.query(this.store.of(ecosystemId).from("events").select(["type", "data"]).orderBy("sequence"));
    return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }));
  }

  async eventTypes(ecosystemId: string): Promise<string[]> {
    return (await this.events(ecosystemId)).map(({ type }) => type);
  }

  /** What the API would say of the client's connection. */
  async connection(client: ClientPrincipal) {
    return this.tunnels.presence.connection(await this.row(client));
  }

  /** The client, as the store has it. */
  async row({ ecosystemId, clientId }: ClientPrincipal) {
    const client = await readClient(this.store.of(ecosystemId).sql, ecosystemId, clientId);
    if (!client) throw new Error("the client is gone");
    return client;
  }

  /** Moves time in steps, so that hubs that beat keep beating. */
  async advance(ms: number): Promise<void> {
    let left = ms;
    do {
      await this.clock.advance(Math.min(left, STEP_MS));
      // A lease that is being renewed is renewed before time goes on: to another process a virtual second is no time at all.
      await Promise.allSettled([this.store.writeService(async () => undefined)]);
      left -= STEP_MS;
    } while (left > 0);
    await settle(20);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tunnels?.[Symbol.asyncDispose]();
    await this.#store?.[Symbol.asyncDispose]();
    await this.#fresh[Symbol.asyncDispose]();
  }
}

export function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
    sign: (bytes: Uint8Array) => sign(null, bytes, privateKey).toString("base64"),
  };
}

/** What takes hubs in: a node, or a whole cloud. */
export interface HubHost {
  readonly clock: VirtualClock;
  accept(socket: MessageSocket, principal: ClientPrincipal, via: ConnectionOrigin): void;
}

export interface HubOptions {
  readonly key?: ReturnType<typeof newKey>;
  readonly token?: string;
  /** Overrides of the hello. */
  readonly hello?: Partial<Hello>;
  /** Whether it beats by itself. */
  readonly beats?: boolean;
}

type Answer = (params: never, id: number) => unknown;

/** A hub as a test scripts it: one connection. */
export class ScriptedHub {
  readonly peer: Peer;
  readonly pair: SocketPair;
  readonly asked: { readonly method: string; readonly params: Record<string, unknown>; readonly id: number }[] = [];
  readonly notified: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  /** What it answers, by method; a promise that never settles is silence. */
  answers: Record<string, Answer> = {};
  down: CloseReason | "lost" | undefined;
  /** Nothing of it is sent any more, and nothing reaches it: a cable pulled behind a switch. */
  dead = false;
  readonly #host: HubHost;
  readonly #options: Required<HubOptions>;
  readonly #challenged = Promise.withResolvers<Challenge>();

  private constructor(host: HubHost, principal: ClientPrincipal, options: Required<HubOptions>) {
    this.#host = host;
    this.#options = options;
    this.pair = socketPair((deliver) => {
      if (!this.dead) queueMicrotask(deliver);
    });
    this.peer = new Peer(this.pair.b, host.clock, {
      request: (method, params, id) => {
        const asked = { method, params: params as Record<string, unknown>, id };
        this.asked.push(asked);
        const answer = this.answers[method];
        return answer ? Promise.resolve(answer(params as never, id)) : undefined;
      },
      notification: (method, params) => {
        this.notified.push({ method, params: params as Record<string, unknown> });
        if (method === "challenge") this.#challenged.resolve(frames.challenge.parse(params));
        return true;
      },
      down: (reason) => {
        this.down = reason;
      },
    });
    host.accept(this.pair.a, principal, {
      host: HOST,
      tokenDigest: createHash("sha256").update(options.token).digest("hex"),
      address: "192.0.2.7",
    });
  }

  /** Connects and says nothing yet. */
  static dial(host: HubHost, principal: ClientPrincipal, options: HubOptions = {}): ScriptedHub {
    return new ScriptedHub(host, principal, { key: newKey(), token: "plt_cli_1", hello: {}, beats: true, ...options });
  }

  /** Connects and is welcomed. */
  static async connect(
    host: HubHost,
    principal: ClientPrincipal,
    options: HubOptions = {},
  ): Promise<ScriptedHub & { welcome: Welcome }> {
    const hub = ScriptedHub.dial(host, principal, options);
    const welcome = await hub.greet();
    await settle();
    return Object.assign(hub, { welcome });
  }

  async hello(more: Partial<Hello> = {}): Promise<Hello> {
    const { key, token, hello } = this.#options;
    const { nonce } = await this.#challenged.promise;
    const digest = createHash("sha256").update(token).digest("hex");
    return {
      oldest: 1,
      newest: 1,
      edgeId: EDGE,
      instance: "instance-1",
      agentVersion: "1.0.0",
      publicKey: key.publicKey,
      signature: key.sign(helloProof(nonce, digest, HOST)),
      logId: "log-0001",
      lastNumber: 0,
      acknowledged: 0,
      inventoryDigest: "none",
      now: this.#host.clock.now(),
      queued: 0,
      ...hello,
      ...more,
    };
  }

  /** Says hello. @throws PeerRefused, PeerGone when it is not welcome */
  async greet(more: Partial<Hello> = {}): Promise<Welcome> {
    const welcome = frames.welcome.parse(await this.ask("hello", await this.hello(more)));
    if (this.#options.beats) this.#beat(welcome.heartbeatMs);
    return welcome;
  }

  ask(method: string, params: unknown): Promise<unknown> {
    return this.peer.ask(method, params, { timeoutMs: 3_600_000 });
  }

  /** How a hello that is not welcome ends. */
  async refused(more: Partial<Hello> = {}): Promise<CloseReason | "lost" | undefined> {
    await this.ask("hello", await this.hello(more)).catch((_refusal: PeerRefused) => undefined);
    await settle();
    return this.down;
  }

  /** The line breaks, for both ends. */
  cut(): void {
    this.dead = true;
    this.pair.breakFor("a");
    this.pair.breakFor("b");
  }

  #beat(everyMs: number): void {
    this.#host.clock.timer("scripted heartbeat", everyMs, () => {
      if (this.peer.isDown || this.dead) return;
      this.ask("heartbeat", { queued: 0, roundTripMs: 20, now: this.#host.clock.now() }).catch(() => undefined);
      this.#beat(everyMs);
    });
  }
}
