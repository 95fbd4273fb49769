/** What keeps the hub from a device: each trouble is provoked, named to people, and not tried in a storm. */
import { SetupFailed, type SetupFind, type SetupQuestion, type SetupTalk } from "@porchlight/driver-kit";
import { Secret } from "@porchlight/shared/settings";
import { describe, expect, test } from "vitest";
import { RELAYS, WHITE_LAMP } from "./captured.fixture.ts";
import { ShellyHome } from "./shelly-home.fixture.ts";

const HOST = "192.0.2.1";
const HOUR_MS = 3_600_000;
const listed = (password?: string) => ({
  devices: [
    { endpoint: { host: HOST, port: 80 }, password: password === undefined ? undefined : new Secret(password) },
  ],
  services: undefined,
});
const FIRST = { type: "SHSW-25", mac: "AABBCC0000FF", auth: false, fw: "20230913-1.14.0" };

interface Row {
  readonly trouble: string;
  readonly provoke: (home: ShellyHome) => void;
  readonly password?: string;
  readonly says: string;
  /** Tries in an hour at most. */
  readonly tries: number;
}

const SELDOM = 15;
const ROWS: readonly Row[] = [
  {
    trouble: "not_reached",
    provoke: (home) => home.network.cut(),
    says: "It cannot be reached (connect EHOSTUNREACH).",
    tries: 150,
  },
  {
    trouble: "wrong_password",
    provoke: (home) => home.add(HOST, RELAYS, { password: "right" }),
    password: "wrong",
    says: "Its password is not the one that the hub knows.",
    tries: 2 * SELDOM,
  },
  {
    trouble: "needs_password",
    provoke: (home) => home.add(HOST, RELAYS, { password: "right" }),
    says: "It needs its password.",
    tries: SELDOM,
  },
  {
    trouble: "gen1",
    provoke: (home) => home.network.introductions.set(HOST, FIRST),
    says: "It is a first-generation device, which the hub supports by MQTT only.",
    tries: SELDOM,
  },
  {
    trouble: "firmware_too_old",
    provoke: (home) => home.network.introductions.set(HOST, { ...RELAYS.info, ver: "0.14.1" }),
    says: "Its firmware 0.14.1 is too old: 1.0.0 or later is needed.",
    tries: SELDOM,
  },
  {
    trouble: "too_many_connections",
    provoke: (home) => {
      home.network.mostChannels = 0;
    },
    says: "The device has no connection left.",
    tries: 300,
  },
  {
    trouble: "no_shelly",
    provoke: (home) => home.network.introductions.set(HOST, { vendor: "another" }),
    says: "The device at this address is not a Shelly device.",
    tries: SELDOM,
  },
];

describe("a device that is not had", () => {
  test.for(ROWS)(
    "because of $trouble is named to people, and tried seldom",
    async ({ trouble, provoke, password, says, tries }) => {
      await using home = new ShellyHome();
      home.add(HOST, RELAYS);
      provoke(home);
      await home.start(listed(password));
      expect(home.driver.problem()).toContain(`${HOST}`);
      expect(home.driver.problem()).toContain(says);
      const cure = expect.stringMatching(/\.$/);
      expect(home.driver.status().troubles).toMatchObject([
        { why: trouble, says: expect.stringContaining(says), cure },
      ]);
      const before = home.network.tries;
      await home.pass(HOUR_MS);
      expect(home.network.tries - before).toBeLessThanOrEqual(tries);
      expect(home.logged.filter((line) => line.startsWith("a Shelly device cannot be used"))).toHaveLength(1);
    },
  );

  test("is had when its trouble is over, and is reported no more", async () => {
    await using home = new ShellyHome();
    const relays = home.add(HOST, RELAYS);
    home.network.mostChannels = 0;
    await home.start(listed());
    home.network.mostChannels = 6;
    await home.pass(60_000);
    expect([home.driver.has(relays.edgeId), home.driver.problem()]).toEqual([true, undefined]);
  });

  test("loses its channel, and is not asked on, when its password is changed while it is connected", async () => {
    await using home = new ShellyHome();
    const relays = home.add(HOST, RELAYS, { password: "right" });
    await home.start(listed("right"));
    expect(home.driver.has(relays.edgeId)).toBe(true);
    relays.password = "another";
    expect(await home.write(relays, "Switch:0.on", true)).toMatchObject({ outcome: "rejected", code: 401 });
    await home.pass(1000);
    expect([home.driver.has(relays.edgeId), relays.touched]).toEqual([false, 0]);
    expect(home.driver.problem()).toContain("password");
  });
});

