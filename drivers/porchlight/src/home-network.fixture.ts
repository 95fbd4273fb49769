/** A home network in memory: nodes that announce themselves, and a driver that finds them, on one virtual clock. */
import { type AskClaims, type Attempt, attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import type { NetworkEndpoint } from "@porchlight/driver-kit/links";
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import {
  type HomeInterface,
  type MdnsListener,
  type MdnsQuestion,
  type MdnsRecord,
  NetworkBrowser,
  placeOnLink,
} from "@porchlight/driver-kit/network";
import { type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { HelloInfo } from "@porchlight/shared/wire";
import { endpointKey } from "./endpoints.ts";
import { LanDriver, type LanDriverDeps } from "./lan-driver.ts";
import { HUB, LAMP, ScriptedNode } from "./scripted-node.fixture.ts";
import { SERVICE_TYPE } from "./sightings.ts";

export const INTERFACE: HomeInterface = {
  name: "eth0",
  address: "10.0.0.1",
  isOnLink: () => true,
  place: (address, port) =>
    placeOnLink(address, port, { name: "eth0", isLoopback: false, own: [{ address: "10.0.0.1", bits: 8 }] }),
};

export interface Announced {
  id?: string;
  address?: string;
  port?: number;
  ttl?: number;
  tls?: boolean;
}

export class HomeNetwork implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly host = new FakeHost();
  readonly node: ScriptedNode;
  readonly driver: LanDriver;
  readonly logged: string[] = [];
  readonly asked: MdnsQuestion[] = [];
  /** Every attempt to connect, and whether it wanted TLS. */
  readonly tried: string[] = [];
  /** Nodes by `ADDRESS:PORT`. */
  readonly places = new Map<string, ScriptedNode>();
  /** The interface as it is now. */
  interface: HomeInterface | undefined = INTERFACE;
  #listener: MdnsListener | undefined;

  constructor(deps: Partial<LanDriverDeps> = {}, info: Partial<HelloInfo> = {}) {
    const { clock } = this;
    this.node = new ScriptedNode(clock, info);
    this.places.set("10.0.0.7:4000", this.node);
    const say = (_fields: unknown, message: string) => void this.logged.push(message);
    const log: Log = { ...silentLog, warn: say, error: say };
    const random = seededRandom(1);
    const network = new NetworkBrowser({
      ...{ clock, random, log },
      findInterface: () => this.interface,
      open: async (_on, listener) => {
        this.#listener = listener;
        return {
          ask: (questions) => void this.asked.push(...questions),
          [Symbol.dispose]: () => {
            this.#listener = undefined;
          },
        };
      },
    });
    this.driver = LanDriver.start({
      on: "10.0.0.1",
      admit: [LAMP],
      keys: new Map(),
      ...{ clock, random, log, network },
      host: this.host,
      hubEdgeId: HUB,
      openNode: (endpoint) => this.#open(endpoint),
      ...deps,
    });
  }

  /** A home whose lamp is live. */
  static async live(deps: Partial<LanDriverDeps> = {}, info: Partial<HelloInfo> = {}): Promise<HomeNetwork> {
    const home = new HomeNetwork(deps, info);
    await home.clock.advance(0);
    await home.announce();
    return home;
  }

  /** A node says where it is, and what follows has happened. */
  async announce(announced: Announced = {}): Promise<void> {
    this.say(recordsOf(announced));
    await this.clock.advance(200);
  }

  say(records: readonly MdnsRecord[]): void {
    this.#listener?.answer(records);
  }

  /** The socket of multicast DNS has failed. */
  failListening(reason: string): void {
    this.#listener?.failed(reason);
  }

  get listening(): boolean {
    return this.#listener !== undefined;
  }

  attempt(ms = 10_000, mayTouch: () => boolean = () => true): Attempt {
    return attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.driver[Symbol.asyncDispose]();
  }

  async #open(endpoint: NetworkEndpoint) {
    const key = endpointKey(endpoint);
    this.tried.push(endpoint.psk ? `${key} with TLS` : key);
    const node = this.places.get(key);
    if (!node) throw new Error("connect ECONNREFUSED");
    const [hub, far] = memoryLinkPair();
    node.attach(far);
    return hub;
  }
}

/** The service, as records name it. */
export const SERVICE = `${SERVICE_TYPE}.local`;

export function recordsOf({
  id = LAMP,
  address = "10.0.0.7",
  port = 4000,
  ttl = 120,
  tls = false,
}: Announced): MdnsRecord[] {
  const instance = `Node ${id}.${SERVICE}`;
  const host = `${id.toLowerCase()}.local`;
  const text = ["v=1", `id=${id}`, ...(tls ? ["tls=psk"] : [])].map((pair) => Buffer.from(pair));
  return [
    { name: SERVICE, type: "PTR", ttl, flush: false, data: instance },
    { name: instance, type: "SRV", ttl, flush: true, data: { target: host, port } },
    { name: instance, type: "TXT", ttl, flush: true, data: text },
    { name: host, type: "A", ttl, flush: true, data: address },
  ];
}

/** A cloud that is asked whose devices are: `claimed` are another hub's, and while it is away it says nothing. */
export class ClaimsOfCloud {
  readonly claimed = new Set<string>();
  readonly asked: (readonly string[])[] = [];
  isThere = true;

  readonly ask: AskClaims = async (edgeIds) => {
    this.asked.push(edgeIds);
    return this.isThere ? edgeIds.filter((edgeId) => this.claimed.has(edgeId)) : undefined;
  };
}
