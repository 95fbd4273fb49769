/** A hub with the driver, and a home network in memory: what the tests of the driver begin with. */
import { attemptOf, type DriverResult } from "@porchlight/driver-kit";
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { type Log, seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { EspHomeDriver, type EspHomeDriverDeps } from "./esphome-driver.ts";
import type { FakeEntity } from "./fake-entity.fixture.ts";
import { FakeEspHome, type FakeOptions } from "./fake-esphome.fixture.ts";
import { MemoryEspHomes } from "./memory-esphome-network.fixture.ts";

export class EspHomeHome implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly host = new FakeHost(this.clock);
  readonly network = new MemoryEspHomes();
  /** What the driver keeps; it outlives the driver. */
  readonly entries = new Map<string, Uint8Array>();
  readonly store = memoryStore(this.entries);
  readonly logged: string[] = [];
  #driver: EspHomeDriver | undefined;

  get driver(): EspHomeDriver {
    if (!this.#driver) throw new Error("the driver has not been started");
    return this.#driver;
  }

  /** A device at an address, announced. */
  add(host: string, entities: readonly FakeEntity[], options: FakeOptions = {}): FakeEspHome {
    return this.network.add(host, new FakeEspHome(entities, this.clock, options));
  }

  async start(deps: Partial<EspHomeDriverDeps> = {}): Promise<void> {
    const write = (fields: object, message: string) => void this.logged.push(`${message} ${JSON.stringify(fields)}`);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    this.#driver = await EspHomeDriver.start({
      ...{ devices: [], admit: { all: true, edgeIds: new Set() }, services: this.network, open: this.network.open },
      ...{ hubEdgeId: "02-00-00-00-00-01", clock: this.clock, random: seededRandom(1), log },
      ...{ host: this.host, store: this.store, ...deps },
    });
    await this.pass(1000);
  }

  /** Ends the driver, and starts another over the same network and store. */
  async again(deps: Partial<EspHomeDriverDeps> = {}): Promise<void> {
    await this[Symbol.asyncDispose]();
    await this.start(deps);
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await settle();
  }

  async write(device: FakeEspHome, address: string, value: Value, ms = 5000): Promise<DriverResult> {
    return this.clock.until(this.driver.write(device.edgeId, addressIn(address), value, this.#attempt(ms)), 60_000);
  }

  async read(device: FakeEspHome, address: string, ms = 5000): Promise<DriverResult> {
    return this.clock.until(this.driver.read(device.edgeId, addressIn(address), this.#attempt(ms)), 60_000);
  }

  /** What the host was told of a property by the device itself: `Switch:0.on true`. */
  get reports(): string[] {
    return this.host.reports.map(
      ({ report: { service, index, property, value } }) => `${service}:${index}.${property} ${JSON.stringify(value)}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#driver) await this.clock.until(this.#driver[Symbol.asyncDispose](), 60_000);
  }

  #attempt(ms: number) {
    return attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch: () => true });
  }
}
