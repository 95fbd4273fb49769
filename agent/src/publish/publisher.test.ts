import { MemoryBroker } from "@porchlight/driver-mqtt/broker/memory-broker.fixture.ts";
import { describe, expect, test } from "vitest";
import { BUTTON, LAMP } from "../state/state.fixture.ts";
import { HUB, LAMP_BASE, LAMP_CONFIG, lamp, PublishingHub } from "./publishing.fixture.ts";
import { readBack } from "./read-back.fixture.ts";

const HUB_UP = `porchlight/${HUB}/availability`;
const configsOn = ({ kept }: MemoryBroker) => [...kept].filter(([topic]) => topic.endsWith("/config"));

describe("a hub that publishes its devices on a broker", () => {
  test("publishes each with its entities, its availability, and the known values", async () => {
    await using hub = new PublishingHub();
    await hub.arrive(lamp());
    await hub.report("LightLevel.level", 40);
    hub.start();
    await hub.pass(2500);
    const dialect = readBack(new Map(configsOn(hub.broker)));
    expect([[...dialect.devices.keys()].length, dialect.ignored, dialect.problems]).toEqual([2, {}, []]);
    expect(dialect.devices.get(LAMP)?.about).toEqual({ name: "Hall lamp" });
    const values = [...hub.broker.kept].filter(([topic]) => topic.startsWith("porchlight/"));
    expect(Object.fromEntries(values)).toEqual({
      [HUB_UP]: "online",
      [`${LAMP_BASE}/availability`]: "online",
      [`${LAMP_BASE}/LightLevel/0/level`]: "40",
    });
    expect(hub.publisher?.status()).toMatchObject({ publishes: "connected", devices: 1, entities: 3, leftAside: {} });
    // What the broker had kept was asked for once.
    expect(hub.broker.filters).toEqual([`porchlight/${HUB}/+/+/+/+/set`, "homeassistant/status"]);
  });

  test("publishes each change once, and the colour as a whole", async () => {
    await using hub = await PublishingHub.make();
    hub.published();
    await hub.report("Switch.on", true);
    await hub.report("Switch.on", true);
    await hub.report("LightColor.hue", 120);
    await hub.report("LightColor.saturation", 50);
    await hub.report("Temperature.celsius", null);
    expect(hub.published()).toEqual([
      ["Switch/0/on", "true"],
      ["LightColor/0/hue", "120"],
      ["LightColor/0/saturation", "50"],
      ["LightColor/0/hue,saturation", "120,50"],
      ["Temperature/0/celsius", "None"],
    ]);
  });

  test("publishes each event, in order, and retains none", async () => {
    await using hub = await PublishingHub.make();
    hub.published();
    for (const event of ["press", "press", "long"]) await hub.report("Button.event", event);
    expect(hub.published()).toEqual(["press", "press", "long"].map((event) => ["Button/0/event", event]));
    expect(hub.kept("Button/0/event")).toBeUndefined();
  });

  test("of a burst publishes the newest value of each property", async () => {
    await using hub = await PublishingHub.make();
    hub.published();
    const reports = Array.from({ length: 50 }, (_, level) =>
      hub.state.report(
        { device: LAMP, service: "LightLevel", index: "0", property: "level", value: level },
        { node: LAMP, boot: 2, seq: level },
      ),
    );
    await hub.disk.done(Promise.all(reports));
    await hub.pass(10);
    expect(hub.published()).toEqual([["LightLevel/0/level", "49"]]);
  });

  test("says at once that a device is away, and that it is back", async () => {
    await using hub = await PublishingHub.make();
    await hub.leave();
    expect(hub.kept("availability")).toBe("offline");
    await hub.arrive(lamp());
    expect(hub.kept("availability")).toBe("online");
  });

  test("publishes a device that comes later, and its new entities when its description changes", async () => {
    await using hub = await PublishingHub.make();
    await hub.arrive(lamp(BUTTON));
    expect(hub.broker.kept.get(`porchlight/${HUB}/${BUTTON}/availability`)).toBe("online");
    const [level] = lamp().description.slice(1);
    await hub.report("Temperature.celsius", 20);
    await hub.arrive(lamp(LAMP, { description: level ? [level] : [] }));
    const ofLamp = configsOn(hub.broker).filter(([topic]) => topic.includes("001b44113ab7"));
    expect(ofLamp.map(([topic]) => topic)).toEqual([LAMP_CONFIG]);
    expect(hub.kept("Temperature/0/celsius")).toBeUndefined();
  });

  test("publishes the metadata of a device as soon as it changes", async () => {
    await using hub = await PublishingHub.make();
    await hub.arrive(lamp(LAMP, { about: { name: "Hall lamp", firmware: "2.0" } }));
    expect(JSON.parse(hub.broker.kept.get(LAMP_CONFIG) ?? "{}").device.sw_version).toBe("2.0");
  });

  test("does not tell what is on a broker already", async () => {
    await using hub = new PublishingHub();
    await hub.arrive(lamp(LAMP, { transport: "mqtt 127.0.0.1:1883" }));
    await hub.arrive(lamp(BUTTON, { transport: "mqtts broker.home" }));
    hub.start();
    await hub.pass(2500);
    expect(hub.publisher?.status().devices).toBe(0);
    expect(configsOn(hub.broker)).toHaveLength(1);
  });

  test("calls a device what the cloud calls it, as soon as it says so", async () => {
    await using hub = await PublishingHub.make();
    const nameOf = () => JSON.parse(hub.broker.kept.get(LAMP_CONFIG) ?? "{}").device.name;
    expect(nameOf()).toBe("Hall lamp");
    await hub.name({ [LAMP]: "Reading lamp" });
    expect(nameOf()).toBe("Reading lamp");
  });

  test("says when it ends that nothing is there any more, and so does its last will", async () => {
    await using hub = await PublishingHub.make();
    hub.published();
    await hub.stop();
    expect(hub.published()).toEqual([[HUB_UP, "offline"]]);
    hub.start();
    await hub.pass(2500);
    expect(hub.broker.kept.get(HUB_UP)).toBe("online");
    hub.broker.cut();
    expect(hub.broker.kept.get(HUB_UP)).toBe("offline");
  });

  test("leaves no timer behind", async () => {
    await using hub = await PublishingHub.make();
    hub.broker.say("homeassistant/status", "online");
    await hub.stop();
    expect(hub.disk.clock.pending().filter((name) => !name.includes("journal"))).toEqual([]);
  });
});

