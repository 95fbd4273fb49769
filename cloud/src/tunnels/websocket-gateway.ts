/** The WebSocket endpoint for hubs: answers an HTTP upgrade with a problem, or turns it into a tunnel's socket (T1). */
import { createHash } from "node:crypto";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import {
  type Clock,
  type ErrorName,
  every,
  isNamed,
  type Log,
  NamedError,
  type Timer,
} from "@porchlight/shared/kernel";
import { hostProblem, TokenBuckets } from "@porchlight/shared/rest";
import { corkForTurn, MAX_MESSAGE_BYTES, TUNNEL_PATH, TUNNEL_SUBPROTOCOL } from "@porchlight/shared/tunnel";
import { WebSocketServer } from "ws";
import type { ClientPrincipal } from "../access/index.ts";
import { HandshakeBucket } from "./admission.ts";
import { type LivingNodes, rolloutTarget, youngest } from "./rollout-target.ts";
import type { Tunnels } from "./tunnels.ts";
import { HeardWebSocket, HubWebSocket, type HubWebSocketDeps } from "./websocket.ts";

/** The HTTP response to a rejected upgrade. */
export interface UpgradeRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface GatewayDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tunnels: Tunnels;
  /** @throws "Token Missing", "Token Invalid", "Token Expired", "Token Type Not Allowed" */
  readonly authenticateClient: (token: string) => Promise<ClientPrincipal>;
  /** Renders an error as every route does (application/problem+json). */
  readonly refusal: (error: NamedError, request: IncomingMessage) => UpgradeRefusal;
  /** The client's address, as far as proxies are trusted. */
  readonly address: (request: IncomingMessage) => string;
  /** The nodes that share the database; undefined when this node is the only one. */
  readonly nodes?: (() => LivingNodes) | undefined;
}

const PATHS = new Set([TUNNEL_PATH, `/v0${TUNNEL_PATH}`]);

/** Connections of one hub: a burst of 30, which no backoff reaches, then one a second. Each connection costs two transactions. */
const CONNECTIONS = { perSecond: 1, burst: 30 };
/** Extra cost of a connection that broke the protocol: frames in flight behind the fault were read for nothing. */
const BROKEN_CONNECTIONS = 9;
/** Interval at which full connection buckets are deleted, ms. */
const FORGET_EVERY_MS = 5_000;

