/** A hub with the driver, and a Z-Wave network in memory: what the tests of the driver begin with. */
import { attemptOf, type DriverResult, derivedEdgeId } from "@porchlight/driver-kit";
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { type Log, seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { FakeZwave } from "./fake-zwave.fixture.ts";
import { type OpenServer, ServerNotReached } from "./server/ws-socket.ts";
import { ZwaveDriver, type ZwaveDriverDeps } from "./zwave-driver.ts";

/** A way to a fake server that can be cut, and counts the tries. */
export class MemoryWay {
  readonly #server: FakeZwave;
  #isThere = true;
  tries = 0;
  /** What is thrown in place of a connection. */
  failure: Error | undefined;

  constructor(server: FakeZwave) {
    this.#server = server;
  }

  readonly open: OpenServer = async (events) => {
    this.tries += 1;
    if (this.failure) throw this.failure;
    if (!this.#isThere) throw new ServerNotReached("connect EHOSTUNREACH");
    const server = this.#server;
    const client = { send: (text: string) => events.text(text), close: () => events.closed("the connection was cut") };
    server.connect(client);
    return {
      send: (text) => server.take(client, text),
      ping: () => {
        if (!server.hangs) events.pong();
      },
      close: () => server.disconnect(client),
    };
  };

  cut(): void {
    this.#isThere = false;
    this.#server.closeAll();
  }

  mend(): void {
    this.#isThere = true;
  }
}

export function zwaveEdgeId(nodeId: number, homeId = 0xc0ffee01): string {
  return derivedEdgeId("zwave", homeId.toString(16).padStart(8, "0"), String(nodeId));
}

export class ZwaveHome implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly host = new FakeHost(this.clock);
  readonly zwave = new FakeZwave(this.clock);
  readonly way = new MemoryWay(this.zwave);
  readonly store: ReturnType<typeof memoryStore>;
  readonly logged: string[] = [];
  #driver: ZwaveDriver | undefined;

  constructor(store = memoryStore()) {
    this.store = store;
  }

  get driver(): ZwaveDriver {
    if (!this.#driver) throw new Error("the driver has not been started");
    return this.#driver;
  }

  async start(deps: Partial<ZwaveDriverDeps> = {}): Promise<void> {
    const write = (fields: object, message: string) => void this.logged.push(`${message} ${JSON.stringify(fields)}`);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    this.#driver = await ZwaveDriver.start({
      ...{ server: "10.0.0.9:3000", open: this.way.open, admit: { all: true, edgeIds: new Set() } },
      ...{ clock: this.clock, random: seededRandom(1), log, host: this.host, store: this.store, ...deps },
    });
    await this.pass(1000);
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await settle();
  }

  async write(nodeId: number, address: string, value: Value, ms = 5000): Promise<DriverResult> {
    const attempt = attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch: () => true });
    return this.clock.until(this.driver.write(zwaveEdgeId(nodeId), addressIn(address), value, attempt), 60_000);
  }

  async read(nodeId: number, address: string, ms = 5000): Promise<DriverResult> {
    const attempt = attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch: () => true });
    return this.clock.until(this.driver.read(zwaveEdgeId(nodeId), addressIn(address), attempt), 60_000);
  }

  /** What devices themselves have reported to the host: `Switch:0.on true`. */
  get reports(): string[] {
    return this.host.reports.map(({ report }) => written(report));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#driver) await this.clock.until(this.#driver[Symbol.asyncDispose](), 60_000);
  }
}

export function written({ service, index, property, value }: PropertyAddress & { readonly value: Value }): string {
  return `${service}:${index}.${property} ${JSON.stringify(value)}`;
}
