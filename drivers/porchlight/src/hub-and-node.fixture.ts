/** A driver, its host and a scripted node on one virtual clock: what most tests of the device protocol begin with. */
import { type Attempt, attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { HelloInfo } from "@porchlight/shared/wire";
import { type LineDriver, type LinkDriverDeps, linkDriver } from "./link-driver.ts";
import { HUB, LAMP, LAMP_SERVICES, ScriptedNode } from "./scripted-node.fixture.ts";

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

  /** The node has a thermometer too, whose range is described, after an update of its firmware. */
  async addThermometer(): Promise<void> {
    const celsius = {
      property: "celsius",
      type: "number",
      unit: "°C",
      min: -40,
      max: 85,
      access: ["read", "notify"],
    } as const;
    this.node.services.set(LAMP, [...LAMP_SERVICES, { service: "Temperature", index: "0", properties: [celsius] }]);
    this.node.info = { ...this.node.info, boot: this.node.info.boot + 1 };
    this.node.hello();
    await this.clock.advance(10_000);
  }

  /** Permission to try for `ms` from now. */
  attempt(ms = 10_000, mayTouch: () => boolean = () => true, signal?: AbortSignal): Attempt {
    return attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch, signal });
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
