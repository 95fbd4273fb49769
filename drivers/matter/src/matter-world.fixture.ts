/** The world of the driver for the judge: plugs in memory, each a node of its own. */
import { derivedEdgeId } from "@porchlight/driver-kit";
import type { DriverWorld, Stage } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { FakeMatter, plugEndpoints } from "./fake-matter.fixture.ts";
import type { GivenEndpoint } from "./mapping/endpoint.fixture.ts";
import { MatterDriver } from "./matter-driver.ts";
import { matterRawValues, RAW_ENDPOINT } from "./matter-raw-values.fixture.ts";

export const ON = { service: "Switch", index: "1", property: "on" };
const PRESS = { service: "Button", index: "2", property: "event" };
/** The event that a button reports, by its meaning. */
const PRESSES: ReadonlyMap<unknown, string> = new Map([
  ["press", "initialPress"],
  ["long", "longPress"],
]);
/** How soon the library is connected again, ms. */
const RECONNECT_MS = 60_000;

/** The endpoint of a power strip behind a bridge. */
const STRIP = 1000;

/** A bridge with a power strip of these sockets; without sockets there is no strip. */
function strip(sockets: readonly string[]): Readonly<Record<number, GivenEndpoint>> {
  const numbers = sockets.map(Number);
  const socket: GivenEndpoint = { types: [0x010a], clusters: { onOff: { onOff: false } } };
  return {
    0: { clusters: { basicInformation: { vendorId: 0xfff1, productId: 1, uniqueId: "bridge" } } },
    1: { types: [0x0e], clusters: {}, parts: [STRIP, ...numbers] },
    ...(numbers.length > 0 && {
      [STRIP]: { clusters: { bridgedDeviceBasicInformation: { uniqueId: "strip" } }, parts: numbers },
    }),
    ...Object.fromEntries(numbers.map((number) => [number, socket])),
  };
}

/** As the driver makes it of what {@link plugEndpoints} say. */
export const edgeIdOfPlug = (uniqueId: string) => derivedEdgeId("matter", `${0xfff1}/1`, uniqueId);

export function matterWorld({ clock, fakeClock, random, log }: Stage): DriverWorld {
  const network = new FakeMatter(fakeClock);
  const plug = network.node("0000000000000001", plugEndpoints("0000000000000001", RAW_ENDPOINT));
  const bridge = network.node("0000000000000002", strip([]));
  const store = memoryStore();
  const given = [plug];
  let tries = 0;
  let isThere = true;
  /** As the library does, which is no part of the driver. */
  const reconnect = () => {
    fakeClock.timer("the library connects again", RECONNECT_MS, () => {
      if (network.isEnded) return;
      tries += 1;
      if (!isThere) reconnect();
      else for (const node of given) node.connect(true);
    });
  };
  return {
    make: (host) => {
      network.isEnded = false;
      network.nodes = [];
      for (const node of given) network.add(node);
      if (bridge.endpoints.has(STRIP)) network.add(bridge);
      return MatterDriver.start({ clock, random, log, host, store, network, hasIpv6: () => true });
    },
    device: edgeIdOfPlug(plug.nodeId),
    property: ON,
    touched: () => plug.touched,
    actual: () => plug.endpoints.get(1)?.attribute("onOff", "onOff") === true,
    silence: () => {
      plug.isSilent = true;
    },
    speak: () => {
      plug.isSilent = false;
    },
    slow: (ms) => {
      plug.delayMs = ms;
    },
    cut: () => {
      isThere = false;
      for (const node of given) node.connect(false);
      reconnect();
    },
    mend: () => {
      isThere = true;
    },
    change: (value) => plug.say(1, "onOff", "onOff", value),
    tries: () => tries,
    held: () => given.reduce((sum, { listeners }) => sum + listeners.size, network.listeners.size),
    leftAside: ["lateEvents", "lostEvents"],
    crowd: (count) =>
      Array.from({ length: count }, (_, at) => {
        const node = network.node((at + 16).toString(16).toUpperCase().padStart(16, "0"));
        given.push(node);
        const silence = () => {
          node.isSilent = true;
        };
        return { edgeId: edgeIdOfPlug(node.nodeId), property: ON, silence };
      }),
    event: {
      property: PRESS,
      values: ["press", "long"],
      happen: (value) => plug.happen(2, "switch", PRESSES.get(value) ?? ""),
    },
    refuse: () => {
      plug.refuses = true;
    },
    repeat: () => plug.say(1, "onOff", "onOff", plug.endpoints.get(1)?.attribute("onOff", "onOff")),
    sampleEarly: () => {
      plug.samplesEarly = true;
    },
    rawValues: matterRawValues(plug),
    things: {
      device: derivedEdgeId("matter", "65521/1/bridge", "strip"),
      ...{ service: "Switch", property: "on", ids: ["1003", "1001", "1002"] },
      have: (ids) => {
        const isNew = !network.nodes.includes(bridge);
        bridge.have(strip(ids));
        if (isNew) network.add(bridge);
      },
      commanded: () => bridge.accepted.map(({ what }) => String(what.endpoint)),
    },
    floods: {
      reports: () => {
        for (let at = 0; at < 10_000; at++) plug.say(1, "onOff", "onOff", at % 2 === 0);
        return 10_000;
      },
    },
  };
}
