/**
 * The hub's end of the tunnel: connects, stays connected, and reconnects without end.
 *
 * Invariants: there is at most one connection; a waiting hub touches no hardware for the cloud; every end of an attempt leads to another
 * attempt.
 */
import { type Clock, deadline, LinkedAbort, type Log, orAborted, type Random, sleep } from "@porchlight/shared/kernel";
import type { MessageSocket, SocketEvents } from "@porchlight/shared/tunnel";
import type { Home, State } from "../state/index.ts";
import { Connection } from "./connection.ts";
import { type Dial, DialRefused, tunnelUrl } from "./dial.ts";
import type { Ending } from "./ending.ts";
import type { HubIdentity } from "./handshake.ts";
import type { IncomingDeps } from "./incoming.ts";
import { OpenRequests } from "./open-requests.ts";
import { isRejection, Reconnect, type ReconnectPolicy, type Wait, type WaitReason } from "./reconnect.ts";

export interface UplinkSettings extends ReconnectPolicy {
  /** Longest wait for a socket, and then for the welcome, ms. */
  readonly handshakeMs: number;
  /** How long new records wait for more, ms. */
  readonly lingerMs: number;
  /** Longest that an orderly leave waits for commands in progress, ms. */
  readonly drainMs: number;
}

export const UPLINK_SETTINGS: UplinkSettings = {
  backoff: { firstMs: 1000, capMs: 60_000, stableMs: 60_000 },
  supersededFirstMs: 60_000,
  supersededCapMs: 900_000,
  rejectedMs: 300_000,
  handshakeMs: 10_000,
  lingerMs: 20,
  drainMs: 5000,
};

export interface UplinkDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly dial: Dial;
  /** Base address of the service. */
  readonly cloudUrl: string;
  readonly identity: HubIdentity;
  /** Returns the client token, called at every attempt. */
  readonly token: () => string;
  readonly agentVersion: string;
  readonly state: State;
  /** The home's state with the cloud's names; undefined when the API at home is not served. */
  readonly home?: Home | undefined;
  readonly commands: IncomingDeps["commands"];
  readonly askDrivers: IncomingDeps["askDrivers"];
  readonly askMaintenance?: IncomingDeps["askMaintenance"];
  /** Called with devices that, according to the cloud, live on another hub of the home. */
  readonly claimed: (edgeIds: readonly string[]) => void;
  /** Called when the cloud accepts the token, and when it rejects it: then another token or a new pairing would help. */
  readonly standing?: ((standing: "accepted" | "rejected") => void) | undefined;
  readonly settings: UplinkSettings;
}

export interface UplinkStatus {
  readonly tunnel: TunnelState;
  /** Whether the lease is live, as the hub sees it. */
  readonly live: boolean;
  readonly roundTripMs?: number | undefined;
  /** How long the cloud stopped reading from this hub between the last two heartbeats, ms, because the hub exceeded its budget. */
  readonly slowedMs?: number | undefined;
  /** Number of welcomes since the start of the agent. */
  readonly welcomes: number;
  /** Numbers of dropped or refused items, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

export class Uplink implements AsyncDisposable {
  readonly #deps: UplinkDeps;
  readonly #instance: string;
  readonly #url: URL;
  readonly #reconnect: Reconnect;
  readonly #stop = new AbortController();
  readonly #counts = new Map<string, number>();
  readonly #open = new OpenRequests();
  #running: Promise<void> = Promise.resolve();
  #state: TunnelState;
  #connection: Connection | undefined;
  #socket: SeverableSocket | undefined;
  #welcomes = 0;
  /** Ends the wait before the next attempt. */
  #wake: () => void = () => undefined;
  /** The token of the newest attempt. */
  #tried = "";
  #givingBack = false;

  private constructor(deps: UplinkDeps) {
    this.#deps = deps;
    this.#url = tunnelUrl(deps.cloudUrl);
    this.#instance = Buffer.from(deps.random.bytes(16)).toString("base64url");
    this.#reconnect = new Reconnect(deps.settings, deps.random);
    this.#state = { kind: "connecting", since: deps.clock.now() };
  }

  /** Starts to connect. @throws TypeError when the address of the service is invalid */
  static start(deps: UplinkDeps): Uplink {
    const uplink = new Uplink(deps);
    uplink.#running = uplink.#run();
    return uplink;
  }

