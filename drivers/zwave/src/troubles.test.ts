/** What keeps the hub from the network or a device: each trouble is provoked, named to people, and not tried in a storm. */
import { describe, expect, test } from "vitest";
import { capturedNode, valueJson } from "./captured-nodes.fixture.ts";
import { NoZwaveServer, ServerNotReached } from "./server/ws-socket.ts";
import { ZwaveHome, zwaveEdgeId } from "./zwave-home.fixture.ts";
import { plug } from "./zwave-world.fixture.ts";

const HOUR_MS = 3_600_000;
const LOCK = "idl_101_lock";

interface Row {
  readonly trouble: string;
  readonly provoke: (home: ZwaveHome) => void;
  readonly says: string;
}

/** The whole network is not had. */
const NETWORK: readonly Row[] = [
  {
    trouble: "server_not_reached",
    provoke: ({ way }) => {
      way.failure = new ServerNotReached("connect ECONNREFUSED");
    },
    says: "The Z-Wave server is not reached (connect ECONNREFUSED).",
  },
  {
    trouble: "no_zwave_server",
    provoke: ({ way }) => {
      way.failure = new NoZwaveServer("Unexpected server response: 200");
    },
    says: "What answers there is not a Z-Wave server (Unexpected server response: 200).",
  },
  {
    trouble: "schema_too_old",
    provoke: ({ zwave }) => {
      zwave.versions = { ...zwave.versions, maxSchemaVersion: 31 };
    },
    says: "The Z-Wave server is too old: it knows schema 31, and 32 is needed.",
  },
  {
    trouble: "schema_too_new",
    provoke: ({ zwave }) => {
      zwave.versions = { ...zwave.versions, minSchemaVersion: 51, maxSchemaVersion: 60 };
    },
    says: "The Z-Wave server is too new: it wants schema 51, and the agent knows 50.",
  },
  {
    trouble: "no_controller",
    provoke: ({ zwave }) => {
      zwave.homeId = undefined;
    },
    says: "The Z-Wave server has no Z-Wave stick.",
  },
];

/** One node is not had, or not as it should be. */
const NODES: readonly Row[] = [
  {
    trouble: "controller_unresponsive",
    provoke: ({ zwave }) => zwave.event({ source: "controller", event: "status changed", status: 1 }),
    says: "The Z-Wave stick does not respond",
  },
  {
    trouble: "node_dead",
    provoke: ({ zwave }) => zwave.state(2, { status: 3 }, "dead"),
    says: "Node 2 (Plug 2) does not answer: it is dead.",
  },
  {
    trouble: "interview_not_complete",
    provoke: ({ zwave }) => zwave.state(2, { ready: false }, "interview started"),
    says: "Node 2 (Plug 2) is not interviewed yet.",
  },
  {
    trouble: "lock_not_secure",
    provoke: ({ zwave }) => {
      const node = { ...capturedNode(LOCK, 7), highestSecurityClass: -1 };
      zwave.add(node);
      zwave.event({ source: "controller", event: "node added", node });
    },
    says: "Node 7 (Z-Wave Lock) is a lock that was included without encryption.",
  },
];

async function named({ driver }: ZwaveHome, { trouble, says }: Row): Promise<void> {
  expect(driver.problem()).toContain(says);
  const cure = expect.stringMatching(/\.$/);
  expect(driver.status().troubles).toMatchObject([{ why: trouble, says: expect.stringContaining(says), cure }]);
}

describe("a network that is not had", () => {
  test.for(NETWORK)("because of $trouble is named to people, and tried seldom", async (row) => {
    await using home = new ZwaveHome();
    home.zwave.add(plug(2));
    row.provoke(home);
    await home.start();
    await named(home, row);
    expect(home.host.arrivals).toEqual([]);
    const before = home.way.tries;
    await home.pass(HOUR_MS);
    expect(home.way.tries - before).toBeLessThanOrEqual(150);
    expect(home.logged.filter((line) => line.startsWith("the Z-Wave network is not reached"))).toHaveLength(1);
  });

  test("because the server is silent is available as soon as it speaks", async () => {
    await using home = new ZwaveHome();
    home.zwave.add(plug(2));
    home.zwave.hangs = true;
    await home.start();
    await home.pass(60_000);
    expect(home.driver.problem()).toContain("The Z-Wave server has not answered in time");
    home.zwave.hangs = false;
    await home.pass(120_000);
    expect([home.driver.has(zwaveEdgeId(2)), home.driver.problem()]).toEqual([true, undefined]);
  });

  test("because the server has lost its power is offline within half a minute", async () => {
    await using home = new ZwaveHome();
    home.zwave.add(plug(2));
    await home.start();
    home.zwave.hangs = true;
    await home.pass(31_000);
    expect(home.driver.has(zwaveEdgeId(2))).toBe(false);
    expect(home.driver.problem()).toContain("does not answer any more");
  });
});

describe("a node", () => {
  test.for(NODES)("with $trouble is named to people, while it lasts", async (row) => {
    await using home = new ZwaveHome();
    home.zwave.add(plug(2));
    await home.start();
    expect(home.driver.problem()).toBeUndefined();
    row.provoke(home);
    await home.pass(1000);
    await named(home, row);
    expect(home.driver.has(zwaveEdgeId(2))).toBe(row.trouble === "lock_not_secure");
  });

  test("that is dead is offline, and online when it lives", async () => {
    await using home = new ZwaveHome();
    home.zwave.add(plug(2));
    home.zwave.add(plug(3));
    await home.start();
    home.zwave.state(2, { status: 3 }, "dead");
    expect(home.driver.has(zwaveEdgeId(2))).toBe(false);
    expect(home.driver.has(zwaveEdgeId(3))).toBe(true);
    home.zwave.state(2, { status: 4 }, "alive");
    expect([home.driver.has(zwaveEdgeId(2)), home.driver.problem()]).toEqual([true, undefined]);
  });

  test("that sleeps is offline when it has missed two of its times to wake", async () => {
    await using home = new ZwaveHome();
    const values = [valueJson([132, 0, "wakeUpInterval", null, "number", "w", {}, 3600])];
    const node = plug(2);
    home.zwave.add({ ...node, status: 1, isListening: false, values: [...node.values, ...values] });
    await home.start();
    await home.pass(2 * HOUR_MS);
    expect(home.driver.has(zwaveEdgeId(2))).toBe(true);
    await home.pass(660_000);
    expect(home.driver.has(zwaveEdgeId(2))).toBe(false);
    expect(home.driver.status().troubles).toMatchObject([{ why: "node_silent", node: 2 }]);
    home.zwave.state(2, { status: 2 }, "wake up");
    expect([home.driver.has(zwaveEdgeId(2)), home.driver.problem()]).toEqual([true, undefined]);
  });
});
