/** What keeps the hub from the devices of a bridge: each trouble is provoked, named to people with what to do, and over when it is over. */
import { SetupFailed } from "@porchlight/driver-kit";
import { describe, expect, it } from "vitest";
import { BRIDGE_ID } from "./bridge-capture.fixture.ts";
import { HueHome, type PlacedBridge } from "./hue-home.fixture.ts";

const HOST = "192.0.2.20";
const ELSEWHERE = "192.0.2.30";
const OTHER_ID = "001788FFFE000001";
const CEILING = "00-17-88-01-06-AA-BB-58";
const LISTED = { bridges: [{ host: HOST, port: 443 }] };
const HOUR_MS = 3_600_000;

/** A hub that is paired with a bridge that the settings name, and that announces itself. */
async function pairedHome() {
  const home = new HueHome();
  const bridge = home.add(HOST);
  bridge.isPressed = true;
  home.announce({ [HOST]: BRIDGE_ID });
  await home.start(LISTED);
  await home.pair();
  expect(home.driver.has(CEILING)).toBe(true);
  expect([home.driver.status().troubles, home.driver.problem(), home.driver.unpaired()]).toEqual([[], undefined, []]);
  bridge.isPressed = false;
  return { home, bridge };
}

interface Row {
  readonly why: string;
  readonly provoke: (bridge: PlacedBridge, home: HueHome) => void;
  readonly says: string;
  readonly cure: string;
  readonly mend: (bridge: PlacedBridge, home: HueHome) => void;
}

const ROWS: readonly Row[] = [
  {
    why: "key_refused",
    provoke: (bridge) => bridge.keys.clear(),
    says: "The bridge no longer accepts the key of this hub.",
    cure: "devices pair hue-bridge",
    mend: (bridge) => bridge.keys.add(`key 0 of ${BRIDGE_ID}`),
  },
  {
    why: "other_certificate",
    provoke: (bridge) => {
      bridge.certificate = "AA:BB";
    },
    says: "does not have the certificate of the bridge",
    cure: "find out which device has its address",
    mend: (bridge) => {
      bridge.certificate = undefined;
    },
  },
  {
    why: "other_bridge",
    provoke: (bridge) => {
      bridge.bridgeId = OTHER_ID;
    },
    says: `Another bridge answers at its address (${OTHER_ID}).`,
    cure: "hue-forget",
    mend: (bridge) => {
      bridge.bridgeId = BRIDGE_ID;
    },
  },
  {
    why: "busy",
    provoke: (bridge) => {
      bridge.refuses = 503;
    },
    says: "The bridge has too many connections or requests (status 503).",
    cure: "Close other apps",
    mend: (bridge) => {
      bridge.refuses = undefined;
    },
  },
  {
    why: "not_reached",
    provoke: (_bridge, home) => home.move(HOST, "nowhere"),
    says: "It is not reached (connect EHOSTUNREACH).",
    cure: "power",
    mend: (_bridge, home) => home.move("nowhere", HOST),
  },
  {
    why: "not_announced",
    provoke: (_bridge, home) => {
      home.move(HOST, "nowhere");
      home.announce({});
    },
    says: "It is not reached (connect EHOSTUNREACH), and does not announce itself on the network.",
    cure: "name that under `drivers.hue.bridges`",
    mend: (_bridge, home) => home.move("nowhere", HOST),
  },
];

