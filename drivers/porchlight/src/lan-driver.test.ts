import { shareHost } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { ClaimsOfCloud, HomeNetwork, INTERFACE, recordsOf } from "./home-network.fixture.ts";
import { HubAndNode, SWITCH } from "./hub-and-node.fixture.ts";
import { networkWorld } from "./network-world.fixture.ts";
import { HUB, LAMP, OTHER, ScriptedNode } from "./scripted-node.fixture.ts";

everyDriver("the home network", networkWorld);

const nodeOf = (home: HomeNetwork, edgeId = LAMP) => home.driver.status().nodes.find((node) => node.edgeId === edgeId);

describe("which nodes a hub speaks to", () => {
  test("those that it is reported to admit; the others are shown and left alone", async () => {
    await using home = await HomeNetwork.live({ admit: [LAMP] });
    await home.announce({ id: OTHER, address: "10.0.0.8" });
    expect(home.tried).toEqual(["10.0.0.7:4000"]);
    expect(home.driver.status().notAdmitted).toEqual([{ edgeId: OTHER, model: undefined, tls: false }]);
  });

  test("all of them when configured so, but never itself", async () => {
    await using home = await HomeNetwork.live({ admit: "all" });
    home.places.set("10.0.0.8:4000", new ScriptedNode(home.clock, { id: OTHER, devices: [OTHER] }));
    await home.announce({ id: OTHER, address: "10.0.0.8" });
    await home.announce({ id: HUB, address: "10.0.0.9" });
    expect([...home.host.live]).toEqual([LAMP, OTHER]);
    expect(home.tried).toHaveLength(2);
  });

  test("not one whose HELLO names another: it is refused, left, and its place avoided for a minute", async () => {
    await using home = new HomeNetwork();
    const impostor = new ScriptedNode(home.clock, { id: OTHER, devices: [OTHER, LAMP] });
    home.places.set("10.0.0.7:4000", impostor);
    await home.clock.advance(0);
    await home.announce();
    await home.clock.advance(10_000);
    expect([impostor.got("ERROR").map(({ code }) => code), home.host.live.size]).toEqual([[12], 0]);
    expect([home.tried.length, nodeOf(home)?.waits]).toEqual([1, "otherNodeThere"]);
    home.places.set("10.0.0.7:4000", home.node);
    await home.clock.advance(60_000);
    expect([...home.host.live]).toEqual([LAMP]);
  });

  test("with TLS only when it holds the key, with any announcement; without a key not those that want one", async () => {
    await using keyed = await HomeNetwork.live({ keys: new Map([[LAMP, Buffer.alloc(16)]]) });
    expect(keyed.tried).toEqual(["10.0.0.7:4000 with TLS"]);
    await using bare = new HomeNetwork();
    await bare.clock.advance(0);
    await bare.announce({ tls: true });
    expect([bare.tried, nodeOf(bare)?.waits]).toEqual([[], "needsKey"]);
  });
});

