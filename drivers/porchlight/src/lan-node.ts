/**
 * One admitted node of the network: found, checked for claims, connected to, and connected to again. The session speaks the protocol, as
 * on a serial line.
 *
 * Invariants: no connection is opened before it is known, as far as possible, that no other hub has the node's devices; an announcement
 * never ends a live session; a connection to a node with another edgeId is closed at once.
 */
import { CLAIM_AGAIN_MS, type Claims, hostWithClaims, SessionClaims, type SharedHost } from "@porchlight/driver-kit";
import type { NetworkEndpoint } from "@porchlight/driver-kit/links";
import {
  Backoff,
  type BackoffPolicy,
  BoundedMap,
  type Clock,
  LinkedAbort,
  type Log,
  type Random,
  sleep,
} from "@porchlight/shared/kernel";
import type { ByteLink, HelloInfo } from "@porchlight/shared/wire";
import { endpointKey, planWays } from "./endpoints.ts";
import type { FrameLog } from "./line/frame-log.ts";
import { type LineDriver, linkDriver } from "./link-driver.ts";
import type { Endpoint, Sighting } from "./sightings.ts";

export interface LanNodeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly hubEdgeId: string;
  readonly claims: Claims;
  readonly open: (endpoint: NetworkEndpoint, signal: AbortSignal) => Promise<ByteLink>;
  /** The hub's key for the node: the connection then uses TLS only. */
  readonly key?: Uint8Array | undefined;
  readonly backoff: BackoffPolicy;
  readonly frames?: FrameLog | undefined;
}

/** Delay before the hub first asks again whether another hub has released a device, ms: hubs are often set up, and moved, together. */
const CLAIM_SOON_MS = 2000;
/** How long a place is avoided after another node answered there, ms. */
const AVOID_MS = 60_000;
const MOST_AVOIDED = 16;
/**
 * Waits after an open line ended while the cloud cannot be asked: another hub, permitted by the cloud, may have the node now, and take it
 * back each time. The longest wait equals that of a hub that was superseded in its tunnel.
 */
const UNASKED: BackoffPolicy = { firstMs: 1000, capMs: 15 * 60_000, stableMs: 60_000 };
/** A change of the places shortens a wait, but not below this, ms. */
const SHORTEST_WAIT_MS = 1000;

export class LanNode implements AsyncDisposable {
  readonly edgeId: string;
  readonly driver: LineDriver;
  /** When the node was first seen, monotonic ms. */
  readonly since: number;
  readonly #deps: LanNodeDeps;
  readonly #backoff: Backoff;
  readonly #unasked: Backoff;
  readonly #gate: SessionClaims;
  readonly #ending = new AbortController();
  readonly #avoid = new BoundedMap<string, number>(MOST_AVOIDED);
  readonly #onChange = new Set<() => void>();
  #sighting: Sighting | undefined;
  #met: (Endpoint & { readonly tls: boolean }) | undefined;
  #waits: string | undefined;
  /** The failure of the last attempt to reach the node. */
  #failure: string | undefined;
  #tried = new Set<string>();
  #triedAt = Number.NEGATIVE_INFINITY;
  #line: { readonly link: ByteLink; readonly endpoint: Endpoint } | undefined;
  /** From the node's last HELLO; before the first one, the node itself. */
  #devices: readonly string[];