describe("a paired bridge that is not had", () => {
  it.each(ROWS)("because of $why is named to people, tried seldom, and had when that is over", async (row) => {
    const { home, bridge } = await pairedHome();
    await using _ = home;
    row.provoke(bridge, home);
    bridge.memory.cut();
    bridge.memory.mend();
    await home.pass(130_000);
    expect(home.driver.has(CEILING)).toBe(false);
    expect(home.driver.status().troubles).toEqual([
      {
        ...{ edgeId: "00-17-88-FF-FE-AA-BB-CC", why: row.why },
        says: expect.stringContaining(row.says),
        cure: expect.stringContaining(row.cure),
      },
    ]);
    expect(home.driver.problem()).toContain(row.says);
    const before = home.logged.length;
    await home.pass(HOUR_MS);
    expect(home.logged.length - before, "tries in an hour").toBeLessThan(150);
    row.mend(bridge, home);
    await home.pass(90_000);
    expect([home.driver.has(CEILING), home.driver.status().troubles]).toEqual([true, []]);
  });

  it("is paired again where it was: with its button, and under the same devices", async () => {
    const { home, bridge } = await pairedHome();
    await using _ = home;
    bridge.keys.clear();
    bridge.memory.cut();
    bridge.memory.mend();
    await home.pass(130_000);
    expect(home.driver.unpaired()).toMatchObject([{ edgeId: "00-17-88-FF-FE-AA-BB-CC", setup: "hue-bridge" }]);
    bridge.isPressed = true;
    expect(await home.pair()).toEqual(["Press the button on the bridge “Hall”.", "found Hue bridge “Hall”"]);
    expect([home.driver.has(CEILING), home.driver.unpaired()]).toEqual([true, []]);
  });

  it("is not paired again with a certificate of its own, where its maker had signed the one before", async () => {
    const { home, bridge } = await pairedHome();
    await using _ = home;
    bridge.certificate = "66:66";
    bridge.isPressed = true;
    bridge.memory.cut();
    bridge.memory.mend();
    await home.pass(130_000);
    expect(home.driver.unpaired()).toHaveLength(1);
    await expect(home.pair()).rejects.toThrow("does not have the certificate of the bridge");
    expect(bridge.keys.size).toBe(1);
  });

  it("is forgotten when a person states that another one replaces it", async () => {
    const { home, bridge } = await pairedHome();
    await using _ = home;
    expect(home.driver.setups().map(({ kind }) => kind)).toEqual(["hue-bridge"]);
    bridge.bridgeId = OTHER_ID;
    bridge.isPressed = true;
    bridge.memory.cut();
    bridge.memory.mend();
    await home.pass(130_000);
    await home.pair();
    expect(home.driver.has(CEILING)).toBe(true);
    expect(home.driver.status().troubles).toMatchObject([{ why: "other_bridge" }]);
    await home.setup("hue-forget", [`${BRIDGE_ID} (${HOST})`]);
    expect([home.driver.has(CEILING), home.driver.status().troubles]).toEqual([true, []]);
    await expect(home.setup("hue-forget")).rejects.toThrow(SetupFailed);
  });

  it("is reported busy while it answers requests so, and not after", async () => {
    const { home, bridge } = await pairedHome();
    await using _ = home;
    bridge.memory.status = 503;
    await home.pass(31_000);
    expect(home.driver.status().troubles).toMatchObject([
      { why: "busy", says: expect.stringContaining("too many connections or requests (status 503)") },
    ]);
    expect(home.driver.has(CEILING)).toBe(true);
    bridge.memory.status = 200;
    await home.pass(31_000);
    expect(home.driver.status().troubles).toEqual([]);
  });
});

describe("a bridge that has another address", () => {
  it("is followed when it announces that, and found there after a restart", async () => {
    const { home } = await pairedHome();
    await using _ = home;
    home.move(HOST, ELSEWHERE);
    await home.pass(60_000);
    expect(home.driver.has(CEILING)).toBe(false);
    home.announce({ [ELSEWHERE]: BRIDGE_ID });
    await home.pass(10_000);
    expect([home.driver.has(CEILING), home.driver.problem()]).toEqual([true, undefined]);
    await home.stop();
    home.announce({});
    await home.start(LISTED);
    expect([home.driver.has(CEILING), home.driver.problem()]).toEqual([true, undefined]);
  });

  it("is found where the settings name it, when it does not announce itself", async () => {
    const { home } = await pairedHome();
    await using _ = home;
    home.announce({});
    home.move(HOST, ELSEWHERE);
    await home.pass(60_000);
    await home.stop();
    await home.start({ bridges: [{ host: ELSEWHERE, port: 443 }] });
    await home.pass(60_000);
    expect([home.driver.has(CEILING), home.driver.problem()]).toEqual([true, undefined]);
  });

  it("is found though another device announces itself in its name, and its connection is left alone", async () => {
    const { home } = await pairedHome();
    await using _ = home;
    const false_ = home.add("192.0.2.66");
    false_.certificate = "66:66";
    home.announce({ "192.0.2.66": BRIDGE_ID, [HOST]: BRIDGE_ID });
    const { tries } = home.bridges.get(HOST)?.memory ?? {};
    await home.pass(HOUR_MS);
    expect(home.bridges.get(HOST)?.memory.tries).toBe(tries);
    home.move(HOST, ELSEWHERE);
    home.announce({ "192.0.2.66": BRIDGE_ID, [ELSEWHERE]: BRIDGE_ID });
    await home.pass(60_000);
    expect([home.driver.has(CEILING), home.driver.problem()]).toEqual([true, undefined]);
    expect(false_.memory.tries).toBe(0);
  });
});

