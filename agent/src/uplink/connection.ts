/**
 * One connection, from the first byte to the close: the handshake, then heartbeats, the outbox and requests of the cloud. `uplink.ts`
 * decides what follows its end.
 *
 * Invariants: no request of the cloud is processed before its welcome; once the connection is down, or its lease has ended, none of its
 * requests touches hardware.
 */
import { type Clock, type Log, type Random, sleep, type Timer } from "@porchlight/shared/kernel";
import {
  type Challenge,
  type CloseReason,
  frames,
  type MessageSocket,
  Peer,
  PeerGone,
  PeerRefused,
  RPC_ERRORS,
} from "@porchlight/shared/tunnel";
import type { Home, State } from "../state/index.ts";
import type { Ending } from "./ending.ts";
import { type HandshakeDeps, type HandshakeResult, shakeHands } from "./handshake.ts";
import { Incoming, type IncomingDeps } from "./incoming.ts";
import { LiveTunnel } from "./live-tunnel.ts";
import { OPEN_LIMITS, type OpenRequests } from "./open-requests.ts";

export interface ConnectionDeps
  extends Pick<HandshakeDeps, "identity" | "token" | "host" | "instance" | "agentVersion"> {
  /** The home's state with the cloud's names; undefined when the API at home is not served. */
  readonly home?: Home | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly state: State;
  readonly commands: IncomingDeps["commands"];
  readonly open: OpenRequests;
  readonly askDrivers: IncomingDeps["askDrivers"];
  readonly askMaintenance?: IncomingDeps["askMaintenance"];
  readonly handshakeMs: number;
  readonly lingerMs: number;
  /** Longest that an orderly leave waits for commands in progress, ms. */
  readonly drainMs: number;
  /** The tunnel is open, under that epoch. */
  readonly opened: (epoch: number) => void;
  /** The cloud sends the hub away; the hub must leave within so many ms. */
  readonly sentAway: (afterMs: number) => void;
  /** These devices live on another hub of the home. */
  readonly claimed: (edgeIds: readonly string[]) => void;
  /** An item was dropped or refused, by name. */
  readonly count: (what: string) => void;
}

/** How long the cloud may take to revoke a token, ms. */
const GIVE_BACK_MS = 10_000;

type Welcomed = Extract<HandshakeResult, { kind: "welcome" }>;

