import { inAChild } from "@porchlight/agent/drivers/child/through-channel.fixture.ts";
import { asShared, attemptOf, derivedEdgeId, SetupFailed } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { FakeMatter, type FakeNode, plugEndpoints } from "./fake-matter.fixture.ts";
import type { GivenEndpoint } from "./mapping/endpoint.fixture.ts";
import { MatterDriver } from "./matter-driver.ts";
import { readPairingCode } from "./matter-js/matter-js.ts";
import { PairingFailed } from "./matter-network.ts";
import { edgeIdOfPlug, matterWorld, ON } from "./matter-world.fixture.ts";

const without = {
  secrets: "it has none in its settings; its keys are the library's, in the store",
  backoff: "the library connects again by itself",
  "flood of garbage": "the library checks what comes before the driver sees it",
  "flood of long messages": "a datagram has at most 1280 bytes",
};

everyDriver("Matter devices", matterWorld, { without });

everyDriver("Matter devices, in a child", matterWorld, { without, through: inAChild });

const COMMAND = { service: "OperationalState", index: "1", property: "command" };

async function given(prepare: (network: FakeMatter) => void = () => undefined, kept = new Map<string, Uint8Array>()) {
  const [clock, host] = [new VirtualClock(), new FakeHost()];
  const network = new FakeMatter(clock);
  network.readPairingCode = readPairingCode;
  prepare(network);
  const store = memoryStore(kept);
  const deps = { clock, random: seededRandom(1), log: silentLog, host: asShared(host), store, network };
  const driver = await MatterDriver.start({ ...deps, hasIpv6: () => true });
  await settle();
  const attempt = (ms = 10_000) => attemptOf(clock, { deadline: clock.monotonic() + ms, mayTouch: () => true });
  return { clock, host, network, driver, attempt, kept };
}

/** A person at the other end of a setup: answers in turn, and keeps what it is shown. */
function person(answers: readonly (string | RegExp)[] = []) {
  const ending = new AbortController();
  const [reported, asked, found]: [string[], string[], { edgeId?: string | undefined; name: string }[]] = [[], [], []];
  const left = [...answers];
  return {
    ...{ reported, asked, found, ending },
    talk: {
      signal: ending.signal,
      tell: (text: string) => void reported.push(text),
      found: (find: { edgeId?: string | undefined; name: string }) => void found.push(find),
      ask: async (question: { readonly text: string; readonly choices?: readonly string[] }) => {
        asked.push(question.text);
        const answer = left.shift();
        if (answer === undefined) throw new SetupFailed("nobody answers");
        return typeof answer === "string" ? answer : (question.choices?.find((each) => answer.test(each)) ?? "");
      },
    },
  };
}

