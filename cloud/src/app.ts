/** The cloud as one process: start, listen, drain and end. */
import { Scope, sleep } from "@porchlight/shared/kernel";
import type { MessageSocket } from "@porchlight/shared/tunnel";
import type { FastifyInstance } from "fastify";
import type { ClientPrincipal } from "./access/index.ts";
import { type AppDeps, compose, type Parts } from "./composition.ts";
import { databaseOf, tlsFilesOf, urlOf } from "./config/index.ts";
import { listenForMetrics, type MetricsText, onceASecond, type Route, stopListening, TlsKeeper } from "./http/index.ts";
import { unusable } from "./store/index.ts";
import type { Tunnels } from "./tunnels/index.ts";

/** The origin of a hub's connection. */
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
   * Opens the store and builds all parts; it does not listen yet.
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

  /** For `inject`; the server listens after {@link listen}. */
  get fastify(): FastifyInstance {
    return this.#parts.fastify;
  }

  /** The declared routes. */
  get routes(): readonly Route[] {
    return this.#parts.routes;
  }

  /** The text of `/metrics`, made anew on each read. */
  get metrics(): MetricsText {
    return this.#parts.metrics;
  }

  /** Starts to accept requests and hubs. Returns the URL: `http://HOST:PORT`, or `https://`. */
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

  /** The number of other living nodes on the same database, as last seen. */
  get otherNodes(): number {
    const { self, living } = this.#parts.tunnels.nodes;
    return living.filter(({ id }) => id !== self).length;
  }

  /** Resolves the client of a tunnel's token; the gateway calls it before an upgrade. */
  authenticateClient(token: string): Promise<ClientPrincipal> {
    return this.#parts.authenticator.authenticateClient(token);
  }

  /** Accepts a hub's connection that does not come over HTTP. */
  acceptTunnel(socket: MessageSocket, principal: ClientPrincipal, via: TunnelVia): void {
    this.#parts.tunnels.accept(socket, principal, via);
  }

  /**
   * Reports not ready and, with several nodes, gives load balancers time to notice; then stops accepting connections, disconnects the
   * hubs, and resolves when pending work has ended.
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
    // Requests that still arrive on keep-alive connections are answered.
    // Other nodes can take over tunnels and deliveries, so these are released first.
    await Promise.all([tunnels.drain(), nodes && webhooks.drain()]);
    await fastify.close();
    await webhooks.drain();
    await recorder.flush();
  }

  /** Ends as SIGKILL would: writes nothing more. Resulting errors are ignored. */
  async kill(): Promise<void> {
    const { tunnels, store, claim } = this.#parts;
    tunnels.kill();
    const killed = store.kill();
    claim?.[Symbol.dispose]();
    await killed;
    await this[Symbol.asyncDispose]().catch(() => undefined);
  }

  /** Ends at once; call {@link drain} before it for an orderly end. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the service ends"));
    this.fastify.server.closeAllConnections();
    return this.#scope[Symbol.asyncDispose]();
  }
}
