/**
 * The driver of the home network: discovers nodes by multicast DNS, and connects to admitted ones, each on its own line. DP1, "Network".
 */
import {
  type Admissions,
  type AskClaims,
  type Attempt,
  asShared,
  Claims,
  type Driver,
  type DriverHost,
  type DriverResult,
  type FoundDevice,
  notApplied,
  type SharedHost,
} from "@porchlight/driver-kit";
import type { NetworkEndpoint } from "@porchlight/driver-kit/links";
import type { BrowsedServices, NetworkBrowser, Txt } from "@porchlight/driver-kit/network";
import type { BackoffPolicy, Clock, Log, Random } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { LanNode } from "./lan-node.ts";
import type { FrameLog } from "./line/frame-log.ts";
import { readAnnouncement, SERVICE_TYPE, type Sighting, Sightings } from "./sightings.ts";

export interface LanDriverDeps {
  /** The interface's address or name, for `status`. */
  readonly on: string;
  /** edgeIds of the nodes that the hub connects to. */
  readonly admit: "all" | readonly string[];
  /** Nodes that people have admitted in addition. */
  readonly admissions?: Admissions | undefined;
  /** Keys by the node's edgeId. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  /** Asks the cloud which devices belong to another hub; absent when there is no cloud. */
  readonly askClaims?: AskClaims | undefined;
  /** The browser of the interface. */
  readonly network: Pick<NetworkBrowser, "services" | "place" | "status">;
  readonly openNode: (endpoint: NetworkEndpoint, signal: AbortSignal) => Promise<ByteLink>;
  /** Waits between tries to reach a node. */
  readonly backoff?: BackoffPolicy | undefined;
  /** Keeps the frames of all nodes; absent: none are kept. */
  readonly frames?: FrameLog | undefined;
}

/** Maximum number of nodes at once. */
const MOST_NODES = 250;
/** How long an unmet node keeps its place before another may have it, ms. */
const CHANCE_MS = 15_000;
/** Maximum number of nodes without admission that `status` lists. */
const MOST_SHOWN = 50;
const BACKOFF: BackoffPolicy = { firstMs: 500, capMs: 60_000, stableMs: 60_000 };
const NOT_HERE = notApplied("The device is not connected.");

export class LanDriver implements Driver {
  readonly name: string;
  readonly #deps: LanDriverDeps;
  readonly #admitted: ReadonlySet<string> | "all";
  readonly #nodes = new Map<string, LanNode>();
  readonly #host: SharedHost;
  readonly #claims: Claims;
  readonly #services: BrowsedServices;
  readonly #sightings = new Sightings();
  readonly #subscription: Disposable;
  readonly #ending = new AbortController();
  #tooMany = 0;
  #ended: Promise<void> | undefined;

