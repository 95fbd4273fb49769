/** The world of the driver for the judge: devices in memory, the first encrypted with a key of the settings, the others announced. */
import type { CrowdDevice, DriverWorld, OpenWorld } from "@porchlight/driver-kit/judge/world.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { Secret } from "@porchlight/shared/settings";
import { MessageType } from "esphome-client";
import { PLUG } from "./devices.fixture.ts";
import { EspHomeDriver } from "./esphome-driver.ts";
import { espHomeRawValues, RAW_ENTITIES } from "./esphome-raw-values.fixture.ts";
import { type FakeEntity, fakeEntity, telling } from "./fake-entity.fixture.ts";
import { FakeEspHome } from "./fake-esphome.fixture.ts";
import { MemoryEspHomes } from "./memory-esphome-network.fixture.ts";
import { plaintextFrame } from "./wire/frames.ts";

const MEBIBYTE = 1024 * 1024;
const ON = { service: "Switch", index: "0", property: "on" };
const PRESS = { service: "Button", index: "0", property: "event" };
export const KEY = "QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvPc=";
const KNOB = "Knob";

/** A plug with a knob. */
const WITH_KNOB: readonly FakeEntity[] = [
  ...PLUG,
  fakeEntity("event", KNOB, undefined, { eventTypes: ["press", "double", "long"] }),
  fakeEntity("button", "Identify", undefined, { deviceClass: "identify" }),
  ...RAW_ENTITIES,
];
/** Relays of a board, by their names. */
const RELAYS = ["Heater", "Pump", "Aux"] as const;

export const ESPHOME_EXCUSES = {
  refusals: "the protocol has no answer to a command",
} as const;

/** @param isEncrypted whether the device of the world has a key; a flood of frames in plain text needs one without */
export const espHomeWorld =
  (isEncrypted: boolean): OpenWorld =>
  ({ clock, fakeClock, random, log }) => {
    const network = new MemoryEspHomes();
    const options = isEncrypted ? { key: KEY } : {};
    const plug = network.add("192.0.2.1", new FakeEspHome(WITH_KNOB, fakeClock, options), false);
    const board = new FakeEspHome([], fakeClock, { mac: "AABBCC0000FE", name: "board" });
    const store = memoryStore();
    const relay = plug.entity("switch", "Switch");
    const power = plug.entity("sensor", "Power");
    const world: DriverWorld = {
      make: (host) =>
        EspHomeDriver.start({
          devices: [{ endpoint: { host: "192.0.2.1", port: 6053 }, key: isEncrypted ? new Secret(KEY) : undefined }],
          ...{ admit: { all: true, edgeIds: new Set([plug.edgeId]) }, services: network, open: network.open },
          ...{ hubEdgeId: "02-00-00-00-00-01", clock, random, log, host, store },
        }),
      device: plug.edgeId,
      property: ON,
      touched: () => plug.touched,
      actual: () => relay.state?.state === true,
      silence: () => {
        plug.isSilent = true;
      },
      speak: () => {
        plug.isSilent = false;
      },
      slow: (ms) => {
        plug.delayMs = ms;
      },
      cut: () => network.cut(),
      mend: () => network.mend(),
      change: (state) => plug.change(relay, { state: state === true }),
      tries: () => network.tries,
      held: () => network.held,
      leftAside: ["tooLarge", "notUnderstood", "tooFast", "wrongType", "otherStates"],
      crowd: (count) => Array.from({ length: count }, (_, at) => another(network, fakeClock, at)),
      event: {
        property: PRESS,
        values: ["press", "double", "long"],
        happen: (eventType) => plug.change(plug.entity("event", KNOB), { eventType: String(eventType) }),
      },
      repeat: () => plug.change(relay, {}),
      sampleEarly: () => {
        plug.samplesEarly = true;
      },
      rawValues: espHomeRawValues(plug),
      things: {
        ...{ device: board.edgeId, service: "Switch", property: "on", ids: RELAYS },
        have: (names) => {
          const isNew = board.entities.length === 0;
          board.entities = names.map((name) => fakeEntity("switch", name, { state: false }));
          if (isNew) network.add("192.0.2.2", board);
          // Other firmware: it restarts.
          for (const connection of board.connections) connection.close();
        },
        commanded: () => board.commanded,
      },
      secrets: isEncrypted ? [KEY, Buffer.from(KEY, "base64").toString("hex")] : [],
      floods: {
        reports: () => flood(10_000, (at) => plug.change(power, { state: at })),
        garbage: () => flood(1000, (at) => plug.tell(GARBAGE[at % GARBAGE.length] ?? NOTHING)),
        "long messages": () => flood(10, () => long(plug, isEncrypted)),
      },
    };
    return world;
  };

const NOTHING = { type: 9999, body: Buffer.alloc(0) };
const GARBAGE = [
  NOTHING,
  // A body that ends too early, one without a key, one of an entity that is not there, and answers to no question.
  { type: MessageType.SWITCH_STATE_RESPONSE, body: Buffer.from([0x0d, 1]) },
  { type: MessageType.SENSOR_STATE_RESPONSE, body: Buffer.from([0x10, 1]) },
  telling(fakeEntity("sensor", "Nowhere"), { state: 1 }),
  { type: MessageType.SWITCH_STATE_RESPONSE, body: Buffer.from("ffffffffffffffffffffffff", "hex") },
  { type: MessageType.LIST_ENTITIES_SWITCH_RESPONSE, body: Buffer.from([0x15, 1, 0, 0, 0]) },
  { type: MessageType.CAMERA_IMAGE_RESPONSE, body: Buffer.from([0x0d, 1, 0, 0, 0]) },
];

function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}

/** A frame that is encrypted cannot be that long: there it is many. */
function long(device: FakeEspHome, isEncrypted: boolean): void {
  const body = Buffer.alloc(isEncrypted ? 60_000 : MEBIBYTE);
  const times = isEncrypted ? Math.ceil(MEBIBYTE / body.length) : 1;
  for (let at = 0; at < times; at++)
    for (const connection of device.connections)
      if (isEncrypted) connection.send({ type: NOTHING.type, body });
      else connection.write(plaintextFrame({ type: NOTHING.type, body }));
}

function another(
  network: MemoryEspHomes,
  clock: ConstructorParameters<typeof FakeEspHome>[1],
  at: number,
): CrowdDevice {
  const mac = `AABBCC01${at.toString(16).padStart(4, "0").toUpperCase()}`;
  const device = network.add(`198.51.100.${at}`, new FakeEspHome(PLUG, clock, { mac, name: `plug-${at}` }));
  const silence = () => {
    device.isSilent = true;
  };
  return { edgeId: device.edgeId, property: ON, silence };
}