  status(): UplinkStatus {
    return {
      tunnel: this.#state,
      live: this.#connection?.live ?? false,
      roundTripMs: this.#connection?.roundTripMs,
      slowedMs: this.#connection?.slowedMs,
      welcomes: this.#welcomes,
      counts: Object.fromEntries(this.#counts),
    };
  }

  /**
   * Asks the cloud which of the devices live on another hub; undefined while it cannot be asked.
   * @throws PeerGone, PeerTimeout, ZodError
   */
  async askClaims(edgeIds: readonly string[]): Promise<readonly string[] | undefined> {
    return this.#connection?.askClaims(edgeIds);
  }

  /** The token may have changed: a waiting hub tries at once; a hub connected with an older token reconnects with the new one. */
  async renew(): Promise<void> {
    if (this.#tried !== this.#deps.token()) await this.#connection?.leave();
    this.#wake();
  }

  /** Gives the token back to the cloud, which revokes it. False when that failed; else the hub does not reconnect. */
  async giveBack(): Promise<boolean> {
    this.#givingBack = true;
    const given = (await this.#connection?.giveBack()) ?? false;
    this.#givingBack = given;
    if (given) this.#stop.abort(new Error("the hub is unpaired"));
    return given;
  }

  /** Waits a while for commands in progress, and closes. Resolves when the cloud has received the close. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the agent stops"));
    await this.#connection?.leave();
    await this.#running;
    // A process that ends with unread bytes resets the connection, and the close frame can be lost with it (RFC 1122, 4.2.2.13).
    await this.#socket?.closed;
  }

  /** Stops at once without a message, as when the process is killed. */
  kill(): void {
    this.#stop.abort(new Error("the agent was killed"));
    this.#socket?.sever();
    this.#connection?.close("stopping");
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#step({ kind: "dial" });
      const ending = await this.#attempt(signal);
      this.#connection = undefined;
      if (signal.aborted || (this.#givingBack && ending.kind === "closed")) break;
      const wait = this.#reconnect.next(ending);
      this.#step({ kind: "ended", ending, reason: wait.reason, waitMs: wait.ms });
      this.#say(ending, wait, log);
      if (isRejection(ending)) this.#deps.standing?.("rejected");
      const woken = new LinkedAbort(signal);
      this.#wake = () => woken.abort(new Error("there is no reason to wait any more"));
      // The rejected token may not be the current one any more.
      if (this.#tried !== this.#deps.token()) this.#wake();
      await sleep(clock, "reconnect", wait.ms, woken.signal).catch(() => undefined);
      woken.end();
    }
    this.#step({ kind: "stop" });
  }

  async #attempt(signal: AbortSignal): Promise<Ending> {
    let socket: MessageSocket;
    const token = this.#deps.token();
    this.#tried = token;
    try {
      socket = await this.#dial(token, signal);
    } catch (failure) {
      if (failure instanceof DialRefused) {
        return { kind: "refused", status: failure.status, retryAfterMs: failure.retryAfterMs };
      }
      return { kind: "unreachable", detail: failure instanceof Error ? failure.message : String(failure) };
    }
    this.#step({ kind: "socket" });
    this.#socket = new SeverableSocket(socket);
    const { settings } = this.#deps;
    this.#connection = Connection.open(this.#socket, {
      ...this.#deps,
      open: this.#open,
      ...settings,
      token,
      host: this.#url.host,
      instance: this.#instance,
      opened: (epoch) => this.#opened(epoch),
      sentAway: (afterMs) => this.#step({ kind: "goaway", afterMs }),
      count: (what) => void this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1),
    });
    return this.#connection.ended;
  }

  /** Dials with a time limit: a socket that opens too late is closed. */
  async #dial(token: string, signal: AbortSignal): Promise<MessageSocket> {
    const { clock, dial, settings } = this.#deps;
    const reason = () => new Error("the cloud does not answer");
    const limit = deadline(clock, "dial", settings.handshakeMs, { signal, reason });
    const dialled = dial(this.#url.href, token, limit.signal);
    try {
      return await orAborted(dialled, limit.signal);
    } catch (failure) {
      dialled.then((late) => late.close(1001, "stopping")).catch(() => undefined);
      throw failure;
    } finally {
      limit.end();
    }
  }

  #opened(epoch: number): void {
    this.#welcomes += 1;
    this.#step({ kind: "welcome", epoch });
    this.#deps.log.info({ epoch }, "the hub is online");
    this.#deps.standing?.("accepted");
  }

