/** A hub with the driver of a broker, and things behind it that discovery describes: payloads go in, what the host knows comes out. */
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { type PropertyAddress, parseSelector, type Value } from "@porchlight/shared/model";
import { BrokerHome } from "../broker-home.fixture.ts";
import { KeptThings } from "../device/kept-things.ts";
import { homeAssistantDialect } from "./home-assistant-dialect.ts";

export const THING = "02-AA-00-00-00-01";
const DEVICE = { identifiers: ["thing"], name: "Thing", connections: [["mac", "02:aa:00:00:00:01"]] };

export class DiscoveryHome extends BrokerHome {
  constructor(store = memoryStore()) {
    const kept = new KeptThings(store);
    const admit = { all: true, edgeIds: new Set([THING]) };
    super({ kept, admit, dialects: [homeAssistantDialect("homeassistant", "homeassistant", kept)] });
  }

  /** Describes an entity of the thing; undefined takes it back. @param id `COMPONENT/OBJECT` */
  async describe(id: string, options: object | undefined): Promise<void> {
    this.describeNow(id, options);
    await this.pass(100);
  }

  describeNow(id: string, options: object | undefined): void {
    const stated = options && { unique_id: id, name: id.split("/")[1], ...options, device: DEVICE };
    this.broker.say(`homeassistant/${id}/config`, stated ?? "", true);
  }

  /** The thing says it. */
  async say(topic: string, payload: unknown, retain = false): Promise<void> {
    this.broker.say(topic, payload, retain);
    await this.pass(0);
  }

  /** What the host knows; undefined when it never heard of it. */
  value(selector: string): Value | undefined {
    return this.host.valueOf(THING, addressOf(selector));
  }

  times(selector: string): number {
    return this.host.timesOf(THING, addressOf(selector));
  }

  set(selector: string, value: Value, ms = 1000) {
    return this.clock.until(this.driver.write(THING, addressOf(selector), value, this.attempt(ms)));
  }

  /** What was published on the topic. */
  commands(topic: string): readonly string[] {
    return this.broker.published.filter((each) => each.topic === topic).map(({ payload }) => payload);
  }
}

function addressOf(selector: string): PropertyAddress {
  const { service, index = "0", property } = parseSelector(selector) ?? {};
  if (!service || !property) throw new Error(`${selector} is no selector`);
  return { service, index, property };
}
