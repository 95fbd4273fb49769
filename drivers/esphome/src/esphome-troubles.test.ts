/** What keeps the hub from a device: each trouble is provoked, named to people, and not tried in a storm. */
import { SetupFailed, type SetupFind, type SetupQuestion, type SetupTalk } from "@porchlight/driver-kit";
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import { Secret } from "@porchlight/shared/settings";
import { MessageType } from "esphome-client";
import { describe, expect, test } from "vitest";
import { BULB, PLUG, SOIL } from "./devices.fixture.ts";
import { EspHomeHome } from "./esphome-home.fixture.ts";
import { KEY } from "./esphome-world.fixture.ts";
import { fakeEntity, listing } from "./fake-entity.fixture.ts";
import { FakeEspHome } from "./fake-esphome.fixture.ts";

const HOST = "192.0.2.1";
const HOUR_MS = 3_600_000;
const OTHER_KEY = Buffer.alloc(32, 7).toString("base64");
const listed = (key?: string) => ({
  devices: [{ endpoint: { host: HOST, port: 6053 }, key: key === undefined ? undefined : new Secret(key) }],
  services: undefined,
});

interface Row {
  readonly trouble: string;
  readonly provoke: (home: EspHomeHome) => unknown;
  readonly key?: string;
  readonly says: string;
  /** Tries in an hour at most. */
  readonly tries: number;
}

/** Each with a connection for its name, where its key is missing. */
const SELDOM = 30;
const ROWS: readonly Row[] = [
  {
    trouble: "not_reached",
    provoke: (home) => home.network.cut(),
    says: "It is not reached (connect EHOSTUNREACH).",
    tries: 150,
  },
  {
    trouble: "not_reached",
    provoke: (home) => {
      home.add(HOST, PLUG).isSilent = true;
    },
    says: "It is not reached. It does not answer.",
    tries: 150,
  },
  {
    trouble: "needs_key",
    provoke: (home) => home.add(HOST, PLUG, { key: KEY }),
    says: "It needs its encryption key.",
    tries: SELDOM,
  },
  {
    trouble: "wrong_key",
    provoke: (home) => home.add(HOST, PLUG, { key: KEY }),
    key: OTHER_KEY,
    says: "Its encryption key is not the one that the hub has.",
    tries: SELDOM,
  },
  {
    trouble: "not_encrypted",
    provoke: (home) => home.add(HOST, PLUG),
    key: KEY,
    says: "It does not encrypt, and the hub has a key for it.",
    tries: SELDOM,
  },
  {
    trouble: "too_many_connections",
    provoke: (home) => {
      home.add(HOST, PLUG, { key: KEY }).mostConnections = 0;
    },
    key: KEY,
    says: "It closes the connection before it sends anything.",
    tries: 150,
  },
  {
    trouble: "api_version",
    provoke: (home) => home.add(HOST, PLUG, { api: [2, 0] }),
    says: "It uses version 2.0 of the API, and the hub supports version 1.",
    tries: SELDOM,
  },
  {
    trouble: "needs_password",
    provoke: (home) => {
      home.add(HOST, PLUG, { api: [1, 9] }).password = "under the mat";
    },
    says: "It requires a password, which the hub does not support.",
    tries: SELDOM,
  },
  {
    trouble: "no_mac",
    provoke: (home) => home.add(HOST, PLUG, { mac: "" }),
    says: "It does not report its MAC address.",
    tries: SELDOM,
  },
];

describe("a device that is not had", () => {
  test.for(ROWS)(
    "because of $trouble is named to people, and tried seldom: $says",
    async ({ trouble, provoke, key, says, tries }) => {
      await using home = new EspHomeHome();
      provoke(home);
      await home.start(listed(key));
      await home.pass(10_000);
      expect(home.driver.problem()).toContain(HOST);
      expect(home.driver.problem()).toContain(says);
      const cure = expect.stringMatching(/\.$/);
      expect(home.driver.status().troubles).toMatchObject([
        { why: trouble, says: expect.stringContaining(says), cure },
      ]);
      const before = home.network.tries;
      await home.pass(HOUR_MS);
      expect(home.network.tries - before).toBeLessThanOrEqual(tries);
      expect(home.logged.filter((line) => line.startsWith("an ESPHome device cannot be used"))).toHaveLength(1);
    },
  );

  test("because something else answers there is named, with any answer", async () => {
    for (const words of ["HTTP/1.1 400 Bad Request\r\n\r\n", "\0\xff\xff\xff\xff\xff\xff"]) {
      await using home = new EspHomeHome();
      const open = async () => {
        const [ours, theirs] = memoryLinkPair();
        theirs.listen(
          () => void theirs.write(Buffer.from(words, "latin1")).catch(() => undefined),
          () => undefined,
        );
        return ours;
      };
      await home.start({ ...listed(), open });
      expect(home.driver.status().troubles).toMatchObject([{ why: "no_esphome" }]);
    }
  });

  test("is had when its trouble is over, and is reported no more", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    plug.mostConnections = 0;
    await home.start(listed());
    expect(home.driver.has(plug.edgeId)).toBe(false);
    plug.mostConnections = 4;
    await home.pass(60_000);
    expect([home.driver.has(plug.edgeId), home.driver.problem()]).toEqual([true, undefined]);
  });
});

