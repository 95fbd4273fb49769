/** The world of the driver of Hue bridges for the judge: a paired bridge in memory, a lamp and a button behind it, and more lamps. */

import type { CrowdDevice, DriverWorld, Stage } from "../kit/judge/world.suite.ts";
import { memoryStore } from "../kit/kept/memory-store.fixture.ts";
import { HueDriver } from "./hue-driver.ts";
import { MemoryBridge } from "./memory-bridge.fixture.ts";
import type { Resource } from "./resources/resource.ts";

const BRIDGE_ID = "001788FFFEAABBCC";
const KEY = "secret-application-key";
const ON = { service: "Switch", index: "0", property: "on" };
const PRESS = { service: "Button", index: "0", property: "event" };
/** What a bridge has room for. */
const MOST_LAMPS = 60;
const MEBIBYTE = 1024 * 1024;
const EVENTS = { press: "initial_press", release: "short_release", double: "double_short_release", long: "long_press" };

export function hueWorld({ clock, fakeClock, random, log }: Stage): DriverWorld {
  const bridge = new MemoryBridge(fakeClock, lamp(0, true));
  const store = paired(BRIDGE_ID);
  const light = idOf(0);
  return {
    make: (host) =>
      HueDriver.start({
        ...{ clock, random, log, host, store, bridges: [], admit: { all: true, edgeIds: new Set() } },
        pairing: { facts: unreachable, askKey: unreachable },
        open: () => bridge.open,
      }),
    device: edgeIdOf(0),
    property: ON,
    touched: () => bridge.touched.get(light) ?? 0,
    actual: () => isOn(bridge, light),
    silence: () => void bridge.silent.add(light),
    speak: () => void bridge.silent.delete(light),
    slow: (ms) => {
      bridge.delayMs = ms;
    },
    cut: () => bridge.cut(),
    mend: () => bridge.mend(),
    change: (value) => bridge.change(light, { on: { on: value } }),
    tries: () => bridge.tries,
    held: () => bridge.held,
    leftAside: ["badEvent", "badResource", "tooManyResources", "wrongType"],
    crowd: (count) => Array.from({ length: Math.min(count, MOST_LAMPS) }, (_, at) => another(bridge, at + 1)),
    event: {
      property: PRESS,
      values: Object.keys(EVENTS),
      happen: (value) => {
        const event = EVENTS[value as keyof typeof EVENTS];
        const button_report = { event, updated: "2026-11-25T10:00:00.000Z" };
        bridge.say([{ type: "update", data: [{ id: "button", type: "button", button: { button_report } }] }]);
      },
    },
    refuse: () => {
      bridge.refuses = true;
    },
    secrets: [KEY],
    floods: {
      reports: () => flood(10_000, (at) => bridge.change(light, { dimming: { brightness: at % 101 } })),
      garbage: () => flood(1500, (at) => bridge.say(GARBAGE[at % GARBAGE.length])),
      "long messages": () => flood(10, () => bridge.say([{ type: "x".repeat(MEBIBYTE), data: [1] }])),
    },
  };
}

/** A store with the key of a bridge in it. */
export function paired(bridgeId: string) {
  const kept = Buffer.from(JSON.stringify({ key: KEY, host: "10.0.0.9", port: 443 }));
  return memoryStore(new Map([[`bridge ${bridgeId}`, kept]]));
}

const GARBAGE: readonly unknown[] = [
  undefined,
  { type: "update" },
  [{ type: "update", data: [{ type: "light" }] }],
  [{ type: "update", data: [{ id: idOf(0), type: "light", on: { on: "yes" } }, 7] }],
];

function idOf(at: number): string {
  return `light-${at}`;
}

function edgeIdOf(at: number): string {
  return `00-17-88-01-00-00-00-${at.toString(16).padStart(2, "0").toUpperCase()}`;
}

function lamp(at: number, hasButton: boolean): Resource[] {
  const owner = { rid: `device-${at}`, rtype: "device" };
  const button: Resource[] = hasButton ? [{ id: "button", type: "button", metadata: { control_id: 1 }, owner }] : [];
  const light: Resource = {
    ...{ id: idOf(at), type: "light", owner, on: { on: false } },
    dimming: { brightness: 40, min_dim_level: 0 },
  };
  const zigbee: Resource = {
    ...{ id: `zigbee-${at}`, type: "zigbee_connectivity", owner, status: "connected" },
    mac_address: edgeIdOf(at).replaceAll("-", ":").toLowerCase(),
  };
  const services = [light, ...button, zigbee].map(({ id, type }) => ({ rid: id, rtype: type }));
  return [
    { id: owner.rid, type: "device", identify: {}, metadata: { name: `Lamp ${at}` }, services },
    ...[light, ...button, zigbee],
  ];
}

function another(bridge: MemoryBridge, at: number): CrowdDevice {
  for (const each of lamp(at, false)) bridge.resources.set(each.id, each);
  return { edgeId: edgeIdOf(at), property: ON, silence: () => void bridge.silent.add(idOf(at)) };
}

function isOn({ resources }: MemoryBridge, id: string): boolean {
  return (resources.get(id)?.on as { readonly on: boolean } | undefined)?.on ?? false;
}

function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}

async function unreachable(): Promise<never> {
  throw new Error("the network is unreachable");
}
