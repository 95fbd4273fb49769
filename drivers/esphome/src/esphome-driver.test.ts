import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { Secret } from "@porchlight/shared/settings";
import { MessageType } from "esphome-client";
import { describe, expect, test } from "vitest";
import { ALARM, BLIND, BULB, GARAGE, ODDS, PLUG } from "./devices.fixture.ts";
import { EspHomeHome } from "./esphome-home.fixture.ts";
import { ESPHOME_EXCUSES, espHomeWorld, KEY } from "./esphome-world.fixture.ts";
import { fakeEntity } from "./fake-entity.fixture.ts";

everyDriver("ESPHome", espHomeWorld(true), { without: ESPHOME_EXCUSES });

everyDriver("ESPHome in plain text", espHomeWorld(false), {
  without: { ...ESPHOME_EXCUSES, secrets: "without a key there are none" },
});

const HOST = "192.0.2.1";
const NO_ONE = { all: false, edgeIds: new Set<string>() };
const listed = { devices: [{ endpoint: { host: HOST, port: 6053 } }] };

describe("a write", () => {
  test("is confirmed by the device's next state", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    const asked = plug.asked;
    expect(await home.write(plug, "Switch:0.on", true)).toEqual({ kind: "value", value: true });
    expect([plug.touched, plug.asked - asked, home.reports]).toEqual([1, 0, []]);
  });

  test("that the device does not carry out is unknown, and the device is asked again and again", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    plug.idles = true;
    const asked = plug.asked;
    expect(await home.write(plug, "Switch:0.on", true)).toMatchObject({ kind: "failed", outcome: "unknown" });
    expect([plug.touched, plug.asked - asked]).toEqual([1, 5]);
  });

  test("of what is so already is confirmed by the states that are asked for: the device reports no change", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    plug.idles = true;
    expect(await home.write(plug, "Switch:0.on", false)).toEqual({ kind: "value", value: false });
  });

  test("of a sensor or of nothing touches nothing", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    expect(await home.write(plug, "Electricity:0.watts", 1)).toMatchObject({ outcome: "rejected" });
    expect(await home.read(plug, "Nothing:0.on")).toMatchObject({ outcome: "not_applied" });
    expect(plug.touched).toBe(0);
  });

  test("to a button is confirmed when the device has taken it in, and unknown when it says nothing", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    expect(await home.write(plug, "Settings:0.restart", true)).toEqual({ kind: "value", value: true });
    expect(plug.touched).toBe(1);
    plug.isSilent = true;
    expect(await home.write(plug, "Settings:0.restart", true)).toMatchObject({ outcome: "unknown" });
  });

  test("to a cover is answered when it moves to its target, whose way is then reported", async () => {
    await using home = new EspHomeHome();
    const blind = home.add(HOST, BLIND);
    await home.start();
    blind.idles = true;
    const cover = blind.entity("cover", "Blind");
    const written = home.write(blind, "Cover:0.target", 90);
    blind.change(cover, { currentOperation: 1 });
    expect(await written).toEqual({ kind: "value", value: 90 });
    await home.pass(0);
    blind.change(cover, { position: 0.6 });
    await home.pass(0);
    blind.change(cover, { position: 0.9, currentOperation: 0 });
    await home.pass(0);
    expect(home.reports).toEqual([
      'Cover:0.movement "opening"',
      "Cover:0.position 60",
      'Cover:0.movement "opening"',
      "Settings:0.tilt 25",
      "Cover:0.position 90",
      'Cover:0.movement "stopped"',
      "Settings:0.tilt 25",
    ]);
  });

  test("of a colour reports what else has changed with it", async () => {
    await using home = new EspHomeHome();
    const bulb = home.add(HOST, BULB);
    await home.start();
    expect(await home.write(bulb, "LightTemperature:0.kelvin", 4000)).toEqual({ kind: "value", value: 4000 });
    expect(home.reports).toEqual(["LightColor:0.hue null", "LightColor:0.saturation null"]);
  });

  test("reaches the part of the device that it is meant for, where two parts have one name", async () => {
    await using home = new EspHomeHome();
    const twins = home.add(
      HOST,
      [1, 2].map((part) => fakeEntity("switch", "Pump", { state: false }, {}, part)),
    );
    await home.start();
    expect(await home.write(twins, "Switch:0.on", true)).toEqual({ kind: "value", value: true });
    expect(twins.entities.map(({ state }) => state?.state)).toEqual([true, false]);
  });
});