describe("a device that means harm", () => {
  test("lists entities without end, and again while it is connected: no more than 512 are taken", async () => {
    await using home = new EspHomeHome();
    const many = Array.from({ length: 2000 }, (_, at) => fakeEntity("switch", `Relay ${at}`, { state: false }));
    const device = home.add(HOST, many);
    await home.start();
    const [first = many[0]] = many;
    for (let at = 0; at < 1000; at++) device.tell(listing(first ?? fakeEntity("switch", "x"), true));
    await home.pass(1000);
    expect(home.driver.has(device.edgeId)).toBe(true);
    expect(home.driver.status()).toMatchObject({
      devices: { entities: { leftAside: { tooMany: 512 - 64 } } },
      ignored: { tooManyEntities: 2000 - 512, notUnderstood: 1000 },
    });
  });

  test("asks the hub without end: it is answered some times, and the rest is counted", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    await home.start();
    let answers = 0;
    plug.take = () => {
      answers += 1;
    };
    for (let at = 0; at < 5000; at++) plug.tell({ type: MessageType.PING_REQUEST, body: Buffer.alloc(0) });
    await home.pass(1000);
    expect(answers).toBeLessThan(30);
    expect(home.driver.status().ignored).toEqual({ tooFast: 5000 - answers });
    expect(home.driver.has(plug.edgeId)).toBe(true);
  });

  test("cannot take the place of a device that encrypts: it has no key", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG, { key: KEY });
    await home.start({ devices: [{ endpoint: { host: HOST, port: 6053 }, key: new Secret(KEY) }] });
    home.network.remove(HOST);
    const other = home.network.add(HOST, new FakeEspHome(PLUG, home.clock), false);
    await home.pass(600_000);
    expect([home.driver.has(plug.edgeId), other.touched]).toEqual([false, 0]);
    expect(home.driver.problem()).toContain("does not encrypt");
  });
});

describe("a network on which nothing is announced", () => {
  const blocked = { why: "nothing_announced", says: "Multicast may be blocked.", cure: "Allow it." } as const;

  test("is named to people while the hub has no device to reach", async () => {
    await using home = new EspHomeHome();
    home.network.blocked = blocked;
    await home.start();
    expect([home.driver.problem(), home.driver.status().troubles]).toEqual([blocked.says, [blocked]]);
  });

  test("is no trouble for devices that the settings name", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    home.network.conceal(plug);
    home.network.blocked = blocked;
    await home.start({ devices: listed().devices });
    expect([home.driver.has(plug.edgeId), home.driver.problem()]).toEqual([true, undefined]);
  });
});

describe("a device for which the hub has a key", () => {
  test("is sent nothing in plain text, also when something at its address speaks so", async () => {
    await using home = new EspHomeHome();
    const sent: Buffer[] = [];
    const open = async () => {
      const [ours, theirs] = memoryLinkPair();
      theirs.listen(
        (bytes) => {
          sent.push(Buffer.from(bytes));
          void theirs.write(Buffer.from("\0Bad indicator byte")).catch(() => undefined);
        },
        () => undefined,
      );
      return ours;
    };
    await home.start({ ...listed(KEY), open });
    await home.pass(HOUR_MS);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.filter((bytes) => bytes[0] !== 1)).toEqual([]);
    expect(home.driver.problem()).toContain("does not encrypt");
  });
});

describe("another device than the one that should be there", () => {
  test("is not used where the announcement names another MAC address, and listed for admission", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG);
    home.network.announce(HOST, plug, { mac: "aabbcc0000ff" });
    await home.start();
    expect(home.driver.problem()).toBe(
      "kitchen: A different device answers there (AA-BB-CC-00-00-01) than AA-BB-CC-00-00-FF.",
    );
    expect(home.driver.found()).toMatchObject([{ edgeId: plug.edgeId, admission: "awaiting_admission" }]);
  });

  test("is not used at an address of the settings, also after a restart, until a person admits it", async () => {
    await using home = new EspHomeHome();
    const first = home.add(HOST, PLUG);
    await home.start(listed());
    expect(home.driver.has(first.edgeId)).toBe(true);
    home.network.remove(HOST);
    const second = home.network.add(HOST, new FakeEspHome(BULB, home.clock, { mac: "AABBCC0000EE" }), false);
    await home.again(listed());
    expect(home.driver.problem()).toContain(
      "A different device answers there (AA-BB-CC-00-00-EE) than AA-BB-CC-00-00-01.",
    );
    expect([home.driver.has(second.edgeId), second.touched]).toEqual([false, 0]);
    await home.again({ ...listed(), admit: { all: false, edgeIds: new Set([second.edgeId]) } });
    expect([home.driver.has(second.edgeId), home.driver.problem()]).toEqual([true, undefined]);
  });
});