describe("a write", () => {
  test("is sent once, and confirmed by what the device reports", async () => {
    const { driver, attempt, network } = await given((each) => each.add(each.node("1")));
    expect(await driver.write(edgeIdOfPlug("1"), ON, true, attempt())).toEqual({ kind: "value", value: true });
    expect(network.nodes[0]?.sent).toHaveLength(1);
  });

  test("of a device that reports nothing is confirmed by one question, shortly before the time is over", async () => {
    const { driver, attempt, clock, network } = await given((each) => each.add(each.node("1")));
    const [node] = network.nodes;
    if (node) node.isMute = true;
    const writing = driver.write(edgeIdOfPlug("1"), ON, true, attempt());
    await clock.advance(8000);
    await clock.advance(1000);
    expect(await writing).toEqual({ kind: "value", value: true });
    expect(node?.sent).toHaveLength(1);
  });

  test("that is accepted and not done is unknown", async () => {
    const { driver, attempt, clock, network } = await given((each) => each.add(each.node("1")));
    const [node] = network.nodes;
    node?.endpoints.get(1)?.state.get("onOff")?.set("onOff", false);
    Object.assign(node ?? {}, { invoke: async () => undefined });
    const writing = driver.write(edgeIdOfPlug("1"), ON, true, attempt());
    await clock.advance(11_000);
    expect(await writing).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("has not said") });
  });

  test("that the device refuses is rejected with its code; without a connection nothing is sent", async () => {
    const { driver, attempt, network } = await given((each) => each.add(each.node("1")));
    const [node] = network.nodes;
    if (node) node.refuses = true;
    expect(await driver.write(edgeIdOfPlug("1"), ON, true, attempt())).toMatchObject({ outcome: "rejected", code: 1 });
    node?.connect(false);
    expect(await driver.write(edgeIdOfPlug("1"), ON, true, attempt())).toMatchObject({ outcome: "not_applied" });
    expect(node?.touched).toBe(0);
  });

  test("that the device refuses in the fields of its answer is rejected too, with its words", async () => {
    const operationalState = { operationalState: 0, acceptedCommandList: [2] };
    const { driver, attempt, network } = await given((each) =>
      each.add(each.node("1", plugEndpoints("1", { 1: { types: [0x0073], clusters: { operationalState } } }))),
    );
    const edgeId = edgeIdOfPlug("1");
    const [node] = network.nodes;
    const start = () => driver.write(edgeId, COMMAND, "start", attempt());
    if (node) node.answer = { commandResponseState: { errorStateId: 3 } };
    expect(await start()).toMatchObject({
      ...{ outcome: "rejected", code: 3, detail: "The device has refused it: commandInvalidInState." },
    });
    if (node) node.answer = { commandResponseState: { errorStateId: 0 } };
    expect(await start()).toEqual({ kind: "value", value: "start" });
  });
});

test("a write for which there is no way to the device was not sent, and its result states that", async () => {
  const { driver, attempt, clock, network } = await given((each) => each.add(each.node("1")));
  const [node] = network.nodes;
  if (node) node.hasNoWay = true;
  const writing = driver.write(edgeIdOfPlug("1"), ON, true, attempt());
  await clock.advance(11_000);
  expect(await writing).toMatchObject({ outcome: "not_applied" });
  expect(node?.sent).toEqual([]);
});

describe("a bridge", () => {
  const bridged = (uniqueId: string, reachable = true) => ({
    types: [0x0013, 0x010a],
    clusters: {
      bridgedDeviceBasicInformation: { uniqueId, reachable, nodeLabel: uniqueId },
      onOff: { onOff: false },
    },
  });
  const endpoints = {
    ...plugEndpoints("bridge"),
    1: { types: [0x000e], parts: [10, 11], clusters: { descriptor: {} } },
    2: { clusters: {} },
    10: bridged("kitchen"),
    11: bridged("hall", false),
  };

  test("is no device itself; what is behind it is, while the bridge reaches it", async () => {
    const { host, network, clock, driver, attempt } = await given((each) => each.add(each.node("1", endpoints)));
    expect(host.arrivals.map(({ about }) => about.name)).toEqual(["kitchen"]);
    network.nodes[0]?.say(11, "bridgedDeviceBasicInformation", "reachable", true);
    await clock.advance(1000);
    expect(host.arrivals.map(({ about }) => about.name)).toEqual(["kitchen", "hall"]);
    const hall = host.arrivals[1]?.edgeId ?? "";
    expect(await driver.write(hall, { ...ON, index: "0" }, true, attempt())).toMatchObject({ kind: "value" });
    network.nodes[0]?.say(11, "bridgedDeviceBasicInformation", "reachable", false);
    await clock.advance(1000);
    expect(driver.has(hall)).toBe(false);
  });

  test("that is given a device has it at once, and loses what is taken away", async () => {
    const { host, network, clock, driver } = await given((each) => each.add(each.node("1", endpoints)));
    const kitchen = host.arrivals[0]?.edgeId ?? "";
    const [node] = network.nodes;
    node?.endpoints.delete(10);
    node?.restructure();
    await clock.advance(1000);
    expect(driver.has(kitchen)).toBe(false);
  });
});

