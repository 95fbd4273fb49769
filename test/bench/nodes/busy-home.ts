/** A service with a home of many light hubs that all report, and callers of some of them: what is there when nodes are restarted or killed. */

import { setTimeout as pause } from "node:timers/promises";
import { UPLINK_SETTINGS } from "@porchlight/agent/uplink/uplink.ts";
import { seededRandom } from "@porchlight/shared/kernel";
import { ClusterHome } from "../../cluster/cluster-home.ts";
import { eventually } from "../../parts/eventually.ts";
import { Callers } from "./callers.ts";
import { type Losses, losses } from "./losses.ts";
import { Service, type ServiceOptions } from "./service.ts";

export const HUBS = 200;
const CALLERS = 24;
/** Of one hub, ms. */
const REPORT_EVERY_MS = 2_000;
/** Load before anything happens, and behind it, ms. */
const AROUND_MS = 3_000;

export class BusyHome implements AsyncDisposable {
  readonly service: Service;
  readonly home: ClusterHome;
  readonly callers: Callers;
  readonly #reports: NodeJS.Timeout;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    { service, home, callers }: Pick<BusyHome, "service" | "home" | "callers">,
    reports: NodeJS.Timeout,
    stack: AsyncDisposableStack,
  ) {
    this.#reports = reports;
    this.service = service;
    this.home = home;
    this.callers = callers;
    this.#stack = stack;
  }

  /** Settles when all has run for a while. Its hubs wait as those in earnest do before they connect again. */
  static async start(options: ServiceOptions): Promise<BusyHome> {
    await using stack = new AsyncDisposableStack();
    const service = stack.use(await Service.start(options));
    const cluster = { url: service.url, hubLine: { url: service.url } };
    const policy = UPLINK_SETTINGS;
    const random = seededRandom(1);
    const home = stack.use(await ClusterHome.start({ cluster, hubs: HUBS, devicesPerHub: 1, random, policy }));
    const every = Math.floor(home.devices.length / CALLERS);
    const called = home.devices.filter((_, at) => at % every === 0).slice(0, CALLERS);
    const callers = stack.use(Callers.start(service.url, home, called));
    let lux = 0;
    const reports = setInterval(() => {
      const device = home.devices[lux % home.devices.length];
      device?.hub.report(device.edgeId, ++lux / 100);
    }, REPORT_EVERY_MS / HUBS);
    stack.defer(() => clearInterval(reports));
    await pause(AROUND_MS);
    return new BusyHome({ service, home, callers }, reports, stack.move());
  }

  get allLive(): boolean {
    return this.home.hubs.every(({ live }) => live);
  }

  /** Connections of the hub that has had most of them since the first. */
  get mostReconnects(): number {
    const each = Map.groupBy(this.home.truth.connections, ({ hub }) => hub);
    return Math.max(...[...each.values()].map(({ length }) => length - 1));
  }

  /** Goes on for a while, ends the load, and says what was lost when everything has come to rest. */
  async rest(): Promise<Losses> {
    await eventually("every hub is back", async () => this.allLive, 90_000);
    await pause(AROUND_MS);
    clearInterval(this.#reports);
    await this.callers.end();
    await eventually(
      "every record is acknowledged",
      async () => this.home.hubs.every(({ queued }) => queued === 0),
      60_000,
    );
    return losses(this.service.postgres.url, this.home, this.callers.puts);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