describe("a device that reports something", () => {
  test("reports each value, also a repeated one", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    const power = plug.entity("sensor", "Power");
    for (const state of [7, 7, 8]) {
      plug.change(power, { state });
      await home.pass(0);
    }
    plug.change(power, { state: 0, missingState: true });
    await home.pass(0);
    expect(home.reports).toEqual([7, 7, 8, null].map((watts) => `Electricity:0.watts ${watts}`));
  });

  test("is read as the right entity, where a sensor and a binary sensor have one name", async () => {
    await using home = new EspHomeHome();
    const both = home.add(HOST, [
      fakeEntity("binary_sensor", "Motion", { state: false }),
      fakeEntity("sensor", "Motion", { state: 7 }),
    ]);
    await home.start();
    both.change(both.entity("binary_sensor", "Motion"), { state: true });
    await home.pass(0);
    expect(home.reports).toEqual(["Readings:0.motion true"]);
  });

  test("reports each event, also a repeated one; one that it does not list is counted", async () => {
    await using home = new EspHomeHome();
    const odds = home.add(HOST, ODDS);
    await home.start({ admit: { all: true, edgeIds: new Set([odds.edgeId]) } });
    for (const eventType of ["single", "single", "turned_left", "shaken"]) {
      odds.change(odds.entity("event", "Knob"), { eventType });
      await home.pass(0);
    }
    expect(home.reports).toEqual(['Button:0.event "press"', 'Button:0.event "press"', 'Readings:0.knob "turned_left"']);
    expect(home.driver.status().ignored).toEqual({ otherStates: 1 });
  });

  test("is given the time when it asks for it, and answered when it asks whether the hub is there", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    const heard: number[] = [];
    plug.take = ({ type }) => void heard.push(type);
    for (const type of [MessageType.GET_TIME_REQUEST, MessageType.PING_REQUEST])
      plug.tell({ type, body: Buffer.alloc(0) });
    await home.pass(0);
    expect(heard).toEqual([MessageType.GET_TIME_RESPONSE, MessageType.PING_RESPONSE]);
  });

  test("gives every entity the address that it had, after an update of its firmware", async () => {
    await using home = new EspHomeHome();
    const board = home.add(
      HOST,
      ["Pump", "Lamp"].map((name) => fakeEntity("switch", name, { state: false })),
    );
    await home.start();
    board.entities.reverse();
    board.entities.unshift(fakeEntity("switch", "New", { state: false }));
    home.network.cut();
    home.network.mend();
    await home.again();
    await home.write(board, "Switch:0.on", true);
    expect(board.entity("switch", "Pump").state).toEqual({ state: true });
    await home.write(board, "Switch:1.on", true);
    expect(board.entity("switch", "Lamp").state).toEqual({ state: true });
  });
});

describe("which devices the hub has", () => {
  test("one that is announced and not admitted is listed with what it is, and no connection to it is opened", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG, { friendlyName: "Plug" });
    await home.start({ admit: NO_ONE });
    await home.pass(600_000);
    expect(home.driver.found()).toMatchObject([
      { edgeId: plug.edgeId, about: { name: "Plug", model: "esp32dev" }, admission: "not_admitted" },
    ]);
    expect([home.network.tries, home.driver.problem()]).toEqual([0, undefined]);
  });

  test("one that a person admits while it runs is there at once, and left alone when that is withdrawn", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    const admitted = new Set<string>();
    const listeners = new Set<() => void>();
    const listen = (changed: () => void) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    };
    await home.start({ admit: NO_ONE, admissions: { isAdmitted: (edgeId) => admitted.has(edgeId), listen } });
    admitted.add(plug.edgeId);
    for (const changed of listeners) changed();
    await home.pass(100);
    expect([home.driver.has(plug.edgeId), home.driver.found()]).toEqual([true, []]);
    admitted.clear();
    for (const changed of listeners) changed();
    await home.pass(2000);
    expect([home.driver.has(plug.edgeId), plug.connections.size]).toEqual([false, 0]);
    expect(home.driver.found()).toHaveLength(1);
  });

  test.for([
    ["a garage door", GARAGE],
    ["an alarm panel", ALARM],
    ["a valve or a lock", ODDS],
  ] as const)("one with %s awaits admission by its own edgeId, and is sent no command", async ([, fakes]) => {
    await using home = new EspHomeHome();
    const device = home.add(HOST, fakes);
    await home.start({ admit: { all: true, edgeIds: new Set() }, ...listed });
    await home.pass(600_000);
    expect(home.driver.found()).toMatchObject([{ edgeId: device.edgeId, admission: "awaiting_admission" }]);
    expect(await home.write(device, "AlarmPanel:0.target", "armed_home")).toMatchObject({ outcome: "not_applied" });
    expect([device.touched, device.connections.size, home.driver.has(device.edgeId)]).toEqual([0, 0, false]);
    await home.again({ admit: { all: true, edgeIds: new Set([device.edgeId]) } });
    expect(home.driver.has(device.edgeId)).toBe(true);
  });

  test("one that the settings name by its address is admitted by that", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    home.network.conceal(plug);
    await home.start({ admit: NO_ONE, ...listed });
    expect(home.driver.has(plug.edgeId)).toBe(true);
  });

  test("one that is named and announced has one connection", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start(listed);
    await home.pass(600_000);
    expect([plug.connections.size, home.host.arrivals.length]).toEqual([1, 1]);
    expect(home.driver.status().troubles).toEqual([]);
  });

  test("one that belongs to another hub is left alone until that one lets it go", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    let claimed = [plug.edgeId];
    await home.start({ askClaims: async (edgeIds) => edgeIds.filter((each) => claimed.includes(each)) });
    await home.pass(60_000);
    expect(home.driver.has(plug.edgeId)).toBe(false);
    claimed = [];
    await home.pass(60_000);
    expect(home.driver.has(plug.edgeId)).toBe(true);
    claimed = [plug.edgeId];
    home.driver.yield(claimed);
    expect([home.driver.has(plug.edgeId), home.host.live.size]).toEqual([false, 0]);
  });
});