  private constructor(deps: LanDriverDeps) {
    const { clock, log, network } = deps;
    this.name = `lan ${deps.on}`;
    this.#deps = deps;
    this.#host = asShared(deps.host);
    this.#admitted = deps.admit === "all" ? "all" : new Set(deps.admit);
    this.#claims = new Claims({ clock, log, ask: deps.askClaims, signal: this.#ending.signal });
    this.#services = network.services(SERVICE_TYPE, { wanted: (txt) => this.#wanted(txt) });
    this.#subscription = this.#services.subscribe(() => this.#look());
    const unlisten = deps.admissions?.listen(() => this.#look());
    this.#ending.signal.addEventListener("abort", () => unlisten?.(), { once: true });
  }

  static start(deps: LanDriverDeps): LanDriver {
    return new LanDriver(deps);
  }

  has(edgeId: string): boolean {
    return this.#nodeOf(edgeId) !== undefined;
  }

  async read(
    device: string,
    ...rest: [address: Parameters<Driver["read"]>[1], attempt: Attempt]
  ): Promise<DriverResult> {
    return this.#nodeOf(device)?.driver.read(device, ...rest) ?? NOT_HERE;
  }

  async write(device: string, ...rest: Rest<Parameters<Driver["write"]>>): Promise<DriverResult> {
    return this.#nodeOf(device)?.driver.write(device, ...rest) ?? NOT_HERE;
  }

  /** The cloud reports that these devices belong to another hub. */
  yield(edgeIds: readonly string[]): void {
    this.#claims.note(edgeIds);
    for (const node of this.#nodes.values()) node.yieldClaimed();
  }

  /** Nodes that are seen and not admitted: their devices are not known before the hub connects. */
  found(): readonly FoundDevice[] {
    return this.#notAdmitted().map(({ edgeId, model }) => ({
      edgeId,
      about: { model },
      services: [],
      admission: "not_admitted",
    }));
  }

  problem(): string | undefined {
    const { problem } = this.#deps.network.status();
    return problem === undefined ? undefined : `The hub cannot look for devices on the network: ${problem}.`;
  }

  /** The state of each node; nodes that are seen and not admitted; numbers of ignored announcements, by reason. */
  status() {
    const { ignored: packets, ...network } = this.#deps.network.status();
    const ignored: Readonly<Record<string, number>> = {
      ...packets,
      ...this.#services.ignored(),
      ...this.#sightings.ignored,
    };
    const notAdmitted = this.#notAdmitted();
    return {
      line: this.name,
      ...network,
      nodes: [...this.#nodes.values()].map((node) => node.status()),
      absent: this.#absent(),
      notAdmitted: notAdmitted.slice(0, MOST_SHOWN).map(({ edgeId, model, tls }) => ({ edgeId, model, tls })),
      ignored: this.#tooMany > 0 ? { ...ignored, tooManyNodes: this.#tooMany } : ignored,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    this.#subscription[Symbol.dispose]();
    await Promise.all([...this.#nodes.values()].map((node) => node[Symbol.asyncDispose]()));
    this.#nodes.clear();
  }

  #nodeOf(edgeId: string): LanNode | undefined {
    for (const node of this.#nodes.values()) if (node.driver.has(edgeId)) return node;
    return undefined;
  }

  #notAdmitted(): Sighting[] {
    return [...this.#announced().values()].filter(({ edgeId }) => !this.#isAdmitted(edgeId));
  }

  #isAdmitted(edgeId: string): boolean {
    if (this.#admitted === "all" || this.#admitted.has(edgeId)) return true;
    return this.#deps.admissions?.isAdmitted(edgeId) ?? false;
  }

  #announced(): ReadonlyMap<string, Sighting> {
    return this.#sightings.nodes(this.#services.announced());
  }

  /** The edgeId of an announced node that the hub uses. */
  #wanted(txt: Txt): string | undefined {
    const stated = readAnnouncement(txt);
    return typeof stated !== "string" && this.#isWanted(stated.edgeId) ? stated.edgeId : undefined;
  }

  #isWanted(edgeId: string): boolean {
    if (this.#admitted !== "all") return this.#isAdmitted(edgeId);
    return this.#nodes.get(edgeId)?.wasMet ?? false;
  }

  #absent(): string[] {
    if (this.#admitted === "all") return [];
    return [...this.#admitted].filter((edgeId) => !this.#nodes.has(edgeId));
  }

  /** Processes the current announcements: connects to new nodes, and updates known ones. */
  #look(): void {
    if (this.#ending.signal.aborted) return;
    const announced = this.#announced();
    for (const [edgeId, node] of this.#nodes) {
      const sighting = announced.get(edgeId);
      node.sighted(sighting);
      // A node that was never met and is no longer announced may never have existed.
      if ((!sighting && !node.wasMet) || !this.#isAdmitted(edgeId)) this.#drop(node);
    }
    for (const [edgeId, sighting] of announced) {
      if (this.#nodes.has(edgeId) || !this.#isAdmitted(edgeId) || edgeId === this.#deps.hubEdgeId) continue;
      if (this.#nodes.size >= MOST_NODES && !this.#makeRoom()) {
        this.#tooMany += 1;
        continue;
      }
      const node = new LanNode(edgeId, this.#nodeDeps(edgeId));
      this.#nodes.set(edgeId, node);
      node.sighted(sighting);
    }
  }

  /** Removes a node that has had its chance and was never met, since its announcement may be invented. */
  #makeRoom(): boolean {
    const since = this.#deps.clock.monotonic() - CHANCE_MS;
    const never = [...this.#nodes.values()].find((node) => !node.wasMet && node.since <= since);
    if (never) this.#drop(never);
    return never !== undefined;
  }

  #drop(node: LanNode): void {
    this.#nodes.delete(node.edgeId);
    node[Symbol.asyncDispose]().catch((failure: unknown) => {
      this.#deps.log.error({ node: node.edgeId, failure: String(failure) }, "a node could not be released");
    });
  }

  /** Checks the place again here: since the hub moved to another network, a place where a node was once met may belong to other people. */
  async #open(endpoint: NetworkEndpoint, signal: AbortSignal): Promise<ByteLink> {
    const { network, openNode } = this.#deps;
    const place = network.place(endpoint.address, endpoint.port);
    if (place?.kind === "onLink") return openNode(endpoint, signal);
    throw new Error(place ? `the hub does not connect there (${place.why})` : "the interface does not exist");
  }

  #nodeDeps(edgeId: string) {
    const { clock, random, log, hubEdgeId, keys, frames, backoff = BACKOFF } = this.#deps;
    const open = (endpoint: NetworkEndpoint, signal: AbortSignal) => this.#open(endpoint, signal);
    const key = keys.get(edgeId);
    return { clock, random, log, host: this.#host, hubEdgeId, claims: this.#claims, open, key, backoff, frames };
  }
}

type Rest<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : never;