describe("an identity", () => {
  test("stays when the maker's next version describes it otherwise", async () => {
    const kept = new Map<string, Uint8Array>();
    const first = await given((each) => each.add(each.node("1", plugEndpoints("before"))), kept);
    await first.driver[Symbol.asyncDispose]();
    const second = await given((each) => each.add(each.node("1", plugEndpoints("after"))), kept);
    expect(second.driver.has(edgeIdOfPlug("before"))).toBe(true);
  });

  test("of two devices that say the same of themselves is not the same", async () => {
    const { host } = await given((each) => {
      each.add(each.node("1", plugEndpoints("twin")));
      each.add(each.node("2", plugEndpoints("twin")));
    });
    expect(new Set(host.arrivals.map(({ edgeId }) => edgeId)).size).toBe(2);
  });
});

test("what happened while the device was not connected is counted, and not reported as current", async () => {
  const { host, network, driver } = await given((each) => each.add(each.node("1")));
  const [node] = network.nodes;
  node?.connect(false);
  node?.happen(2, "switch", "initialPress");
  await settle();
  expect(host.story.filter((line) => line.includes("Button"))).toEqual([]);
  expect(driver.status().ignored.lateEvents).toBe(1);
});

describe("pairing", () => {
  const CODE = "34970112332";

  test("asks until it has a code, and reports what was found", async () => {
    const { driver, network, kept } = await given();
    network.outcome = network.node("x", plugEndpoints("new"));
    const one = person(["12345", CODE]);
    await driver.setup("matter", one.talk);
    expect(one.asked[1]).toMatch(/^A pairing code has 11 digits/);
    expect(one.reported).toEqual(["Looking for the device.", "“Plug” was found. Pairing."]);
    expect(one.found).toEqual([{ edgeId: edgeIdOfPlug("new"), name: "Plug" }]);
    expect(network.asked[0]?.code).toEqual({ passcode: 20202021, discriminator: { short: 15 } });
    expect([...kept.keys()].filter((key) => key.startsWith("pairing "))).toEqual([]);
  });

  test.for([
    ["not_found", /No device in pairing mode was found/],
    ["wrong_code", /does not accept the code/],
    ["full", /as many apps and hubs/],
    ["not_genuine", /cannot prove/],
  ] as const)("that fails because of %s says what a person can do", async ([why, words]) => {
    const { driver, network, kept } = await given();
    network.outcome = new PairingFailed(why, "in the library's words");
    await expect(driver.setup("matter", person([CODE]).talk)).rejects.toThrow(words);
    expect([...kept.keys()]).toEqual([]);
  });

  test("is on disk before the device is asked; one that the hub's death cut off is found again", async () => {
    const kept = new Map<string, Uint8Array>();
    const first = await given(undefined, kept);
    const one = person([CODE]);
    const pairing = first.driver.setup("matter", one.talk).catch(() => undefined);
    await settle();
    const begun = [...kept.keys()].filter((key) => key.startsWith("pairing "));
    expect(begun).toEqual([`pairing ${first.network.asked[0]?.nodeId}`]);
    const second = await given((each) => {
      each.adoptable = each.node("x", plugEndpoints("found again"));
    }, new Map(kept));
    await settle();
    expect(second.driver.has(edgeIdOfPlug("found again"))).toBe(true);
    expect([...second.kept.keys()].filter((key) => key.startsWith("pairing "))).toEqual([]);
    one.ending.abort(new SetupFailed("ended"));
    await pairing;
  });

  test("that a person ends is taken back, should the device have accepted it", async () => {
    const { driver, network, clock, kept } = await given();
    const one = person([CODE]);
    const pairing = driver.setup("matter", one.talk).catch((failure: unknown) => failure);
    await settle();
    network.adoptable = network.node("x", plugEndpoints("too late"));
    one.ending.abort(new SetupFailed("A person ended the setup."));
    expect(await pairing).toBeInstanceOf(SetupFailed);
    await clock.advance(1000);
    expect(network.nodes).toEqual([]);
    expect([...kept.keys()].filter((key) => key.startsWith("pairing "))).toEqual([]);
  });
});

