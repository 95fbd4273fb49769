/** The world of the driver for the judge: devices in memory, the first with a password that the settings have, the others announced. */
import type { CrowdDevice, DriverWorld, OpenWorld } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { Secret } from "@porchlight/shared/settings";
import { type Captured, RELAYS } from "./captured.fixture.ts";
import { FakeShelly } from "./fake-shelly.fixture.ts";
import { MemoryNetwork } from "./memory-network.fixture.ts";
import { ShellyDriver } from "./shelly-driver.ts";
import { RAW_COMPONENTS, shellyRawValues } from "./shelly-raw-values.fixture.ts";

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

/** The same with components of every kind. */
const JUDGED: Captured = {
  ...WITH_BUTTON,
  config: { ...WITH_BUTTON.config, ...RAW_COMPONENTS.config },
  status: { ...WITH_BUTTON.status, ...RAW_COMPONENTS.status },
};

/** Outputs that all ask for `Switch:0`, as those of one device do after its profile has changed. */
const OUTPUTS = ["switch:0", "light:0", "cct:0"] as const;

export const SHELLY_EXCUSES = { identify: "a Shelly has no way to show itself" } as const;

export const shellyWorld: OpenWorld = ({ clock, fakeClock, random, log }) => {
  const network = new MemoryNetwork();
  const relays = network.add("192.0.2.1", new FakeShelly(JUDGED, fakeClock, { password: PASSWORD }), false);
  const outputs = new FakeShelly(NO_OUTPUTS, fakeClock, { mac: "AABBCC0000FE" });
  const store = memoryStore();
  const world: DriverWorld = {
    make: (host) =>
      ShellyDriver.start({
        devices: [{ endpoint: { host: "192.0.2.1", port: 80 }, password: new Secret(PASSWORD) }],
        ...{ admit: { all: true, edgeIds: new Set() }, services: network, network },
        ...{ hubEdgeId: "02-00-00-00-00-01", clock, random, log, host, store },
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
    repeat: () => relays.change("switch:0", { output: relays.status["switch:0"]?.output }),
    sampleEarly: () => {
      relays.samplesEarly = true;
    },
    rawValues: shellyRawValues(relays, (text) => say(relays, text)),
    things: {
      ...{ device: outputs.edgeId, service: "Switch", property: "on", ids: OUTPUTS },
      have: (ids) => {
        haveOutputs(outputs, ids);
        if (network.channelsOf(outputs) === 0) network.add("192.0.2.2", outputs);
      },
      commanded: () => commandedOutputs(outputs),
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

const NO_OUTPUTS: Captured = { ...RELAYS, config: {}, status: { "temperature:0": { tC: 20 } } };

/** It has these outputs from now on, and says that it is configured otherwise. */
function haveOutputs(device: FakeShelly, ids: readonly string[]): void {
  for (const id of OUTPUTS) {
    delete device.config[id];
    delete device.status[id];
  }
  for (const id of ids) device.config[id] = { id: 0 };
  for (const id of ids) device.status[id] = { id: 0, output: false };
  device.event("sys", "config_changed");
}

/** IDs of the outputs that were set, in order. */
function commandedOutputs({ asked }: FakeShelly): string[] {
  const types = asked.map(({ method }) => String(method).split("."));
  return types.flatMap(([type = "", verb]) => (verb === "Set" ? [`${type.toLowerCase()}:0`] : []));
}

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
