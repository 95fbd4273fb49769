/** Where hubs connect: an HTTP upgrade is refused with a proper answer, or becomes a tunnel's socket (T1). */
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
import type { ClientPrincipal } from "../../access/index.ts";
import { type LivingNodes, rolloutTarget, youngest } from "../node/rollout-target.ts";
import type { Tunnels } from "../tunnels.ts";
import { HandshakeBucket } from "./admission.ts";
import { HeardWebSocket, HubWebSocket, type HubWebSocketDeps } from "./websocket.ts";

/** An answer to a request that does not become a tunnel. */
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
  /** An error as the service answers it everywhere (application/problem+json). */
  readonly refusal: (error: NamedError, request: IncomingMessage) => UpgradeRefusal;
  /** Where the request comes from, as far as proxies are trusted. */
  readonly address: (request: IncomingMessage) => string;
  /** The nodes that share the database; only this one when left out. */
  readonly nodes?: (() => LivingNodes) | undefined;
}

const PATHS = new Set([TUNNEL_PATH, `/v0${TUNNEL_PATH}`]);

/** How often one hub may connect: after 30 at once, which no backoff comes to, once a second. Each costs two transactions. */
const CONNECTIONS = { perSecond: 1, burst: 30 };
/** What a connection costs more when the hub broke the protocol: what was under way behind the fault has been read for nothing. */
const BROKEN_CONNECTIONS = 9;
/** How often hubs are forgotten that may connect as often as one that never has, ms. */
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
    // Each connection would keep a function for it; see HeardWebSocket.
    autoPong: false,
    // The tunnels keep their connections themselves.
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

  /** Takes the upgrades of a server. Every one is answered here, also those to other paths. */
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
    // Until ws takes it over, the socket's errors are ignored: the connection is gone.
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
      // The answer leaves together with the challenge.
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

  /** What costs nothing is asked first (T8). */
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

  /** Where there is a node that is rather to have the hub, it comes again at once, and a balancer takes it there. */
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
 * Why a handshake is refused before the hub has said anything. Each error is made once: its stack is most of what a refusal costs,
 * and there may be thousands a second when a service comes back.
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

// The hubs that this node has sent on to another: each for a few seconds at most, and none where that leads nowhere, because a
// balancer may bring a hub back to the same node for ever. Apart from `rollout-target.ts`, which says when there is a reason to.

/** A hub is sent on for so long after it came first, ms: then it is taken in here. */
const LIMIT_MS = 5_000;
/** A hub that has not come back for so long is another one's, ms: the next time it comes is the first again. */
const FORGET_MS = 60_000;
/** Hubs that are remembered; one that comes beyond them is not sent on. */
const MOST_HUBS = 20_000;
/** So many that found no other node are a sign that the balancer does not lead there, when they are most of all. */
const ENOUGH_BACK = 3;

interface SentHub {
  /** Monotonic, ms. */
  readonly first: number;
  /** It has found no other node in all its time. */
  back: boolean;
}

export class Redirects {
  /** In the order in which they came first. */
  readonly #hubs = new Map<string, SentHub>();
  #to: string | undefined;
  #sent = 0;
  #back = 0;

  get size(): number {
    return this.#hubs.size;
  }

  /**
   * Whether the hub must be sent on, and not taken in.
   * @param hub what tells it from others
   * @param to the node that must have it: another one has a clean record
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
