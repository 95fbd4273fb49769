/** A hub of the world: an agent in a process of its own that can be killed, stopped and started again on its data. */
import { join } from "node:path";
import { Agent } from "@porchlight/agent";
import type { KeptForDrivers } from "@porchlight/agent/drivers/index.ts";
import { DialRefused } from "@porchlight/agent/uplink/dial.ts";
import type { AskClaims, Driver, DriverHost, StatedDriver } from "@porchlight/driver-kit";
import { LanDriver, linkDriver } from "@porchlight/driver-porchlight";
import { type Clock, type Log, type Random, seededRandom, type VirtualClock } from "@porchlight/shared/kernel";
import type { CloudOfWorld } from "./cloud.ts";
import { Disk } from "./disk.ts";
import { ApiAtHome, type HomeAsk, type HomeReply } from "./home-api.ts";
import type { Lan } from "./lan.ts";
import type { SerialLine } from "./line.ts";
import type { Connection, Network } from "./network.ts";
import { WorldProcess } from "./process.ts";

export interface HubDeps {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly log: Log;
  readonly folder: string;
  readonly edgeId: string;
  readonly token: string;
  readonly cloud: CloudOfWorld;
  readonly network: Network;
  readonly lines: ReadonlyMap<string, SerialLine>;
  /** The home network that it looks for devices on; none when left out. */
  readonly lan?: Lan | undefined;
  /** Serves the API at home. */
  readonly home?: boolean | undefined;
  /** Further drivers, made at each start. */
  readonly moreDrivers?: ((kept: KeptForDrivers, around: AroundDriver) => StatedDriver[]) | undefined;
}

/** What a driver has around it. */
export interface AroundDriver {
  /** That of the hub's process. */
  readonly clock: Clock;
  /** That of everything else, which goes on when the hub is killed. */
  readonly outside: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
}

interface DriversDeps {
  readonly process: WorldProcess;
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  readonly askClaims: AskClaims;
}

export class HubOfWorld {
  readonly #deps: HubDeps;
  readonly disk: Disk;
  #process: WorldProcess | undefined;
  #agent: Agent | undefined;
  #connection: Connection | undefined;
  #starts = 0;
  #reachableAt = 0;
  #silent = false;
  #isolated = false;
  readonly #api = new ApiAtHome();

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.disk = new Disk(deps.random);
  }

  get running(): boolean {
    return this.#agent !== undefined;
  }

  get agent(): Agent {
    if (!this.#agent) throw new Error("the hub is dead");
    return this.#agent;
  }

  /** Its newest connection, for faults; undefined before the first. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** One request at home; undefined when the hub dies, or is dead, before it has answered. */
  atHome(ask: HomeAsk): Promise<HomeReply | undefined> {
    const process = this.#process;
    return process && this.#agent ? this.#api.call(process, ask) : Promise.resolve(undefined);
  }

  /** The same as `fetch`, for a program at home. @param taken the hub has read it @throws TypeError when the hub is dead */
  async fetchAtHome(url: string, init: RequestInit, taken?: () => void): Promise<Response> {
    if (!this.#process || !this.#agent) throw new TypeError("connection refused");
    return this.#api.fetch(this.#process, url, init, taken);
  }

  /** The last instant at which bytes of the hub could have reached the cloud, on the world's clock, ms. */
  get reachableAt(): number {
    if (this.#agent && !this.#silent) this.#reachableAt = this.#deps.clock.monotonic();
    return this.#reachableAt;
  }

  async start(): Promise<void> {
    const { clock, random, log, folder, edgeId, token } = this.#deps;
    const process = new WorldProcess(clock);
    this.#process = process;
    this.#starts += 1;
    this.#silent = false;
    this.#agent = await this.disk.start(() =>
      Agent.start({
        clock: process,
        random: seededRandom(Math.floor(random.fraction() * 2 ** 32)),
        log,
        dataDir: join(folder, "agent"),
        cloudUrl: "http://cloud.example",
        tokens: { read: () => token, write: () => undefined, remove: () => undefined },
        edgeId: this.#starts === 1 ? edgeId : undefined,
        dial: (_url, presented, signal) => this.#dial(process, presented, signal),
        drivers: (host, hubEdgeId, askClaims, kept) => [
          ...this.#drivers({ process, host, hubEdgeId, askClaims }),
          ...(this.#deps.moreDrivers?.(kept, { clock: process, outside: clock, random, log, host }) ?? []),
        ],
        localApi: this.#deps.home ? this.#api.serve : undefined,
        settings: { beforeCommit: this.disk.write },
      }),
    );
  }

  /** SIGKILL. */
  kill(): void {
    void this.reachableAt;
    this.#process?.kill();
    this.#agent?.kill();
    this.#agent = undefined;
    this.#connection = undefined;
  }

  /** SIGSTOP, SIGCONT. */
  stop(): void {
    void this.reachableAt;
    this.#silent = true;
    this.#process?.stop();
  }

  continue(): void {
    this.#silent = false;
    this.#process?.continue();
  }

  /** The house loses its internet: the connection dies without a notice to either end, and no other can be made. */
  isolate(): void {
    void this.reachableAt;
    this.#silent = true;
    this.#isolated = true;
    this.#connection?.die();
  }

  rejoin(): void {
    this.#silent = false;
    this.#isolated = false;
  }

  #drivers({ process, host, hubEdgeId, askClaims }: DriversDeps): Driver[] {
    const { random, log, lines, lan } = this.#deps;
    const deps = { clock: process, random, log, host, hubEdgeId };
    const onLines = [...lines].map(([name, line]) =>
      linkDriver({ ...deps, name, connect: (signal) => line.open(process, signal), baudRate: 115_200 }),
    );
    if (!lan) return onLines;
    return [...onLines, LanDriver.start({ ...deps, ...lan.hear(process, hubEdgeId, deps), askClaims })];
  }

  async #dial(process: WorldProcess, token: string, signal: AbortSignal) {
    const { cloud, network } = this.#deps;
    // A round trip of TCP and TLS before anything is known.
    await new Promise<void>((resolve) => process.timer("dial", 20, resolve));
    signal.throwIfAborted();
    if (!cloud.running || this.#isolated) throw new Error("connection refused");
    const principal = await cloud.authenticate(token);
    if (!principal) throw new DialRefused(401);
    const { hubEnd, cloudEnd, connection } = network.connect(process, cloud.process);
    this.#connection = connection;
    cloud.accept(cloudEnd, principal, token);
    return hubEnd;
  }
}
