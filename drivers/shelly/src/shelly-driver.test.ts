import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { describe, expect, test } from "vitest";
import { IRRIGATION, RELAYS } from "./captured.fixture.ts";
import { ShellyHome } from "./shelly-home.fixture.ts";
import { SHELLY_EXCUSES, shellyWorld, WITH_BUTTON } from "./shelly-world.fixture.ts";

everyDriver("Shelly", shellyWorld, { without: SHELLY_EXCUSES });

const NO_ONE = { all: false, edgeIds: new Set<string>() };

describe("a write", () => {
  test("is confirmed when the device has answered and its status confirms it", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    expect(await home.write(relays, "Switch:1.on", true)).toEqual({ kind: "value", value: true });
    expect([relays.touched, home.reports]).toEqual([1, []]);
  });

  test("is not confirmed by the device's answer alone", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    relays.idles = true;
    expect(await home.write(relays, "Switch:1.on", true)).toMatchObject({ kind: "failed", outcome: "unknown" });
    const asked = relays.asked.filter(({ method }) => method === "Shelly.GetStatus").length;
    expect(asked, "it was asked again and again").toBeGreaterThan(3);
  });

  test("of what is so already is confirmed by the status that is asked for", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    relays.idles = true;
    expect(await home.write(relays, "Switch:1.on", false)).toEqual({ kind: "value", value: false });
  });

  test("that the device refuses is rejected, with the device's own code", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    relays.refuses = true;
    expect(await home.write(relays, "Switch:1.on", true)).toMatchObject({ outcome: "rejected", code: -103 });
  });

  test("of a sensor or of nothing touches nothing", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    expect(await home.write(relays, "Input:0.on", true)).toMatchObject({ outcome: "rejected" });
    expect(await home.read(relays, "Nothing:0.on")).toMatchObject({ outcome: "not_applied" });
    expect(relays.touched).toBe(0);
  });

  test("does not delay the device's other reports", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    relays.delayMs = 300;
    const written = home.write(relays, "Switch:0.on", true);
    relays.change("switch:0", { apower: 12.5 });
    expect(await written).toEqual({ kind: "value", value: true });
    expect(home.reports).toEqual(["Electricity:0.watts 12.5"]);
  });
});

describe("a device that reports something", () => {
  test("reports each named member, also with its old value", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    relays.change("switch:0", { apower: 7, aenergy: { total: 1500 } });
    relays.change("switch:0", { apower: 7, voltage: 230 });
    await home.pass(0);
    const first = ["Electricity:0.watts 7", "Electricity:0.energy 1.5"];
    expect(home.reports).toEqual([...first, "Electricity:0.volts 230", "Electricity:0.watts 7"]);
  });

  test("reports that a value is gone", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    relays.change("switch:0", { temperature: { tC: null } });
    await home.pass(0);
    expect(home.reports).toEqual(["Readings:0.deviceTemperature null"]);
  });

  test("reports each press of its button, also a repeated one", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", WITH_BUTTON);
    await home.start();
    for (const event of ["single_push", "single_push", "btn_down", "long_push"]) relays.event("input:0", event);
    await home.pass(0);
    const press = (word: string) => `Button:0.event "${word}"`;
    expect(home.reports).toEqual([press("press"), press("press"), press("long")]);
    expect(home.driver.status().ignored).toEqual({ otherChanges: 1 });
  });

  test("describes itself anew after it was configured otherwise, and then reports what it has not had before", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    const atArrival = home.host.learnings.map(
      ({ service, index, property, value }) => `${service}:${index}.${property} ${JSON.stringify(value)}`,
    );
    relays.config["boolean:200"] = { id: 200, name: "Night mode" };
    relays.status["boolean:200"] = { value: true };
    relays.event("sys", "config_changed");
    await home.pass(2000);
    expect(home.host.story.slice(-2)).toEqual([`described ${relays.edgeId}`, "reported Settings.nightMode true"]);
    expect(home.reports.toSorted(), "what is as it was is told once more").toEqual(
      [...atArrival, "Settings:0.nightMode true"].toSorted(),
    );
    expect(home.host.valueOf(relays.edgeId, addressIn("Electricity:1.volts")), "its neighbours keep theirs").toBe(
      216.3,
    );
    expect(await home.read(relays, "Settings:0.nightMode")).toEqual({ kind: "value", value: true });
  });
});