export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #peer: Peer;
  readonly #incoming: Incoming;
  readonly #ended = Promise.withResolvers<Ending>();
  /** Work that arrived before the welcome was processed, in order; undefined afterwards. */
  #early: (() => void)[] | undefined = [];
  /** Size of the work that waits for the welcome. */
  readonly #earlySize = { count: 0, bytes: 0 };
  /** Size of the message that is being processed. */
  #frameBytes = 0;
  #challenged = false;
  #tunnel: LiveTunnel | undefined;
  #openedAt: number | undefined;
  #away: { readonly afterMs: number; readonly timer: Timer } | undefined;
  #handshake: Timer | undefined;

  private constructor(socket: MessageSocket, deps: ConnectionDeps) {
    this.#deps = deps;
    this.#incoming = new Incoming({
      clock: deps.clock,
      log: deps.log,
      commands: deps.commands,
      open: deps.open,
      socket,
      askDrivers: deps.askDrivers,
      askMaintenance: deps.askMaintenance,
      home: deps.home,
      scenes: deps.state.home.scenes,
      mayTouch: () => this.live,
      malformed: () => this.#peer.close("malformed"),
      refused: () => deps.count("overloaded"),
      overloaded: () => this.#peer.close("overloaded"),
    });
    this.#peer = new Peer(socket, deps.clock, {
      heard: ({ length }) => {
        this.#frameBytes = length;
      },
      request: (method, params, id) => this.#request(method, params, id),
      notification: (method, params) => this.#notification(method, params),
      down: (reason) => this.#down(reason),
      dropped: (what, error) => {
        deps.count(what);
        if (error !== undefined) deps.log.error({ what, failure: String(error) }, "a request of the cloud failed");
      },
    });
  }

  /** Takes over a socket that has just been opened. */
  static open(socket: MessageSocket, deps: ConnectionDeps): Connection {
    const connection = new Connection(socket, deps);
    connection.#handshake = deps.clock.timer("handshake", deps.handshakeMs, () =>
      connection.#peer.close("hello_timeout"),
    );
    return connection;
  }

  /** Resolves when the connection is over, however it ended. */
  get ended(): Promise<Ending> {
    return this.#ended.promise;
  }

  /** Whether its requests may touch hardware. */
  get live(): boolean {
    return !this.#peer.isDown && (this.#tunnel?.live ?? false);
  }

  get roundTripMs(): number | undefined {
    return this.#tunnel?.roundTripMs;
  }

  /** See {@link LiveTunnel.slowedMs}. */
  get slowedMs(): number | undefined {
    return this.#tunnel?.slowedMs;
  }

  /** See {@link LiveTunnel.askClaims}; undefined while the cloud cannot be asked. */
  async askClaims(edgeIds: readonly string[]): Promise<readonly string[] | undefined> {
    return this.live ? this.#tunnel?.askClaims(edgeIds) : undefined;
  }

  /** Gives the token back; false when the cloud refuses it, or cannot be asked. */
  async giveBack(): Promise<boolean> {
    if (!this.live) return false;
    try {
      await this.#peer.ask("unpair", {}, { timeoutMs: GIVE_BACK_MS });
      return true;
    } catch (failure) {
      if (!(failure instanceof PeerGone)) return false;
      const ending = await this.ended;
      return ending.kind === "closed" && ending.reason === "token_revoked";
    }
  }

  /** Waits a while for commands in progress, starts no new ones, and closes. */
  async leave(): Promise<void> {
    const { clock, drainMs } = this.#deps;
    const patience = new AbortController();
    const limit = sleep(clock, "leaving", drainMs, patience.signal).catch(() => undefined);
    await Promise.race([this.#incoming.leave(), limit, this.ended]);
    patience.abort();
    this.close("stopping");
  }

  close(reason: CloseReason): void {
    this.#peer.close(reason);
  }

  #request(method: string, params: unknown, id: number): Promise<unknown> | undefined {
    const arrived = this.#deps.clock.monotonic();
    const bytes = this.#frameBytes;
    if (!this.#early) return this.#incoming.request(method, params, id, arrived, bytes);
    // The cloud may send a request together with its welcome.
    return new Promise((resolve, reject) => {
      this.#welcomeFirst(() => {
        const answer = this.#incoming.request(method, params, id, arrived, bytes);
        if (answer === undefined) reject(new PeerRefused(RPC_ERRORS.unknownMethod));
        else answer.then(resolve, reject);
      });
    });
  }

  #notification(method: string, params: unknown): boolean {
    switch (method) {
      case "challenge":
        this.#challenge(params);
        return true;
      case "cancel":
        if (this.#early) this.#welcomeFirst(() => this.#incoming.cancel(params));
        else this.#incoming.cancel(params);
        return true;
      case "goaway":
        this.#goaway(params);
        return true;
      default:
        return false;
    }
  }

  /** Runs the work once the cloud has welcomed the hub. */
  #welcomeFirst(work: () => void): void {
    const size = this.#earlySize;
    size.count += 1;
    size.bytes += this.#frameBytes;
    if (size.count > OPEN_LIMITS.count || size.bytes > OPEN_LIMITS.bytes) this.#peer.close("overloaded");
    else this.#early?.push(work);
  }

  #challenge(params: unknown): void {
    const { data } = frames.challenge.safeParse(params);
    if (!data || this.#challenged) {
      this.#peer.close("malformed");
      return;
    }
    this.#challenged = true;
    void this.#answer(data);
  }

  async #answer(challenge: Challenge): Promise<void> {
    let result: HandshakeResult;
    try {
      result = await shakeHands(this.#peer, challenge, {
        ...this.#deps,
        scenes: this.#deps.state.home.scenes,
        timeoutMs: this.#deps.handshakeMs,
      });
    } catch (failure) {
      if (!this.#peer.isDown) this.#deps.log.warn({ failure: String(failure) }, "the cloud did not welcome the hub");
      this.#peer.close("hello_timeout");
      return;
    }
    if (result.kind !== "welcome") {
      this.#peer.close(result.kind);
      return;
    }
    if (this.#peer.isDown) return;
    if (result.welcome.acknowledged > this.#deps.state.lastNumber) return await this.#renew();
    this.#open(result);
  }

  #open(welcomed: Welcomed): void {
    const { welcome, cameAt } = welcomed;
    this.#handshake?.cancel();
    this.#openedAt = cameAt;
    this.#incoming.heard(welcome.at, cameAt, welcomed.sentAt);
    this.#deps.state.learnTime(welcome.now, (cameAt + welcomed.sentAt) / 2);
    this.#tunnel = LiveTunnel.start({
      ...this.#deps,
      peer: this.#peer,
      welcomed,
      heard: (at, arrived, asked) => {
        this.#incoming.heard(at, arrived, asked);
        // The middle between question and answer is the best estimate of when the cloud read its clocks.
        this.#deps.state.learnTime(welcome.now + at - welcome.at, (arrived + asked) / 2);
      },
    });
    this.#deps.opened(welcome.epoch);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const work of early) work();
  }

  /** Begins a new history: this database is older than the cloud's copy, so its next numbers would be taken for old ones. */
  async #renew(): Promise<void> {
    const { log, state } = this.#deps;
    log.error(
      { lastNumber: state.lastNumber },
      "the hub's database is older than the history in the cloud: a new history begins",
    );
    try {
      await state.renewLog();
      this.#ended.resolve({ kind: "renewed" });
    } catch (failure) {
      log.error({ failure: String(failure) }, "a new history could not be started");
    }
    this.#peer.close("stopping");
  }

  #goaway(params: unknown): void {
    const { data } = frames.goaway.safeParse(params);
    if (!data) {
      this.#peer.close("malformed");
      return;
    }
    if (this.#away) return;
    this.#deps.sentAway(data.afterMs);
    const { afterMs } = data;
    this.#away = { afterMs, timer: this.#deps.clock.timer("goaway", afterMs, () => void this.leave()) };
  }

  #down(reason: CloseReason | "lost"): void {
    const { clock } = this.#deps;
    this.#handshake?.cancel();
    this.#away?.timer.cancel();
    this.#tunnel?.[Symbol.dispose]();
    this.#early = [];
    this.#incoming.abandon();
    const lastedMs = this.#openedAt === undefined ? 0 : clock.monotonic() - this.#openedAt;
    this.#ended.resolve({ kind: "closed", reason, lastedMs, awayMs: this.#away?.afterMs });
  }
}
