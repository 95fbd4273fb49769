/** A driver, its host and a scripted node on one virtual clock: what most tests of the device protocol begin with. */
import { type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { HelloInfo } from "@porchlight/shared/wire";
import { memoryLinkPair } from "../../links/memory-link.ts";
import type { Attempt, DriverHost, LiveDevice, Observation, ReportSource } from "../driver.ts";
import { type LineDriver, type LinkDriverDeps, linkDriver } from "./link-driver.ts";
import { HUB, ScriptedNode } from "./scripted-node.fixture.ts";

type Taken = "stored" | "repeated" | "busy";

/** A host that remembers what it was told, in order, and commits at once unless told otherwise. */
export class FakeHost implements DriverHost {
  log: Log = silentLog;
  readonly arrivals: LiveDevice[] = [];
  readonly reports: { report: Observation; source: ReportSource }[] = [];
  readonly learnings: Observation[] = [];
  readonly forgotten: string[] = [];
  /** Everything, in one order. */
  readonly story: string[] = [];
  readonly live = new Set<string>();
  refuses = new Set<string>();
  commit: (report: Observation, source: ReportSource) => Promise<Taken> = async () => "stored";

  readonly #waiting = new Set<() => void>();

  /** Settles once it has been told this line, for the `times`-th time. */
  async told(line: string, times = 1): Promise<void> {
    while (this.story.filter((each) => each === line).length < times) {
      const next = Promise.withResolvers<void>();
      this.#waiting.add(next.resolve);
      await next.promise;
    }
  }

  #tell(line: string): void {
    this.story.push(line);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  arrived(device: LiveDevice): "admitted" | "refused" {
    if (this.refuses.has(device.edgeId) || this.live.has(device.edgeId)) {
      this.#tell(`refused ${device.edgeId}`);
      return "refused";
    }
    this.live.add(device.edgeId);
    this.arrivals.push(device);
    this.#tell(`arrived ${device.edgeId}`);
    return "admitted";
  }

  opened(transport: string): void {
    this.#tell(`opened ${transport}`);
  }

  left(edgeId: string): void {
    this.live.delete(edgeId);
    this.#tell(`left ${edgeId}`);
  }

  reported(report: Observation, source: ReportSource): Promise<Taken> {
    this.reports.push({ report, source });
    this.#tell(`reported ${report.service}.${report.property} ${JSON.stringify(report.value)}`);
    return this.commit(report, source);
  }

  async learned(observation: Observation): Promise<void> {
    this.learnings.push(observation);
    this.#tell(`learned ${observation.service}.${observation.property} ${JSON.stringify(observation.value)}`);
  }

  unread(_device: string, { service, property }: PropertyAddress): void {
    this.#tell(`unread ${service}.${property}`);
  }

  forgetReports(node: string): void {
    this.forgotten.push(node);
    this.#tell(`forgot ${node}`);
  }
}

export class HubAndNode implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly host: FakeHost;
  readonly node: ScriptedNode;
  readonly driver: LineDriver;
  /** How often the line was opened. */
  opened = 0;
  /** Whether the line can be opened. */
  isThere = true;

  constructor(
    info: Partial<HelloInfo> = {},
    deps: Partial<LinkDriverDeps> = {},
    shared?: { clock: VirtualClock; host: FakeHost },
  ) {
    this.clock = shared?.clock ?? new VirtualClock();
    this.host = shared?.host ?? new FakeHost();
    this.node = new ScriptedNode(this.clock, info);
    this.driver = linkDriver({
      name: "memory",
      connect: async () => {
        if (!this.isThere) throw new Error("there is no such line");
        this.opened += 1;
        const [hub, node] = memoryLinkPair();
        this.node.attach(node);
        return hub;
      },
      clock: this.clock,
      random: seededRandom(1),
      log: silentLog,
      host: this.host,
      hubEdgeId: HUB,
      ...deps,
    });
  }

  /** A hub whose devices are described and read. */
  static async live(info: Partial<HelloInfo> = {}, deps: Partial<LinkDriverDeps> = {}): Promise<HubAndNode> {
    const both = new HubAndNode(info, deps);
    await both.clock.advance(0);
    return both;
  }

  /** Leave to try for `ms` from now. */
  attempt(ms = 10_000, mayTouch: () => boolean = () => true, signal?: AbortSignal): Attempt {
    return { deadline: this.clock.monotonic() + ms, mayTouch, signal };
  }

  get counters() {
    return this.driver.status().counters;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.driver[Symbol.asyncDispose]();
  }
}

export const SWITCH = { service: "Switch", index: "0", property: "on" };
export const LEVEL = { service: "LightLevel", index: "0", property: "level" };
export const ACTIVE = { service: "Identify", index: "0", property: "active" };