export class WebSocketGateway implements Disposable {
  readonly #deps: GatewayDeps;
  readonly #bucket: HandshakeBucket;
  readonly #connections = new TokenBuckets(CONNECTIONS);
  readonly #redirects = new Redirects();
  readonly #refusals = new HandshakeRefusals();
  readonly #sockets: HubWebSocketDeps;
  readonly #forget: Timer;
  readonly #websockets = new WebSocketServer({
    noServer: true,
    WebSocket: HeardWebSocket,
    perMessageDeflate: false,
    // ws's own pong would keep a closure for each connection; `HeardWebSocket` answers pings.
    autoPong: false,
    // `Tunnels` tracks the connections.
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: () => TUNNEL_SUBPROTOCOL,
  });
  #authenticating = 0;
  #detach: (() => void) | undefined;

  private constructor(deps: GatewayDeps) {
    this.#deps = deps;
    const { handshakesPerSecond, handshakeBurst } = deps.tunnels.settings;
    const { clock } = deps;
    this.#bucket = new HandshakeBucket(handshakesPerSecond, handshakeBurst, clock.monotonic());
    this.#sockets = { clock, broken: (clientId) => this.#broken(clientId) };
    this.#forget = every(clock, "hubs that connected", FORGET_EVERY_MS, () =>
      this.#connections.forgetFull(clock.monotonic()),
    );
  }

  /** Handles all upgrades of a server; an upgrade of another path is rejected. */
  static start(server: Server, deps: GatewayDeps): WebSocketGateway {
    const gateway = new WebSocketGateway(deps);
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void gateway.#upgrade(request, socket, head);
    };
    server.on("upgrade", onUpgrade);
    gateway.#detach = () => server.off("upgrade", onUpgrade);
    return gateway;
  }

  [Symbol.dispose](): void {
    this.#detach?.();
    this.#detach = undefined;
    this.#forget.cancel();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Until ws takes over, a socket error only means that the connection is gone.
    const ignore = () => undefined;
    socket.on("error", ignore);
    try {
      this.#admit(request);
      const token = bearer(request);
      const principal = await this.#authenticate(token);
      requireSubprotocol(request);
      const connection = this.#connections.take(principal.clientId, this.#deps.clock.monotonic());
      if (!connection.admitted) throw this.#refusals.of(TOO_OFTEN, connection.retryAfter);
      const via = {
        host: request.headers.host ?? "",
        tokenDigest: digest(token),
        address: this.#deps.address(request),
      };
      socket.off("error", ignore);
      // The upgrade response and the challenge leave in one write.
      corkForTurn(socket);
      this.#websockets.handleUpgrade(request, socket, head, (websocket) =>
        this.#deps.tunnels.accept(
          new HubWebSocket(this.#sockets, websocket, socket, principal.clientId),
          principal,
          via,
        ),
      );
    } catch (error) {
      this.#refuse(request, socket, error);
    }
  }

  async #authenticate(token: string): Promise<ClientPrincipal> {
    this.#authenticating += 1;
    try {
      return await this.#deps.authenticateClient(token);
    } finally {
      this.#authenticating -= 1;
    }
  }

  #broken(clientId: string): void {
    const now = this.#deps.clock.monotonic();
    this.#connections.of(clientId, now).spend(BROKEN_CONNECTIONS, now);
  }

  /** Runs the checks that cost nothing first (T8). */
  #admit(request: IncomingMessage): void {
    const problem = hostProblem(request);
    if (problem) throw problem;
    const path = (request.url ?? "").replace(/\?.*$/, "").replace(/(?<=.)\/$/, "");
    if (!PATHS.has(path)) throw new NamedError("Endpoint Not Found");
    this.#sendOn(request);
    const { clock, tunnels } = this.#deps;
    const { underWay, done } = tunnels.openings;
    const work = { underWay: underWay + this.#authenticating, done };
    const admission = this.#bucket.take(clock.monotonic(), work);
    if (admission.kind === "refused") throw this.#refusals.of(TOO_MANY, admission.retryAfter);
  }

  /** Redirects the hub when another node should take it: the hub retries at once, and the balancer routes it there. */
  #sendOn(request: IncomingMessage): void {
    const { clock, tunnels, nodes } = this.#deps;
    const { accepting, settings } = tunnels;
    const known = nodes?.();
    const to = known && (accepting ? rolloutTarget(known, clock.now(), settings) : youngest(known));
    const { authorization } = request.headers;
    if (to && authorization !== undefined && this.#redirects.sends(digest(authorization), to.id, clock.monotonic()))
      throw this.#refusals.of(ELSEWHERE, 0);
    if (!accepting) throw this.#refusals.of(CLOSED, 1);
  }

  #refuse(request: IncomingMessage, socket: Duplex, error: unknown): void {
    if (!isNamed(error)) this.#deps.log.error({ error }, "the WebSocket upgrade of a hub failed");
    const { status, headers, body } = this.#deps.refusal(
      isNamed(error) ? error : new NamedError("Internal Error", undefined, { cause: error }),
      request,
    );
    const lines = Object.entries({
      ...headers,
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
    });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** @throws "Token Missing", "Token Invalid" */
function bearer(request: IncomingMessage): string {
  const credentials = request.headersDistinct.authorization ?? [];
  if (credentials.length > 1) throw new NamedError("Token Invalid", "The request has more than one credential.");
  const token = (credentials[0] ?? "").replace(/^bearer(?: +|$)/i, "").trim();
  if (token === "") throw new NamedError("Token Missing");
  return token;
}