describe("a node of the network", () => {
  test("that moves is met at its new place", async () => {
    await using home = await HomeNetwork.live();
    home.places.clear();
    home.places.set("10.0.0.8:4001", home.node);
    home.node.detach();
    await home.clock.advance(20_000);
    expect(home.host.live.size).toBe(0);
    await home.announce({ address: "10.0.0.8", port: 4001 });
    await home.clock.advance(1000);
    expect([...home.host.live]).toEqual([LAMP]);
    expect(nodeOf(home)?.at).toBe("10.0.0.8:4001");
  });

  test("that lives is not cut for anything that is announced: goodbyes, flapping, false places", async () => {
    await using home = await HomeNetwork.live();
    for (let round = 0; round < 50; round++) {
      await home.announce({ ttl: 0 });
      await home.announce({ address: `10.0.1.${round}`, port: 1 + round });
    }
    expect([home.tried, home.host.story.filter((line) => line.startsWith("left"))]).toEqual([["10.0.0.7:4000"], []]);
  });

  test("that was met once is found again without an announcement", async () => {
    await using home = await HomeNetwork.live();
    await home.clock.advance(130_000);
    home.node.detach();
    await home.clock.advance(2000);
    expect([...home.host.live]).toEqual([LAMP]);
  });

  test.each([
    ["the hub's loopback", "127.0.0.1", 22, "loopback"],
    ["a cloud's metadata service", "169.254.169.254", 80, "offLink"],
    ["the internet", "8.8.8.8", 4000, "offLink"],
    ["another private network", "192.168.7.7", 4000, "offLink"],
    ["a service of the hub", "10.0.0.1", 22, "ownService"],
  ])("that is announced at %s is not connected to, which is reported once", async (_, address, port, why) => {
    await using home = new HomeNetwork({ admit: "all" });
    await home.clock.advance(0);
    for (let times = 0; times < 5; times++) await home.announce({ address, port });
    await home.clock.advance(60_000);
    expect(home.tried).toEqual([]);
    expect(home.logged.filter((line) => line.includes("the hub does not connect;"))).toHaveLength(1);
    expect(home.driver.status()).toMatchObject({ ignored: { [why]: 1 } });
  });

  test("that was met on a network which the hub has left is not looked for there", async () => {
    await using home = await HomeNetwork.live();
    home.interface = { ...INTERFACE, place: () => ({ kind: "refused", why: "offLink" }) };
    home.node.detach();
    await home.clock.advance(60_000);
    expect(home.tried).toHaveLength(1);
    expect(nodeOf(home)?.failure).toContain("offLink");
  });

  test("that cannot be reached is tried ever more rarely, and its flapping announcement makes that no more than one a second", async () => {
    await using home = new HomeNetwork();
    home.places.clear();
    await home.clock.advance(0);
    await home.announce();
    await home.clock.advance(600_000);
    // It has not been announced again, and was never met: the hub stops looking for it.
    const alone = home.tried.length;
    expect(alone).toBeLessThan(20);
    const flaps = 100;
    for (let round = 0; round < flaps; round++) await home.announce({ port: 4000 + (round % 2) });
    // Besides the tries of its own waits, which grow: six make up these seconds.
    expect(home.tried.length - alone).toBeLessThanOrEqual((flaps * 200) / 1000 + 6);
  });

  test("does not wait for another that is slow", async () => {
    await using home = await HomeNetwork.live({ admit: "all" });
    home.places.set("10.0.0.8:4000", new ScriptedNode(home.clock, { id: OTHER, devices: [OTHER] }));
    await home.announce({ id: OTHER, address: "10.0.0.8" });
    home.node.script = () => [];
    void home.driver.write(LAMP, SWITCH, true, home.attempt());
    await settle();
    const before = home.clock.monotonic();
    const written = await home.clock.until(home.driver.write(OTHER, SWITCH, true, home.attempt()));
    expect([written, home.clock.monotonic()]).toEqual([{ kind: "value", value: true }, before]);
  });
});

describe("listening to the network", () => {
  test("asks often at first and then once a minute", async () => {
    await using home = new HomeNetwork();
    await home.clock.advance(3_600_000);
    expect(home.asked.length).toBeGreaterThan(60);
    expect(home.asked.length).toBeLessThan(70);
  });

  test("goes on when the socket fails or the interface is gone, and costs no session", async () => {
    await using home = await HomeNetwork.live();
    home.failListening("ENETDOWN");
    expect(home.driver.status()).toMatchObject({ listening: false, problem: "ENETDOWN" });
    await home.clock.advance(1000);
    expect(home.listening).toBe(true);
    home.interface = undefined;
    await home.clock.advance(60_000);
    expect(home.driver.status().problem).toBe("there is no such interface, or it has no address");
    home.interface = { ...INTERFACE, address: "10.0.0.2" };
    await home.clock.advance(30_000);
    expect([home.driver.status().address, [...home.host.live]]).toEqual(["10.0.0.2", [LAMP]]);
    expect(home.host.story.filter((line) => line.startsWith("left"))).toEqual([]);
  });

  test("does not work through a flood, and looks after so many nodes only", async () => {
    await using home = await HomeNetwork.live({ admit: "all" });
    for (let each = 0; each < 2000; each++) {
      const id = `02-AA-00-00-${(each >> 8).toString(16).padStart(2, "0")}-${(each & 255).toString(16).padStart(2, "0")}`;
      home.say(recordsOf({ id: id.toUpperCase(), address: "10.0.3.3", port: 1 + each }));
    }
    // The list grows by so many at once.
    await home.clock.advance(2000);
    const { nodes, ignored } = home.driver.status();
    expect(nodes.length).toBe(250);
    expect([ignored.floods, "tooManyNodes" in ignored]).toEqual([1700, true]);
    expect([...home.host.live]).toEqual([LAMP]);
  });
});

