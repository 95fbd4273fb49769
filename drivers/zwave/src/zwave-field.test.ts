/** What users of other hubs have met, sent through a server on a real socket: each gives its right value. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { seededRandom, silentLog, systemClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { type NodeJson, type ValueJson, valueJson } from "./captured-nodes.fixture.ts";
import { FakeZwave } from "./fake-zwave.fixture.ts";
import { openByWebSocket } from "./server/ws-socket.ts";
import { ZwaveDriver } from "./zwave-driver.ts";
import { zwaveEdgeId } from "./zwave-home.fixture.ts";
import { ZwaveServer } from "./zwave-server.fixture.ts";
import { plug } from "./zwave-world.fixture.ts";

/** A hub and a server; a node is included while both run. */
class Field implements AsyncDisposable {
  readonly zwave = new FakeZwave(systemClock);
  readonly host = new FakeHost(systemClock);
  readonly #stack = new AsyncDisposableStack();

  static async open(): Promise<Field> {
    const one = new Field();
    const server = one.#stack.use(await ZwaveServer.start(one.zwave));
    one.zwave.add(plug(2));
    const driver = await ZwaveDriver.start({
      ...{ server: server.url, open: openByWebSocket(server.url), admit: { all: true, edgeIds: new Set() } },
      ...{ clock: systemClock, random: seededRandom(1), log: silentLog, host: one.host },
    });
    one.#stack.use(driver);
    await one.host.recorded(`arrived ${zwaveEdgeId(2)}`);
    return one;
  }

  async include(nodeId: number, values: readonly ValueJson[]): Promise<void> {
    const node: NodeJson = { ...plug(nodeId), status: 1, isListening: false, values };
    this.zwave.add(node);
    this.zwave.event({ source: "controller", event: "node added", node, result: {} });
    this.zwave.state(nodeId, {}, "ready");
    await this.host.recorded(`arrived ${zwaveEdgeId(nodeId)}`);
  }

  /** Settles once the hub has this value; every value on the way must be one of `allowed`. */
  async shows(nodeId: number, key: string, value: Value, allowed: readonly Value[] = []): Promise<void> {
    const now = () => this.host.valueOf(zwaveEdgeId(nodeId), addressIn(key));
    while (now() !== value) {
      await this.host.nextLine();
      expect([value, ...allowed]).toContain(now());
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

describe("a window with the states that Z-Wave JS 15.29 has", () => {
  const DOOR = { commandClass: 113, endpoint: 0, property: "Access Control" };
  const [STATE, OPENING, SIMPLE] = ["Door state", "Opening state", "Door state (simple)"];
  const states = (...names: readonly (readonly [string, number])[]) =>
    names.map(([name, raw]) =>
      valueJson([113, 0, DOOR.property, name, "number", "r", { ccSpecific: { notificationType: 6 } }, raw]),
    );

  test("is open when it is open in regular and in tilted position, and closed when it is closed", async () => {
    await using one = await Field.open();
    await one.include(7, states(["Door state", 23], ["Opening state", 0], ["Door state (simple)", 23]));
    const says = (state: number, opening: number, simple: number) => {
      one.zwave.change(7, { ...DOOR, propertyKey: STATE }, state);
      one.zwave.change(7, { ...DOOR, propertyKey: OPENING }, opening);
      one.zwave.change(7, { ...DOOR, propertyKey: SIMPLE }, simple);
    };
    await one.shows(7, "Contact:0.open", false);
    says(5632, 1, 22);
    await one.shows(7, "Contact:0.open", true, [false]);
    says(23, 0, 23);
    await one.shows(7, "Contact:0.open", false, [true]);
    says(5633, 2, 22);
    await one.shows(7, "Contact:0.open", true, [false]);
  });

  test.for([
    [["Door state (simple)", "Door state"], "Door state", 5633],
    [["Opening state"], "Opening state", 2],
    [["Door state (simple)"], "Door state (simple)", 22],
  ] as const)("is open by any of %j", async ([names, changed, raw]) => {
    await using one = await Field.open();
    await one.include(7, states(...names.map((name) => [name, name === "Opening state" ? 0 : 23] as const)));
    await one.shows(7, "Contact:0.open", false);
    one.zwave.change(7, { ...DOOR, propertyKey: changed }, raw);
    await one.shows(7, "Contact:0.open", true, [false]);
    one.zwave.change(7, { ...DOOR, propertyKey: changed }, 254);
    await one.shows(7, "Contact:0.open", null, [true]);
  });
});

describe("a thermometer that changes its scale to Fahrenheit", () => {
  const CELSIUS = { commandClass: 49, endpoint: 0, property: "Air temperature" };
  const metadata = {
    type: "number",
    readable: true,
    writeable: false,
    unit: "°F",
    ccSpecific: { sensorType: 1, scale: 1 },
  };
  const before = { unit: "°C", ccSpecific: { sensorType: 1, scale: 0 } };

  test.for(["the unit first", "the number first"])(
    "is at 20 °C, and at no other temperature on the way: %s",
    async (order) => {
      await using one = await Field.open();
      await one.include(5, [valueJson([49, 0, CELSIUS.property, null, "number", "r", before, 20])]);
      one.zwave.change(5, CELSIUS, 21);
      await one.shows(5, "Temperature:0.celsius", 21, [20]);
      const steps = [
        () => one.zwave.event({ source: "node", event: "metadata updated", nodeId: 5, args: { ...CELSIUS, metadata } }),
        () => one.zwave.change(5, CELSIUS, 68),
      ];
      for (const step of order === "the unit first" ? steps : steps.toReversed()) step();
      await one.shows(5, "Temperature:0.celsius", 20, [21, null]);
      one.zwave.change(5, CELSIUS, 77);
      await one.shows(5, "Temperature:0.celsius", 25, [20]);
    },
  );
});