/** @throws "API Version Not Found" */
function requireSubprotocol(request: IncomingMessage): void {
  const asked = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  if (!asked.includes(TUNNEL_SUBPROTOCOL))
    throw new NamedError("API Version Not Found", `The tunnel speaks the subprotocol ${TUNNEL_SUBPROTOCOL}.`);
}

/**
 * Why a handshake is refused before the hub sends anything. Each error is created once: its stack is most of the cost
 * of a refusal, and thousands a second are possible when a service comes back.
 */
interface Reason {
  readonly name: ErrorName;
  readonly detail: string;
}

const TOO_MANY: Reason = {
  name: "Rate Limit Exceeded",
  detail: "Too many hubs are connecting: try again after the seconds in `retry-after`.",
};
const TOO_OFTEN: Reason = {
  name: "Rate Limit Exceeded",
  detail:
    "This hub connects too often. It may connect once a second on average, and once in ten seconds while it breaks the protocol.",
};
const ELSEWHERE: Reason = {
  name: "Service Unavailable",
  detail: "This hub must connect to another node. It can reconnect at once.",
};
const CLOSED: Reason = { name: "Service Unavailable", detail: "This node does not accept hubs at the moment." };

class HandshakeRefusals {
  readonly #made = new Map<Reason, Map<number, NamedError>>();

  /** @param retryAfter whole seconds, a minute at most */
  of(reason: Reason, retryAfter: number): NamedError {
    let errors = this.#made.get(reason);
    if (!errors) {
      errors = new Map();
      this.#made.set(reason, errors);
    }
    let error = errors.get(retryAfter);
    if (!error) {
      error = new NamedError(reason.name, reason.detail, { retryAfter });
      errors.set(retryAfter, error);
    }
    return error;
  }
}

/** How long a hub is redirected after its first attempt, ms; then this node takes it. */
const LIMIT_MS = 5_000;
/** A hub that stays away this long counts as a new hub, ms: its next attempt is a first one. */
const FORGET_MS = 60_000;
/** Maximum remembered hubs; a hub beyond it is not redirected. */
const MOST_HUBS = 20_000;
/** Minimum number of hubs that came back; when they are also the majority, the balancer does not reach the other node. */
const ENOUGH_BACK = 3;

interface SentHub {
  /** Monotonic, ms. */
  readonly first: number;
  /** The hub reached no other node within `LIMIT_MS`. */
  back: boolean;
}

/**
 * Hubs that this node redirects to another, each for a few seconds at most. It stops when redirects reach no other
 * node, because a balancer can route a hub to the same node for ever. `rollout-target.ts` decides when there is a
 * reason to redirect.
 */
export class Redirects {
  /** Ordered by first attempt. */
  readonly #hubs = new Map<string, SentHub>();
  #to: string | undefined;
  #sent = 0;
  #back = 0;

  get size(): number {
    return this.#hubs.size;
  }

  /**
   * Whether the hub must be redirected instead of taken here.
   * @param hub identifies the hub
   * @param to the node that should take the hub: a change of it resets the counts
   * @param now monotonic, ms
   */
  sends(hub: string, to: string, now: number): boolean {
    this.#forget(now);
    if (to !== this.#to) {
      this.#to = to;
      this.#sent = 0;
      this.#back = 0;
    }
    const known = this.#hubs.get(hub);
    if (known && now - known.first >= LIMIT_MS) {
      if (!known.back) this.#back += 1;
      known.back = true;
      return false;
    }
    if (this.#back >= ENOUGH_BACK && this.#back * 2 > this.#sent) return false;
    if (known) return true;
    if (this.#hubs.size >= MOST_HUBS) return false;
    this.#hubs.set(hub, { first: now, back: false });
    this.#sent += 1;
    return true;
  }

  #forget(now: number): void {
    for (const [hub, { first }] of this.#hubs) {
      if (now - first < FORGET_MS) return;
      this.#hubs.delete(hub);
    }
  }
}