test("a network on which nothing is announced is named to people while the hub has no device to reach", async () => {
  const blocked = { why: "nothing_announced", says: "Multicast may be blocked.", cure: "Allow it." } as const;
  await using home = new ShellyHome();
  const { network } = home;
  const services = {
    current: () => network.current(),
    subscribe: (listener: () => void) => network.subscribe(listener),
    trouble: () => blocked,
  };
  await home.start({ services });
  expect([home.driver.problem(), home.driver.status().troubles]).toEqual([blocked.says, [blocked]]);
  home.add(HOST, RELAYS);
  await home.pass(1000);
  expect([home.driver.problem(), home.driver.status().troubles]).toEqual([undefined, []]);
});

/** A person who answers what is asked, in order. */
function person(...answers: string[]) {
  const asked: SetupQuestion[] = [];
  const found: SetupFind[] = [];
  const talk: SetupTalk = {
    signal: new AbortController().signal,
    tell: () => undefined,
    ask: async (question) => {
      asked.push(question);
      return answers.shift() ?? "";
    },
    found: (find) => void found.push(find),
  };
  return { talk, asked, found };
}

describe("a password that a person gives", () => {
  test("is tried at once, kept, and used after a restart; it stands in no log and no status", async () => {
    await using home = new ShellyHome();
    const relays = home.add(HOST, RELAYS, { password: "under the mat" });
    await home.start();
    expect(home.driver.setups()).toEqual([{ kind: "shelly-password", title: "Enter the password of a Shelly device" }]);
    const lacking = { name: "S2PMG3", edgeId: relays.edgeId, missing: "Enter its password.", setup: "shelly-password" };
    expect(home.driver.unpaired()).toMatchObject([lacking]);
    const { talk, asked, found } = person("under the mat");
    await home.clock.until(home.driver.setup("shelly-password", talk), 60_000);
    expect(asked).toMatchObject([{ ask: "password" }]);
    expect(found).toEqual([{ edgeId: relays.edgeId, name: `S2PMG3 (${relays.edgeId})` }]);
    expect([home.driver.has(relays.edgeId), home.driver.setups(), home.driver.unpaired()]).toEqual([true, [], []]);
    const seen = [...home.logged, JSON.stringify(home.driver.status())];
    expect(seen.filter((text) => text.includes("mat"))).toEqual([]);
    await home[Symbol.asyncDispose]();
    await home.start();
    expect(home.driver.has(relays.edgeId)).toBe(true);
  });

  test("that is wrong is reported to be, and is not kept", async () => {
    await using home = new ShellyHome();
    const relays = home.add(HOST, RELAYS, { password: "under the mat" });
    await home.start();
    const given = home.driver.setup("shelly-password", person("other").talk);
    await expect(home.clock.until(given, 60_000)).rejects.toEqual(new SetupFailed("The password is wrong."));
    expect([home.entries.size, home.driver.has(relays.edgeId)]).toEqual([0, false]);
    expect(home.driver.setups()).toHaveLength(1);
  });

  test("is asked for the device that the person chooses", async () => {
    await using home = new ShellyHome();
    home.add(HOST, RELAYS, { password: "one" });
    const lamp = home.add("192.0.2.2", WHITE_LAMP, { password: "two" });
    await home.start();
    const { talk, asked, found } = person(`DuoBulbG3 (${lamp.edgeId})`, "two");
    await home.clock.until(home.driver.setup("shelly-password", talk), 60_000);
    expect(asked).toMatchObject([{ ask: "choice" }, { ask: "password" }]);
    expect(found).toMatchObject([{ edgeId: lamp.edgeId }]);
  });

  test("is not asked for where the settings have one: it is corrected there", async () => {
    await using home = new ShellyHome();
    home.add(HOST, RELAYS, { password: "right" });
    await home.start(listed("wrong"));
    expect(home.driver.setups()).toEqual([]);
    expect(home.driver.unpaired()).toEqual([
      expect.objectContaining({ missing: expect.stringContaining("Correct it under `drivers.shelly.devices`") }),
    ]);
    expect(home.driver.unpaired()[0]).not.toHaveProperty("setup");
    const asked = home.driver.setup("shelly-password", person().talk);
    await expect(asked).rejects.toThrow("No Shelly device needs a password");
  });
});