describe("a device that is deleted", () => {
  test("in the cloud stays published while it is live, and is cleared when it leaves", async () => {
    await using hub = await PublishingHub.make();
    await hub.name({ [LAMP]: "lamp" });
    await hub.report("Switch.on", true);
    await hub.name({});
    expect(hub.kept("availability")).toBe("online");
    await hub.leave();
    expect([...hub.broker.kept.keys()].filter((topic) => topic !== HUB_UP && !topic.includes("connection"))).toEqual(
      [],
    );
  });

  test("in the cloud while it is away is cleared at once", async () => {
    await using hub = await PublishingHub.make();
    await hub.name({ [LAMP]: "lamp" });
    await hub.leave();
    await hub.name({});
    expect([hub.kept("availability"), hub.broker.kept.has(LAMP_CONFIG)]).toEqual([undefined, false]);
  });

  test("while the hub was down is cleared when it is back, with entities and values that it had before", async () => {
    const broker = new MemoryBroker();
    {
      await using before = await PublishingHub.make(broker);
      await before.report("Switch.on", true);
      await before.arrive(lamp(BUTTON));
    }
    broker.say(`porchlight/${HUB}/${LAMP}/Old/0/value`, "1", true);
    await using hub = await PublishingHub.make(broker);
    const left = [...broker.kept.keys()];
    expect(left.filter((topic) => topic.includes(BUTTON) || topic.includes("001b44113ab8"))).toEqual([]);
    expect(hub.kept("Old/0/value")).toBeUndefined();
    expect(hub.kept("Switch/0/on")).toBeUndefined();
    expect(broker.kept.has(LAMP_CONFIG)).toBe(true);
  });

  test("that the cloud has not named yet is published too, also while it is away", async () => {
    await using hub = await PublishingHub.make();
    await hub.name({ [LAMP]: "lamp" });
    await hub.arrive(lamp(BUTTON));
    await hub.leave(BUTTON);
    expect(hub.broker.kept.get(`porchlight/${HUB}/${BUTTON}/availability`)).toBe("offline");
  });
});