describe("removing", () => {
  test("is offered when there is something, and lets the device go", async () => {
    expect((await given()).driver.setups().map(({ kind }) => kind)).toEqual(["matter"]);
    const { driver, network } = await given((each) => each.add(each.node("1")));
    expect(driver.setups().map(({ kind }) => kind)).toEqual(["matter", "matter-remove", "matter-release"]);
    const one = person([/^Plug/]);
    await driver.setup("matter-remove", one.talk);
    expect(one.found).toEqual([{ edgeId: edgeIdOfPlug("1"), name: "Plug" }]);
    expect([network.nodes, driver.has(edgeIdOfPlug("1"))]).toEqual([[], false]);
  });

  test("of one that does not answer is the person's choice", async () => {
    const lost = (each: FakeMatter) => {
      each.add(each.node("1")).removal = "unreached";
    };
    const kept = await given(lost);
    await expect(kept.driver.setup("matter-remove", person([/^Plug/, /^Keep/]).talk)).rejects.toThrow(/not removed/);
    expect(kept.network.nodes).toHaveLength(1);
    const forgotten = await given(lost);
    await forgotten.driver.setup("matter-remove", person([/^Plug/, /^Forget/]).talk);
    expect(forgotten.network.nodes).toEqual([]);
  });

  test("all, when the hub leaves its owner, names those that were let go", async () => {
    const { driver } = await given((each) => {
      each.add(each.node("1"));
      each.add(each.node("2")).removal = "unreached";
    });
    const release = driver.setups().find(({ releases }) => releases);
    expect(release?.releases).toEqual([edgeIdOfPlug("1"), edgeIdOfPlug("2")]);
    const one = person();
    await driver.setup("matter-release", one.talk);
    expect(one.found.map(({ edgeId }) => edgeId)).toEqual([edgeIdOfPlug("1")]);
  });
});

test("a device that is away for long, and a machine without IPv6, are named with what to do", async () => {
  const { driver, network, clock } = await given((each) => each.add(each.node("1")));
  const node: FakeNode | undefined = network.nodes[0];
  node?.connect(false);
  await clock.advance(60_000);
  expect(driver.problem()).toBeUndefined();
  await clock.advance(120_000);
  expect(driver.problem()).toMatch(/“Plug” does not answer.*pair it again/);
  node?.connect(true);
  expect(driver.problem()).toBeUndefined();
});