  constructor(edgeId: string, deps: LanNodeDeps) {
    const { clock, random, log, host, hubEdgeId, backoff, frames } = deps;
    this.edgeId = edgeId;
    this.since = clock.monotonic();
    this.#deps = deps;
    this.#devices = [edgeId];
    this.#backoff = new Backoff(backoff, random);
    this.#unasked = new Backoff(UNASKED, random);
    this.#gate = new SessionClaims({
      clock,
      log,
      claims: deps.claims,
      signal: this.#ending.signal,
      answered: () => this.yieldClaimed(),
    });
    this.driver = linkDriver({
      name: `lan ${edgeId}`,
      connect: (signal) => this.#connect(signal),
      pause: (lastedMs, signal) => this.#pause(lastedMs, signal),
      admits: (node) => this.#admits(node),
      onHello: (node) => this.#hello(node),
      host: hostWithClaims(host, this.#gate),
      clock,
      random,
      log,
      hubEdgeId,
      frames,
    });
  }

  /** Whether the hub has ever met the node: such a node is kept when it is not announced. */
  get wasMet(): boolean {
    return this.#met !== undefined;
  }

  /** Updates the node's announcement; undefined when there is none any more. */
  sighted(sighting: Sighting | undefined): void {
    this.#sighting = sighting;
    const isElsewhere = sighting?.endpoints.some((each) => !this.#tried.has(endpointKey(each))) ?? false;
    if (isElsewhere || this.#waits !== undefined) this.#tellChange();
  }

  /** Closes the connection when every device of the node belongs to another hub. */
  yieldClaimed(): void {
    const { claims, log } = this.#deps;
    if (!this.#line || this.driver.status().phase === "closed") return;
    if (!this.#devices.every((device) => claims.isClaimed(device))) return;
    log.warn({ node: this.edgeId }, "the devices of a node belong to another hub: this hub does not use the node");
    this.#line.link.close();
  }

  status() {
    const { phase, devices, counters } = this.driver.status();
    const at = this.#line && phase !== "closed" ? endpointKey(this.#line.endpoint) : undefined;
    const waits = phase === "closed" ? this.#waits : undefined;
    const model = this.#sighting?.model;
    return { edgeId: this.edgeId, model, phase, at, waits, failure: this.#failure, devices, counters };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.driver[Symbol.asyncDispose]();
  }

  async #connect(signal: AbortSignal): Promise<ByteLink> {
    this.#line = undefined;
    this.#gate.begin();
    const endpoints = await this.#wayThere(signal);
    const { open, clock, key } = this.#deps;
    this.#tried = new Set(endpoints.map(endpointKey));
    this.#triedAt = clock.monotonic();
    const psk = key && { identity: this.edgeId, key };
    for (const endpoint of endpoints) {
      try {
        const link = await open({ ...endpoint, psk }, signal);
        this.#line = { link, endpoint };
        this.#failure = undefined;
        return link;
      } catch (error) {
        signal.throwIfAborted();
        const words = error instanceof Error ? error.message : String(error);
        this.#failure = `${endpointKey(endpoint)}: ${words}`;
      }
    }
    throw new Error(this.#failure);
  }

  /** Waits until there is a place to connect to, and no other hub has all the node's devices. */
  async #wayThere(signal: AbortSignal): Promise<readonly Endpoint[]> {
    const { clock, claims, key } = this.#deps;
    let askAgainMs = CLAIM_SOON_MS;
    for (;;) {
      signal.throwIfAborted();
      const hasKey = key !== undefined;
      const ways = { sighting: this.#sighting, met: this.#met, hasKey, avoid: this.#avoid };
      const plan = planWays(ways, clock.monotonic());
      if (plan.kind === "wait") {
        this.#waits = plan.why;
        await this.#waitForChange(plan.why === "otherNodeThere" ? AVOID_MS : undefined, signal);
        continue;
      }
      await claims.renew(this.#devices, signal);
      if (!this.#devices.every((device) => claims.isClaimed(device))) {
        this.#waits = undefined;
        return plan.endpoints;
      }
      this.#waits = "claimed";
      await sleep(clock, "device of another hub", askAgainMs, signal);
      askAgainMs = Math.min(askAgainMs * 2, CLAIM_AGAIN_MS);
    }
  }

  async #pause(lastedMs: number, signal: AbortSignal): Promise<void> {
    const { clock, claims } = this.#deps;
    const isUnasked = lastedMs > 0 && !claims.isAnswered;
    const ms = (isUnasked ? this.#unasked : this.#backoff).next(lastedMs);
    if (isUnasked) await this.#untilAsked(ms, signal);
    else await this.#waitForChange(ms, signal);
    const left = Math.min(ms, this.#triedAt + SHORTEST_WAIT_MS - clock.monotonic());
    if (left > 0) await sleep(clock, "node to be tried again", left, signal);
  }

  /** Settles when the node has changed, when the cloud can be asked again, or after `ms`. @throws the signal's reason */
  async #untilAsked(ms: number, signal: AbortSignal): Promise<void> {
    const { clock, claims } = this.#deps;
    const until = clock.monotonic() + ms;
    for (let left = ms; left > 0 && !claims.isAnswered; left = until - clock.monotonic()) {
      if (await this.#waitForChange(Math.min(left, CLAIM_AGAIN_MS), signal)) return;
      await claims.renew(this.#devices, signal);
    }
  }

  /** Settles when the node has changed, or after `ms`; resolves with whether it has changed. @throws the signal's reason */
  async #waitForChange(ms: number | undefined, signal: AbortSignal): Promise<boolean> {
    const change = new LinkedAbort(signal);
    const wake = () => change.abort();
    this.#onChange.add(wake);
    try {
      const limit = ms ?? 24 * 3_600_000;
      await sleep(this.#deps.clock, "node to be looked for", limit, change.signal);
      return false;
    } catch {
      signal.throwIfAborted();
      return true;
    } finally {
      this.#onChange.delete(wake);
      change.end();
    }
  }

  #tellChange(): void {
    for (const wake of [...this.#onChange]) wake();
  }

  /** Refuses a node with another edgeId than expected, and closes the connection. */
  #admits(nodeId: string): boolean {
    const { clock, log } = this.#deps;
    const line = this.#line;
    if (!line) return false;
    if (nodeId === this.edgeId) {
      this.#met = { ...line.endpoint, tls: this.#deps.key !== undefined };
      return true;
    }
    log.warn(
      { node: this.edgeId, found: nodeId, at: endpointKey(line.endpoint) },
      "a different node answers at this address",
    );
    this.#avoid.set(endpointKey(line.endpoint), clock.monotonic() + AVOID_MS);
    clock.timer("leave another node", 0, () => line.link.close());
    return false;
  }

  #hello({ id, devices }: HelloInfo): void {
    if (id !== this.edgeId) return;
    const listed = devices.filter((device) => device !== null);
    this.#devices = listed.length > 0 ? listed : [this.edgeId];
    this.#gate.ask(listed);
  }
}
