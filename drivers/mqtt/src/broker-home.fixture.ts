/** A hub with the driver of a broker, and a plug behind that broker: what the tests of the driver begin with. */
import { type Attempt, attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { MemoryBroker } from "./broker/memory-broker.fixture.ts";
import { MqttDriver, type MqttDriverDeps } from "./mqtt-driver.ts";
import { type PlainConfig, plainDialect } from "./plain-dialect.fixture.ts";

export const PLUG = "00-15-8D-00-00-00-00-01";

/** The program behind the broker that speaks for a plug. */
export class Plug {
  readonly #broker: MemoryBroker;
  readonly #topic: string;
  on: Value = false;
  /** How often it was commanded to change. */
  touched = 0;
  answers = true;

  constructor(broker: MemoryBroker, config: PlainConfig = {}, edgeId = PLUG) {
    this.#broker = broker;
    this.#topic = `plain/${edgeId}`;
    broker.say(`${this.#topic}/config`, config, true);
    broker.on(`${this.#topic}/on/get`, () => this.tell());
    broker.on(`${this.#topic}/on/set`, (payload) => {
      this.touched += 1;
      if (!this.answers) return;
      this.on = JSON.parse(payload);
      this.tell();
    });
  }

  tell(): void {
    if (this.answers) this.#broker.say(`${this.#topic}/on`, this.on);
  }

  change(value: Value): void {
    this.on = value;
    this.tell();
  }
}

export class BrokerHome implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly host = new FakeHost();
  readonly broker = new MemoryBroker();
  readonly driver: MqttDriver;

  constructor(deps: Partial<MqttDriverDeps> = {}, before: (broker: MemoryBroker) => void = () => undefined) {
    before(this.broker);
    this.driver = MqttDriver.start({
      on: "memory",
      admit: { all: true, edgeIds: new Set() },
      dialects: [plainDialect()],
      open: this.broker.open,
      clock: this.clock,
      random: seededRandom(1),
      log: silentLog,
      host: this.host,
      ...deps,
    });
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await settle();
  }

  attempt(ms = 10_000, mayTouch: () => boolean = () => true): Attempt {
    return attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch });
  }

  /** What devices themselves have reported to the host. */
  get reports(): unknown[][] {
    return this.host.reports.map(({ report: { device, property, value } }) => [device, property, value]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.driver[Symbol.asyncDispose]();
  }
}