describe("behind a bridge", () => {
  const BRIDGE = "0000000000000009";
  const socket = (name?: string, parts: readonly number[] = []): GivenEndpoint => ({
    ...{ types: [0x010a], parts },
    clusters: { onOff: { onOff: false }, ...(name && { bridgedDeviceBasicInformation: { uniqueId: name } }) },
  });
  const bridged = (devices: Readonly<Record<number, GivenEndpoint>>): Readonly<Record<number, GivenEndpoint>> => ({
    0: { clusters: { basicInformation: { vendorId: 0xfff1, productId: 1, uniqueId: "bridge" } } },
    1: { types: [0x0e], clusters: {}, parts: Object.keys(devices).map(Number) },
    ...devices,
  });
  const edgeIdOf = (name: string) => derivedEdgeId("matter", "65521/1/bridge", name);
  const first = { service: "Switch", index: "0", property: "on" };
  const second = { ...first, index: "1" };
  const home = async (devices: Readonly<Record<number, GivenEndpoint>>, kept?: Map<string, Uint8Array>) => {
    const all = await given((each) => each.add(each.node(BRIDGE, bridged(devices))), kept);
    const [bridge] = all.network.nodes;
    const commanded = () => bridge?.accepted.map(({ what }) => what.endpoint) ?? [];
    return { ...all, commanded, have: (now: Readonly<Record<number, GivenEndpoint>>) => bridge?.have(bridged(now)) };
  };

  test.for([
    ["at once", 0],
    ["once the bridge has reported all", 300],
  ] as const)("two devices that change their endpoints are commanded where they are, %s", async ([, ms]) => {
    const { driver, attempt, clock, commanded, have } = await home({ 5: socket("lamp"), 6: socket("heater") });
    have({ 5: socket("heater"), 6: socket("lamp") });
    await clock.advance(ms);
    expect(await driver.write(edgeIdOf("lamp"), first, true, attempt())).toMatchObject({ value: true });
    expect(commanded()).toEqual([6]);
  });

  test("a device at the endpoint of one that has gone is another device, also after a restart", async () => {
    const { driver, attempt, clock, commanded, have, kept } = await home({ 5: socket("lamp") });
    have({ 5: socket("heater") });
    await clock.advance(300);
    expect(await driver.write(edgeIdOf("lamp"), first, true, attempt())).toMatchObject({ outcome: "not_applied" });
    expect(commanded()).toEqual([]);
    const again = await home({ 5: socket("door"), 7: socket("lamp") }, kept);
    expect(await again.driver.write(edgeIdOf("heater"), first, true, attempt())).toMatchObject({ kind: "failed" });
    expect(await again.driver.write(edgeIdOf("lamp"), first, true, again.attempt())).toMatchObject({ value: true });
    expect(again.commanded()).toEqual([7]);
  });

  test("a device that learns its name is the same, and the next one at its endpoint is not", async () => {
    const { clock, have, driver } = await home({ 5: socket() });
    have({ 5: { ...socket(), clusters: { onOff: { onOff: false }, bridgedDeviceBasicInformation: {} } } });
    await clock.advance(300);
    const unnamed = derivedEdgeId("matter", "00000000000000F1", `${BRIDGE}/5`);
    expect(driver.has(unnamed)).toBe(true);
    have({ 5: socket("lamp") });
    await clock.advance(300);
    expect([driver.has(unnamed), driver.has(edgeIdOf("lamp"))]).toEqual([true, false]);
    have({ 5: socket("heater") });
    await clock.advance(300);
    expect([driver.has(unnamed), driver.has(edgeIdOf("heater"))]).toEqual([false, true]);
  });

  test("two devices that the bridge calls the same are two, and each stays its own when the other leaves", async () => {
    const { driver, attempt, clock, commanded, have } = await home({ 5: socket("lamp") });
    have({ 5: socket("lamp"), 6: socket("lamp") });
    await clock.advance(300);
    have({ 6: socket("lamp") });
    await clock.advance(300);
    expect(await driver.write(edgeIdOf("lamp"), first, true, attempt())).toMatchObject({ kind: "failed" });
    expect(commanded()).toEqual([]);
  });

  test("a socket below a device never gets the address of the device, whose endpoints have other numbers", async () => {
    const { driver, attempt, clock, commanded, have } = await home({ 5: socket("strip", [6]), 6: socket() });
    expect(await driver.write(edgeIdOf("strip"), second, true, attempt())).toMatchObject({ value: true });
    have({ 6: socket("strip", [7]), 7: socket() });
    await clock.advance(300);
    expect(await driver.write(edgeIdOf("strip"), second, true, attempt())).toMatchObject({ kind: "failed" });
    expect(await driver.write(edgeIdOf("strip"), first, true, attempt())).toMatchObject({ value: true });
    expect(commanded()).toEqual([6, 6]);
  });

  test("a write that waits for a way to the bridge is not sent to an endpoint that is another device by then", async () => {
    const { driver, attempt, network, commanded, have } = await home({ 5: socket("lamp"), 6: socket("heater") });
    const [bridge] = network.nodes;
    const way = Promise.withResolvers<void>();
    if (bridge) bridge.reach = () => way.promise;
    const writing = driver.write(edgeIdOf("lamp"), first, true, attempt());
    await settle();
    have({ 5: socket("heater"), 6: socket("lamp") });
    driver.has(edgeIdOf("lamp"));
    await driver.read(edgeIdOf("heater"), second, attempt());
    way.resolve();
    expect(await writing).toMatchObject({ outcome: "not_applied" });
    expect(commanded()).toEqual([]);
  });
});