describe("a device that another line of the hub has", () => {
  test("is left there, and taken at once when that line goes down", async () => {
    const host = new FakeHost();
    const shared = shareHost(host);
    await using home = new HomeNetwork({ host: shared });
    await using line = new HubAndNode({}, { host: shared }, { clock: home.clock, host });
    await home.clock.advance(0);
    await home.announce();
    expect([line.driver.has(LAMP), home.driver.has(LAMP)]).toEqual([true, false]);
    line.isThere = false;
    line.node.detach();
    await home.clock.advance(0);
    expect([line.driver.has(LAMP), home.driver.has(LAMP)]).toEqual([false, true]);
    line.isThere = true;
    await home.clock.advance(20_000);
    expect([line.driver.has(LAMP), home.driver.has(LAMP)]).toEqual([false, true]);
  });
});

describe("a device that another hub has", () => {
  test("is not touched, and taken when the cloud reports that the other has released it", async () => {
    const cloud = new ClaimsOfCloud();
    cloud.claimed.add(LAMP);
    await using home = await HomeNetwork.live({ askClaims: cloud.ask });
    await home.clock.advance(100_000);
    // A device that is there answers each round of questions.
    await home.announce();
    expect([home.tried, nodeOf(home)?.waits]).toEqual([[], "claimed"]);
    expect(home.logged).toEqual(["a device belongs to another hub of this home: this hub does not use it"]);
    cloud.claimed.clear();
    await home.clock.advance(30_000);
    expect([...home.host.live]).toEqual([LAMP]);
  });

  test("behind a bridge is not reported, and the bridge is left to the other hub", async () => {
    const cloud = new ClaimsOfCloud();
    for (const device of [LAMP, OTHER]) cloud.claimed.add(device);
    const bridge = "02-50-4C-52-00-00";
    await using home = new HomeNetwork(
      { askClaims: cloud.ask, admit: [bridge] },
      { id: bridge, devices: [LAMP, OTHER] },
    );
    await home.clock.advance(0);
    await home.announce({ id: bridge });
    await home.clock.advance(100_000);
    expect([home.tried.length, home.host.arrivals]).toEqual([1, []]);
    expect(nodeOf(home, bridge)).toMatchObject({ phase: "closed", waits: "claimed" });
  });

  test("beside others on its bridge is refused alone", async () => {
    const cloud = new ClaimsOfCloud();
    cloud.claimed.add(OTHER);
    const bridge = "02-50-4C-52-00-00";
    await using home = new HomeNetwork(
      { askClaims: cloud.ask, admit: [bridge] },
      { id: bridge, devices: [LAMP, OTHER] },
    );
    await home.clock.advance(0);
    await home.announce({ id: bridge });
    await home.clock.advance(1000);
    expect([...home.host.live]).toEqual([LAMP]);
    cloud.claimed.clear();
    await home.clock.advance(40_000);
    expect([...home.host.live]).toEqual([LAMP, OTHER]);
  });

  test("is released when the cloud requests it", async () => {
    const cloud = new ClaimsOfCloud();
    await using home = await HomeNetwork.live({ askClaims: cloud.ask });
    cloud.claimed.add(LAMP);
    home.driver.yield([LAMP]);
    await home.clock.advance(20_000);
    expect([home.host.live.size, nodeOf(home)?.waits]).toEqual([0, "claimed"]);
  });

  test("stays the other's while the cloud cannot be asked; what no hub is known to have is taken after a moment", async () => {
    const cloud = new ClaimsOfCloud();
    cloud.claimed.add(LAMP);
    await using home = await HomeNetwork.live({ askClaims: cloud.ask, admit: "all" });
    cloud.isThere = false;
    home.places.set("10.0.0.8:4000", new ScriptedNode(home.clock, { id: OTHER, devices: [OTHER] }));
    await home.announce({ id: OTHER, address: "10.0.0.8" });
    expect(home.host.live.size).toBe(0);
    await home.clock.advance(100_000);
    expect([...home.host.live]).toEqual([OTHER]);
  });

  test("whose line closed again and again while the cloud could not be asked is back soon after it can be", async () => {
    const cloud = new ClaimsOfCloud();
    await using home = await HomeNetwork.live({ askClaims: cloud.ask });
    cloud.isThere = false;
    for (let waitedMs = 0; waitedMs < 600_000; waitedMs += 1000) {
      if (home.host.live.size > 0) waitedMs = 0;
      home.node.detach();
      await home.clock.advance(1000);
    }
    expect(home.host.live.size).toBe(0);
    cloud.isThere = true;
    await home.clock.advance(31_000);
    expect([...home.host.live]).toEqual([LAMP]);
  });
});