  #step(input: TunnelInput): void {
    this.#state = step(this.#state, input, this.#deps.clock.now());
  }

  #say(ending: Ending, { reason, ms }: Wait, log: Log): void {
    const [level, message] = SAYINGS[reason];
    log[level]({ ...ending, waitMs: Math.round(ms) }, message);
  }
}

const SAYINGS: Readonly<Record<WaitReason, readonly ["info" | "warn" | "error", string]>> = {
  retry: ["info", "the hub is not online; it tries again"],
  superseded: ["warn", "another agent with this hub's identity is online: this one waits and controls no devices"],
  rejected: [
    "error",
    "the cloud does not accept this hub: it needs a new token or a new pairing; it tries again slowly",
  ],
};

/** The state of the hub's connection, as `status` shows it: pure, the next state follows from the state and an input. */
export type TunnelState =
  | { readonly kind: "connecting"; readonly since: number }
  | { readonly kind: "opening"; readonly since: number }
  | { readonly kind: "online"; readonly since: number; readonly epoch: number }
  /** The cloud has sent goaway; it still serves until `until`. */
  | { readonly kind: "leaving"; readonly since: number; readonly epoch: number; readonly until: number }
  | {
      readonly kind: "waiting";
      readonly since: number;
      readonly until: number;
      readonly reason: WaitReason;
      readonly after: Ending;
    }
  | { readonly kind: "stopped"; readonly since: number };

export type TunnelInput =
  | { readonly kind: "dial" }
  | { readonly kind: "socket" }
  | { readonly kind: "welcome"; readonly epoch: number }
  | { readonly kind: "goaway"; readonly afterMs: number }
  | { readonly kind: "ended"; readonly ending: Ending; readonly reason: WaitReason; readonly waitMs: number }
  | { readonly kind: "stop" };

/**
 * The next state. An input that is impossible in a state (a welcome to a waiting hub) changes nothing.
 * @param now wall-clock time, ms since 1970
 */
export function step(state: TunnelState, input: TunnelInput, now: number): TunnelState {
  if (state.kind === "stopped") return state;
  switch (input.kind) {
    case "dial":
      return { kind: "connecting", since: now };
    case "socket":
      return state.kind === "connecting" ? { kind: "opening", since: now } : state;
    case "welcome":
      return state.kind === "opening" ? { kind: "online", since: now, epoch: input.epoch } : state;
    case "goaway":
      return state.kind === "online"
        ? { kind: "leaving", since: state.since, epoch: state.epoch, until: now + input.afterMs }
        : state;
    case "ended":
      return { kind: "waiting", since: now, until: now + input.waitMs, reason: input.reason, after: input.ending };
    case "stop":
      return { kind: "stopped", since: now };
  }
}

/** A socket that can be severed at once, as that of a killed process: from then on it sends and delivers nothing. */
class SeverableSocket implements MessageSocket {
  readonly #socket: MessageSocket;
  readonly #closed = Promise.withResolvers<void>();
  #severed = false;

  constructor(socket: MessageSocket) {
    this.#socket = socket;
  }

  /** Resolves when both ends have closed the socket, or it is severed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Severs without a close: the other end detects it as it would a dead process. */
  sever(): void {
    this.#severed = true;
    this.#closed.resolve();
  }

  listen(events: SocketEvents): void {
    const message = (text: string) => {
      if (!this.#severed) events.message(text);
    };
    const closed = (code: number) => {
      this.#closed.resolve();
      if (!this.#severed) events.closed(code);
    };
    // Deferred: a socket delivers buffered messages at once, and the listener may not be constructed yet.
    queueMicrotask(() => this.#socket.listen({ message, closed }));
  }

  send(text: string, sent: () => void): void {
    if (!this.#severed) this.#socket.send(text, sent);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code: number, reason: string): void {
    if (!this.#severed) this.#socket.close(code, reason);
  }
}