describe("which devices the hub has", () => {
  test("one that is announced and not admitted is listed with what it is, and no channel to it is opened", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start({ admit: NO_ONE });
    await home.pass(600_000);
    expect(home.driver.found()).toMatchObject([
      { edgeId: relays.edgeId, about: { model: "S2PMG3" }, admission: "not_admitted" },
    ]);
    expect([relays.asked, home.driver.problem()]).toEqual([[], undefined]);
  });

  test("one that a person admits while it runs is there at once, and left alone when that is withdrawn", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    const admitted = new Set<string>();
    const listeners = new Set<() => void>();
    const listen = (changed: () => void) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    };
    const admissions = { isAdmitted: (edgeId: string) => admitted.has(edgeId), listen };
    await home.start({ admit: NO_ONE, admissions });
    expect(home.driver.has(relays.edgeId)).toBe(false);
    admitted.add(relays.edgeId);
    for (const changed of listeners) changed();
    await home.pass(100);
    expect([home.driver.has(relays.edgeId), home.driver.found()]).toEqual([true, []]);
    admitted.clear();
    for (const changed of listeners) changed();
    await home.pass(2000);
    expect([home.driver.has(relays.edgeId), home.network.channelsOf(relays)]).toEqual([false, 0]);
    expect(home.driver.found()).toHaveLength(1);
  });

  test("one with valves awaits admission by its own edgeId, and no channel to it stays open", async () => {
    await using home = new ShellyHome();
    const valves = home.add("192.0.2.1", IRRIGATION);
    await home.start();
    const [found] = home.driver.found();
    expect(found).toMatchObject({ edgeId: valves.edgeId, admission: "awaiting_admission" });
    expect(found?.services).toContain("Valve");
    expect(home.network.channelsOf(valves)).toBe(0);
  });

  test("one that the settings name by its address is admitted by that", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    home.network.conceal(relays);
    await home.start({ admit: NO_ONE, devices: [{ endpoint: { host: "192.0.2.1", port: 80 } }] });
    expect(home.driver.has(relays.edgeId)).toBe(true);
  });

  test("one that is named and announced has one connection", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start({ devices: [{ endpoint: { host: "192.0.2.1", port: 80 } }] });
    await home.pass(600_000);
    expect([home.network.channelsOf(relays), home.host.arrivals.length]).toEqual([1, 1]);
    expect(home.driver.status().troubles).toEqual([]);
  });

  test("one that belongs to another hub is left alone until that one lets it go", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    let claimed = [relays.edgeId];
    await home.start({ askClaims: async (edgeIds) => edgeIds.filter((each) => claimed.includes(each)) });
    await home.pass(60_000);
    expect(home.driver.has(relays.edgeId)).toBe(false);
    claimed = [];
    await home.pass(60_000);
    expect(home.driver.has(relays.edgeId)).toBe(true);
    claimed = [relays.edgeId];
    home.driver.yield(claimed);
    expect([home.driver.has(relays.edgeId), home.host.live.size]).toEqual([false, 0]);
  });
});

describe("a device that is not where it was", () => {
  test("is gone within 45 s of a power cut, and back when it has power again", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    relays.isSilent = true;
    await home.pass(45_000);
    expect([home.driver.has(relays.edgeId), home.network.channelsOf(relays)]).toEqual([false, 0]);
    relays.isSilent = false;
    await home.pass(70_000);
    expect([home.driver.has(relays.edgeId), home.network.channelsOf(relays)]).toEqual([true, 1]);
  });

  test("is followed to its new address as soon as that is announced", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    home.network.move("192.0.2.1", "192.0.2.77");
    await home.pass(2000);
    expect(home.driver.has(relays.edgeId)).toBe(true);
    expect(home.host.arrivals.map(({ transport }) => transport)).toEqual(["shelly 192.0.2.1", "shelly 192.0.2.77"]);
  });

  test("is followed by its announcement also when the settings name its old address", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start({ admit: NO_ONE, devices: [{ endpoint: { host: "192.0.2.1", port: 80 } }] });
    home.network.move("192.0.2.1", "192.0.2.77");
    await home.pass(2000);
    expect([home.driver.has(relays.edgeId), home.network.channelsOf(relays)]).toEqual([true, 1]);
  });

  test("is forgotten when it is not announced any more and not reached", async () => {
    await using home = new ShellyHome();
    const relays = home.add("192.0.2.1", RELAYS);
    await home.start();
    home.network.conceal(relays);
    await home.pass(1000);
    expect(home.driver.has(relays.edgeId), "it is still connected").toBe(true);
    home.network.cut();
    await home.pass(1000);
    expect([home.driver.problem(), home.driver.status().devices.known]).toEqual([undefined, 0]);
    home.network.mend();
    home.network.announce("192.0.2.1", relays);
    await home.pass(1000);
    expect(home.driver.has(relays.edgeId)).toBe(true);
  });
});
