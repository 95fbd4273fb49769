/** The cloud as one process: it begins, listens, drains and ends. */
import { Scope, sleep } from "@porchlight/shared/kernel";
import type { MessageSocket } from "@porchlight/shared/tunnel";
import type { FastifyInstance } from "fastify";
import type { ClientPrincipal } from "./access/index.ts";
import { type AppDeps, compose, type Parts } from "./composition.ts";
import { databaseOf, tlsFilesOf, urlOf } from "./config/index.ts";
import { listenForMetrics, type MetricsText, onceASecond, type Route, stopListening, TlsKeeper } from "./http/index.ts";
import { unusable } from "./store/index.ts";
import type { Tunnels } from "./tunnels/index.ts";

/** Where a hub's connection comes from. */
export type TunnelVia = Parameters<Tunnels["accept"]>[2];

export class App implements AsyncDisposable {
  readonly #deps: AppDeps;
  readonly #scope: Scope;
  readonly #parts: Parts;
  readonly #ended = new AbortController();
  #drained: Promise<void> | undefined;

  private constructor(deps: AppDeps, scope: Scope, parts: Parts) {
    this.#deps = deps;
    this.#scope = scope;
    this.#parts = parts;
  }

  /**
   * Opens the store and builds everything; nothing listens yet.
   * @throws TlsBroken, SchemaTooNew, KeyFileBroken, KeyMismatch, DatabaseClaimed, DatabaseUnusable
   */
  static async start(deps: AppDeps): Promise<App> {
    const scope = new Scope();
    try {
      return new App(deps, scope, await compose(deps, scope));
    } catch (error) {
      await scope[Symbol.asyncDispose]();
      throw unusable(databaseOf(deps.settings), error);
    }
  }

  /** For `inject`; it listens after {@link listen}. */
  get fastify(): FastifyInstance {
    return this.#parts.fastify;
  }

  /** What it serves, as it is declared. */
  get routes(): readonly Route[] {
    return this.#parts.routes;
  }

  /** What `/metrics` tells, made anew each time. */
  get metrics(): MetricsText {
    return this.#parts.metrics;
  }

  /** Begins to take requests and hubs. Gives where: `http://HOST:PORT`, or `https://`. */
  async listen(): Promise<string> {
    const { clock, log, settings } = this.#deps;
    const { host, port, metricsPort } = settings;
    const files = tlsFilesOf(settings);
    const { tls: pair } = this.#parts;
    if (files && pair) {
      const keeper = TlsKeeper.start(this.fastify.server, { clock, log, files, pair });
      this.#parts.place.certificate = this.#scope.use(keeper);
    }
    await this.fastify.listen({ host, port });
    if (metricsPort !== undefined)
      this.#scope.use(await listenForMetrics(onceASecond(clock, this.metrics), host, metricsPort));
    const address = this.fastify.server.address();
    if (address === null || typeof address === "string") throw new Error("the server listens on no port");
    const url = urlOf(settings, address.port);
    this.#parts.place.url = settings.publicUrl ?? url;
    return url;
  }

  /** How many other nodes live that share the database, as far as was seen last. */
  get otherNodes(): number {
    const { self, living } = this.#parts.tunnels.nodes;
    return living.filter(({ id }) => id !== self).length;
  }

  /** Which client a tunnel's token stands for, as the gateway asks before an upgrade. */
  authenticateClient(token: string): Promise<ClientPrincipal> {
    return this.#parts.authenticator.authenticateClient(token);
  }

  /** Takes a hub's connection that comes another way than over HTTP. */
  acceptTunnel(socket: MessageSocket, principal: ClientPrincipal, via: TunnelVia): void {
    this.#parts.tunnels.accept(socket, principal, via);
  }

  /**
   * Is not ready any more, and where other nodes are gives balancers time to see it; then takes in no more, sends the hubs away,
   * and settles when what was under way has ended.
   */
  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async #drain(): Promise<void> {
    const { health, nodes, fastify, tunnels, streams, webhooks, recorder } = this.#parts;
    const { clock, settings } = this.#deps;
    health.stopping();
    nodes?.leave();
    if (this.otherNodes > 0) {
      tunnels.takeNoMore();
      await sleep(clock, "notice of a drain", settings.drainNoticeMs, this.#ended.signal).catch(() => undefined);
    }
    stopListening(fastify.server);
    streams.drain();
    // On connections that are kept alive, a request that comes meanwhile is still answered.
    // What other nodes can go on with is theirs at once.
    await Promise.all([tunnels.drain(), nodes && webhooks.drain()]);
    await fastify.close();
    await webhooks.drain();
    await recorder.flush();
  }

  /** Ends as SIGKILL would: nothing more is written. Resulting errors are ignored. */
  async kill(): Promise<void> {
    const { tunnels, store, claim } = this.#parts;
    tunnels.kill();
    const killed = store.kill();
    claim?.[Symbol.dispose]();
    await killed;
    await this[Symbol.asyncDispose]().catch(() => undefined);
  }

  /** Ends at once; a drain before it is the polite way. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the service ends"));
    this.fastify.server.closeAllConnections();
    return this.#scope[Symbol.asyncDispose]();
  }
}