describe("a device that sleeps", () => {
  const awake = (home: EspHomeHome) =>
    home.network.add(HOST, new FakeEspHome(SOIL, home.clock, { hasDeepSleep: true }), false);

  test("is offline while it sleeps, which is no trouble, and is read within seconds when it wakes", async () => {
    await using home = new EspHomeHome();
    const soil = awake(home);
    await home.start(listed());
    expect(home.driver.has(soil.edgeId)).toBe(true);
    home.network.remove(HOST);
    await home.pass(600_000);
    expect([home.driver.has(soil.edgeId), home.driver.problem(), home.driver.status().troubles]).toEqual([
      false,
      undefined,
      [],
    ]);
    expect(home.driver.status().devices).toMatchObject({ known: 1, live: 0, asleep: 1 });
    awake(home);
    await home.pass(6000);
    expect(home.driver.has(soil.edgeId)).toBe(true);
  });

  test("is known to sleep after a restart too", async () => {
    await using home = new EspHomeHome();
    awake(home);
    await home.start(listed());
    home.network.remove(HOST);
    await home.again(listed());
    await home.pass(60_000);
    expect([home.driver.problem(), home.driver.status().devices.asleep]).toEqual([undefined, 1]);
  });
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

describe("a key that a person gives", () => {
  test("is tried at once, kept, and used after a restart; it stands in no log and no status", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG, { key: KEY, friendlyName: "Plug" });
    await home.start();
    expect([plug.connections.size, home.network.tries], "what is announced says that it needs one").toEqual([0, 0]);
    expect(home.driver.setups()).toEqual([
      { kind: "esphome-key", title: "Enter the encryption key of an ESPHome device" },
    ]);
    const lacking = { name: "Plug", edgeId: plug.edgeId, address: "kitchen", missing: "Enter its encryption key." };
    expect(home.driver.unpaired()).toEqual([{ ...lacking, setup: "esphome-key" }]);
    const { talk, asked, found } = person(`  key: "${KEY}"  `);
    await home.clock.until(home.driver.setup("esphome-key", talk), 60_000);
    expect(asked).toMatchObject([{ ask: "password" }]);
    expect(found).toEqual([{ edgeId: plug.edgeId, name: `Plug (${plug.edgeId})` }]);
    expect([home.driver.has(plug.edgeId), home.driver.setups(), home.driver.unpaired()]).toEqual([true, [], []]);
    const seen = [...home.logged, JSON.stringify(home.driver.status())];
    expect(seen.filter((text) => text.includes(KEY))).toEqual([]);
    await home.again();
    expect(home.driver.has(plug.edgeId)).toBe(true);
  });

  test("that is wrong, or none, is reported to be, and is not kept", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG, { key: KEY });
    await home.start();
    const setup = (answer: string) => home.clock.until(home.driver.setup("esphome-key", person(answer).talk), 60_000);
    await expect(setup(OTHER_KEY)).rejects.toEqual(new SetupFailed("The key is wrong."));
    await expect(setup("under the mat")).rejects.toThrow("That is not a key");
    const keys = [...home.entries.keys()].filter((each) => each.startsWith("key "));
    expect([keys, home.driver.has(plug.edgeId)]).toEqual([[], false]);
    expect(home.driver.setups()).toHaveLength(1);
  });

  test("is asked for a device that the settings name: it sends its name without a key", async () => {
    await using home = new EspHomeHome();
    const plug = home.add(HOST, PLUG, { key: KEY });
    await home.start(listed());
    const { talk, asked } = person(KEY);
    await home.clock.until(home.driver.setup("esphome-key", talk), 60_000);
    expect(asked[0]?.text).toContain(`kitchen (${plug.edgeId})`);
    expect(home.driver.has(plug.edgeId)).toBe(true);
    await home.again(listed());
    expect(home.driver.has(plug.edgeId), "after a restart").toBe(true);
  });

  test("is asked for the device that the person chooses", async () => {
    await using home = new EspHomeHome();
    home.add(HOST, PLUG, { key: KEY });
    const bulb = home.add("192.0.2.2", BULB, { key: OTHER_KEY, name: "bulb", mac: "AABBCC000002" });
    await home.start();
    const { talk, asked, found } = person(`bulb (${bulb.edgeId})`, OTHER_KEY);
    await home.clock.until(home.driver.setup("esphome-key", talk), 60_000);
    expect(asked).toMatchObject([{ ask: "choice" }, { ask: "password" }]);
    expect(found).toMatchObject([{ edgeId: bulb.edgeId }]);
  });

  test("is not asked for where the settings have one: it is corrected there", async () => {
    await using home = new EspHomeHome();
    home.add(HOST, PLUG, { key: KEY });
    await home.start(listed(OTHER_KEY));
    expect(home.driver.setups()).toEqual([]);
    expect(home.driver.unpaired()).toEqual([
      expect.objectContaining({ missing: expect.stringContaining("Correct `key` under `drivers.esphome.devices`") }),
    ]);
    expect(home.driver.unpaired()[0]).not.toHaveProperty("setup");
    await expect(home.driver.setup("esphome-key", person().talk)).rejects.toThrow("No ESPHome device needs a key");
  });
});
