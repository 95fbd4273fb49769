/** The world of the driver for the judge: devices in memory, the first with a password that the settings have, the others announced. */
import { Secret } from "@porchlight/shared/settings";
import type { CrowdDevice, DriverWorld, OpenWorld } from "../kit/judge/world.suite.ts";
import { type Captured, RELAYS } from "./captured.fixture.ts";
import { FakeShelly } from "./fake-shelly.fixture.ts";
import { MemoryNetwork } from "./memory-network.fixture.ts";
import { ShellyDriver } from "./shelly-driver.ts";

const MEBIBYTE = 1024 * 1024;
const ON = { service: "Switch", index: "0", property: "on" };
const PRESS = { service: "Button", index: "0", property: "event" };
const PASSWORD = "under the mat";
const EVENTS = new Map([
  ["press", "single_push"],
  ["double", "double_push"],
  ["long", "long_push"],
]);

/** The two relays of a capture, one of them with a push button. */
export const WITH_BUTTON: Captured = {
  ...RELAYS,
  config: { ...RELAYS.config, "input:0": { ...RELAYS.config["input:0"], type: "button" } },
};

export const SHELLY_EXCUSES = { identify: "a Shelly has no way to show itself" } as const;

export const shellyWorld: OpenWorld = ({ clock, fakeClock, random, log }) => {
  const network = new MemoryNetwork();
  const relays = network.add("192.0.2.1", new FakeShelly(WITH_BUTTON, fakeClock, { password: PASSWORD }), false);
  const world: DriverWorld = {
    make: (host) =>
      ShellyDriver.start({
        devices: [{ endpoint: { host: "192.0.2.1", port: 80 }, password: new Secret(PASSWORD) }],
        ...{ admit: { all: true, edgeIds: new Set() }, services: network, network },
        ...{ hubEdgeId: "02-00-00-00-00-01", clock, random, log, host },
      }),
    device: relays.edgeId,
    property: ON,
    touched: () => relays.touched,
    actual: () => relays.status["switch:0"]?.output === true,
    silence: () => {
      relays.isSilent = true;
    },
    speak: () => {
      relays.isSilent = false;
    },
    slow: (ms) => {
      relays.delayMs = ms;
    },
    cut: () => network.cut(),
    mend: () => network.mend(),
    change: (output) => relays.change("switch:0", { output }),
    tries: () => network.tries,
    held: () => network.held,
    leftAside: ["tooLarge", "notJson", "notUnderstood", "unasked", "tooFast", "wrongType", "otherChanges"],
    crowd: (count) => Array.from({ length: count }, (_, at) => another(network, fakeClock, at)),
    event: {
      property: PRESS,
      values: [...EVENTS.keys()],
      happen: (value) => relays.event("input:0", EVENTS.get(String(value)) ?? ""),
    },
    refuse: () => {
      relays.refuses = true;
    },
    secrets: [PASSWORD],
    floods: {
      reports: () => flood(10_000, (at) => relays.change("switch:1", { apower: at })),
      garbage: () => flood(1000, (at) => say(relays, GARBAGE[at % GARBAGE.length] ?? "")),
      "long messages": () => flood(10, () => say(relays, "x".repeat(MEBIBYTE))),
    },
  };
  return world;
};

const GARBAGE = [
  ...["{", "[1]", '{"id":"x"}', '{"id":99999,"result":{}}', '{"src":"s","method":"NotifyStatus","params":7}'],
  '{"src":"s","method":"NotifyStatus","params":{"nothing:0":{"x":1}}}',
  '{"src":"s","method":"NotifyEvent","params":{"events":[{"component":"input:9","event":"single_push"}]}}',
];

function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}

/** Whatever it is, on every channel. */
function say(shelly: FakeShelly, text: string): void {
  for (const channel of shelly.channels) channel.say(text);
}

function another(network: MemoryNetwork, clock: ConstructorParameters<typeof FakeShelly>[1], at: number): CrowdDevice {
  const mac = `AABBCC01${at.toString(16).padStart(4, "0").toUpperCase()}`;
  const shelly = network.add(`198.51.100.${at}`, new FakeShelly(RELAYS, clock, { mac }));
  const silence = () => {
    shelly.isSilent = true;
  };
  return { edgeId: shelly.edgeId, property: ON, silence };
}