describe("a bridge that is not paired", () => {
  it("is listed with what is missing when it announces itself, and is a trouble of a hub that has none", async () => {
    await using home = new HueHome();
    const bridge = home.add(HOST);
    home.announce({ [HOST]: BRIDGE_ID });
    await home.start();
    expect(home.driver.unpaired()).toEqual([
      {
        ...{ name: "Hue bridge “Hall”", edgeId: "00-17-88-FF-FE-AA-BB-CC", address: HOST, setup: "hue-bridge" },
        missing: "Start pairing, then press the button on the bridge.",
      },
    ]);
    expect(home.driver.status().troubles).toMatchObject([
      { why: "not_paired", says: `${HOST} (Hue bridge “Hall”): It is not paired.` },
    ]);
    await home.pass(HOUR_MS);
    expect(bridge.asked, "times in an hour").toBeLessThan(10);
    home.announce({});
    expect([home.driver.unpaired(), home.driver.problem()]).toEqual([[], undefined]);
  });

  it("is only listed where the hub has another, unless the settings name it", async () => {
    const { home } = await pairedHome();
    await using _ = home;
    home.add(ELSEWHERE).bridgeId = OTHER_ID;
    home.announce({ [HOST]: BRIDGE_ID, [ELSEWHERE]: OTHER_ID });
    await home.pass(5000);
    expect(home.driver.unpaired()).toMatchObject([{ address: ELSEWHERE }]);
    expect(home.driver.problem()).toBeUndefined();
    await home.stop();
    await home.start({ bridges: [{ host: ELSEWHERE, port: 443 }] });
    expect(home.driver.unpaired()).toHaveLength(1);
    expect(home.driver.status().troubles).toMatchObject([{ why: "not_paired" }]);
  });

  it("with software that is too old is listed as that, and cannot be paired", async () => {
    await using home = new HueHome();
    home.add(HOST).software = 1_940_000_000;
    await home.start(LISTED);
    const [device] = home.driver.unpaired();
    expect(device?.missing).toContain("Its software 1940000000 is too old. Update the bridge in the Hue app");
    expect(device).not.toHaveProperty("setup");
    expect(home.driver.status().troubles).toMatchObject([{ why: "software_too_old" }]);
    await expect(home.pair()).rejects.toThrow("too old");
  });

  it.each<[why: string, prepare: (home: HueHome) => void, says: string]>([
    ["not_reached", () => undefined, `${HOST}: It is not reached (connect EHOSTUNREACH).`],
    [
      "no_bridge",
      (home) => {
        home.add(HOST).isOther = true;
      },
      `${HOST}: What answers there is no Hue bridge.`,
    ],
  ])("where the settings name an address without one is %s", async (why, prepare, says) => {
    await using home = new HueHome();
    prepare(home);
    await home.start(LISTED);
    expect(home.driver.status().troubles).toMatchObject([{ why, says, cure: expect.stringMatching(/\.$/) }]);
    expect(home.driver.unpaired()).toEqual([]);
  });

  it("is asked in no storm by announcements of anybody", async () => {
    await using home = new HueHome();
    await home.start();
    const bridge = home.add(HOST);
    for (let round = 0; round < 200; round++) {
      home.announce(
        Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`198.51.100.${(at + 50 * round) % 250}`, OTHER_ID])),
      );
      await home.pass(100);
    }
    home.announce({ [HOST]: BRIDGE_ID });
    await home.pass(5000);
    expect([bridge.asked, home.asked < 500]).toEqual([1, true]);
    expect(home.driver.unpaired()).toHaveLength(1);
  });
});

it("a network on which nothing is announced is named to people while the hub knows of no bridge", async () => {
  const blocked = { why: "nothing_announced", says: "Multicast may be blocked.", cure: "Allow it." } as const;
  const home = new HueHome();
  const services = {
    current: () => home.current(),
    subscribe: (listener: () => void) => home.subscribe(listener),
    trouble: () => blocked,
  };
  await home.start({ services });
  expect([home.driver.problem(), home.driver.status().troubles]).toEqual([blocked.says, [blocked]]);
  home.add(HOST);
  home.announce({ [HOST]: BRIDGE_ID });
  await home.pass(10_000);
  expect(home.driver.status().troubles).toMatchObject([{ why: "not_paired" }]);
  await home.stop();
});