describe("several hubs on one broker", () => {
  const OTHER = "porchlight/02-00-00-00-00-99/availability";
  const others = JSON.stringify({ name: "x", availability: [{ topic: OTHER }], origin: { name: "Porchlight" } });

  test("leave each other's messages alone", async () => {
    const broker = new MemoryBroker();
    const topic = "homeassistant/light/porchlight_001b44113aff/light_0/config";
    broker.say(topic, others, true);
    broker.say(OTHER, "online", true);
    await using _hub = await PublishingHub.make(broker);
    expect([broker.kept.get(topic), broker.kept.get(OTHER)]).toEqual([others, "online"]);
  });

  test("do not tell a device that another one has, until it is live here", async () => {
    const broker = new MemoryBroker();
    broker.say(LAMP_CONFIG, others, true);
    await using hub = new PublishingHub(broker);
    await hub.arrive(lamp());
    await hub.leave();
    hub.start();
    await hub.pass(2500);
    expect([broker.kept.get(LAMP_CONFIG), hub.kept("availability")]).toEqual([others, undefined]);
    expect(hub.publisher?.status()).toMatchObject({ devices: 0, elsewhere: [LAMP] });
    await hub.name({ [LAMP]: "Reading lamp" });
    await hub.set("Switch/0/on", "true");
    expect([broker.kept.get(LAMP_CONFIG), hub.counters.unknownProperty]).toEqual([others, 1]);
    await hub.arrive(lamp());
    expect(hub.publisher?.status()).toMatchObject({ devices: 1, elsewhere: [] });
    expect(broker.kept.get(LAMP_CONFIG)).not.toBe(others);
    expect(hub.kept("availability")).toBe("online");
  });
});

describe("a connection", () => {
  test("that is lost comes again after growing waits, and everything is published again", async () => {
    await using hub = await PublishingHub.make();
    hub.broker.cut("the network is gone");
    await hub.pass(5000);
    expect(hub.publisher?.status()).toMatchObject({ publishes: "connecting", publishFailure: "the network is gone" });
    await hub.report("Switch.on", true);
    hub.broker.mend();
    hub.published();
    await hub.pass(65_000);
    expect(hub.publisher?.status()).toMatchObject({ publishes: "connected", publishFailure: undefined });
    expect(hub.kept("Switch/0/on")).toBe("true");
    expect(hub.published().map(([topic]) => topic)).toContain(LAMP_CONFIG);
  });

  test("on which Home Assistant starts gets everything again, once, and not for what the broker had kept", async () => {
    const broker = new MemoryBroker();
    broker.say("homeassistant/status", "online", true);
    await using hub = await PublishingHub.make(broker);
    await hub.pass(5000);
    const tellings = () => hub.published().filter(([topic]) => topic === LAMP_CONFIG).length;
    expect(tellings()).toBe(1);
    for (let n = 0; n < 5; n += 1) broker.say("homeassistant/status", "online");
    broker.say("homeassistant/status", "offline");
    await hub.pass(5000);
    expect(tellings()).toBe(1);
  });
});