describe("a device that is not where it was", () => {
  test("is gone within 30 s of a power cut, and back when it has power again", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    plug.isSilent = true;
    await home.pass(30_000);
    expect(home.driver.has(plug.edgeId)).toBe(false);
    plug.isSilent = false;
    await home.pass(70_000);
    expect([home.driver.has(plug.edgeId), plug.connections.size]).toEqual([true, 1]);
  });

  test("is followed to its new address as soon as that is announced", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    home.network.remove(HOST);
    home.network.add("192.0.2.77", plug);
    await home.pass(2000);
    expect(home.driver.has(plug.edgeId)).toBe(true);
    expect(home.host.arrivals.map(({ transport }) => transport)).toEqual(["esphome 192.0.2.1", "esphome 192.0.2.77"]);
  });

  test("is reached at its other address at once when the first does not lead to it any more", async () => {
    await using home = new EspHomeHome();
    const plug = home.network.add(HOST, home.network.add("192.0.2.77", home.add(HOST, PLUG), false), false);
    home.network.conceal(plug);
    const devices = [HOST, "192.0.2.77"].map((host) => ({ endpoint: { host, port: 6053 } }));
    await home.start({ devices });
    expect(plug.connections.size).toBe(1);
    const [first] = home.host.arrivals;
    home.network.remove(first?.transport === `esphome ${HOST}` ? HOST : "192.0.2.77");
    await home.pass(2000);
    expect([home.driver.has(plug.edgeId), plug.connections.size, home.host.arrivals.length]).toEqual([true, 1, 2]);
    expect(home.host.arrivals.at(-1)?.transport).not.toBe(first?.transport);
  });

  test("is forgotten when it is not announced any more and not reached", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    home.network.conceal(plug);
    await home.pass(1000);
    expect(home.driver.has(plug.edgeId), "it is still connected").toBe(true);
    home.network.cut();
    await home.pass(1000);
    expect([home.driver.problem(), home.driver.status().devices.known]).toEqual([undefined, 0]);
  });

  test("announces that it restarts, and is back", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG, { key: KEY });
    await home.start({ devices: [{ endpoint: { host: HOST, port: 6053 }, key: new Secret(KEY) }] });
    plug.tell({ type: MessageType.DISCONNECT_REQUEST, body: Buffer.alloc(0) });
    await home.pass(0);
    expect(home.driver.has(plug.edgeId)).toBe(false);
    await home.pass(3000);
    expect([home.driver.has(plug.edgeId), plug.connections.size]).toEqual([true, 1]);
  });

  test("closes its connections in a storm, and is not called in one", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    for (let round = 0; round < 300; round++) {
      for (const each of [...plug.connections]) each.close();
      await home.pass(1000);
    }
    expect(home.network.tries).toBeLessThan(30);
  });
});
