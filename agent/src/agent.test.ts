import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Arrival, DriverHost } from "@porchlight/driver-kit";
import { type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Agent } from "./agent.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { ScriptedDriver } from "./commands/scripted-driver.fixture.ts";
import type { TokenStore } from "./config/identity.ts";
import { BUTTON, device, LAMP, level, on, pressed } from "./state/state.fixture.ts";
import { CLOUD, FakeCloud, TOKEN } from "./uplink/cloud.fixture.ts";

let clock: VirtualClock;
let cloud: FakeCloud;
let dataDir: string;
const agents: Agent[] = [];
beforeEach(() => {
  clock = new VirtualClock();
  cloud = new FakeCloud(clock);
  dataDir = mkdtempSync(join(tmpdir(), "porchlight-agent-"));
});
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.kill();
  await clock.advance(0);
  rmSync(dataDir, { recursive: true });
});

interface Life {
  readonly agent: Agent;
  readonly driver: ScriptedDriver;
  readonly host: DriverHost;
  /** A device comes onto the scripted driver's link. */
  arrive(edgeId?: string): Promise<Arrival>;
}

/** A token that stays as it is. */
const held = (token: string | undefined): TokenStore => ({
  read: () => token,
  write: () => undefined,
  remove: () => undefined,
});

let seed = 1;
async function start(change: Partial<AgentDeps> = {}, log: Log = silentLog): Promise<Life> {
  const driver = new ScriptedDriver();
  const hosts: DriverHost[] = [];
  const agent = await Agent.start({
    clock,
    random: seededRandom(seed++),
    log,
    dataDir,
    cloudUrl: CLOUD,
    tokens: held(TOKEN),
    dial: cloud.dial,
    drivers: (given) => {
      hosts.push(given);
      return [driver];
    },
    ...change,
  });
  agents.push(agent);
  const [host] = hosts;
  if (!host) throw new Error("no drivers were asked for");
  const arrive = async (edgeId = LAMP) => {
    driver.live.add(edgeId);
    const answer = host.arrived(device(edgeId));
    await clock.advance(100);
    return answer;
  };
  await clock.advance(0);
  return { agent, driver, host, arrive };
}

const presence = () =>
  cloud.history.flatMap((record) => (record.kind === "presence" ? [[record.device, record.online]] : []));
const values = () => cloud.history.flatMap((record) => (record.kind === "value" ? [record.value] : []));

describe("a hub", () => {
  test("carries a command to the device and a report to the cloud", async () => {
    const { arrive, host, driver } = await start();
    await arrive();
    expect(await cloud.ask("command", { id: "cmd_1", ...on(true) })).toMatchObject({ outcome: "confirmed" });
    expect(driver.touches).toEqual([{ what: "write", device: LAMP, property: "on", value: true }]);
    expect(await clock.until(host.reported(level(30), { node: LAMP, boot: 1, seq: 1 }))).toBe("stored");
    await clock.advance(1000);
    expect(cloud.tunnel.described).toEqual([LAMP]);
    expect(values()).toEqual([30]);
  });

  test("is the same hub after a restart", async () => {
    const first = await start();
    const { edgeId } = first.agent;
    const key = cloud.tunnel.hello?.publicKey;
    await first.agent[Symbol.asyncDispose]();
    const again = await start();
    expect([again.agent.edgeId, cloud.tunnel.hello?.publicKey]).toEqual([edgeId, key]);
  });

  test("works at home without a token, and says so", async () => {
    const warnings: string[] = [];
    const { arrive, host, agent } = await start(
      { tokens: held(undefined) },
      { ...silentLog, warn: (_f, message) => warnings.push(message) },
    );
    await arrive();
    expect(await clock.until(host.reported(on(true), { node: LAMP, boot: 1, seq: 1 }))).toBe("stored");
    expect([cloud.dials, warnings]).toEqual([[], ["the hub is not paired: it works without the cloud"]]);
    expect(agent.status()).toMatchObject({ paired: false, tunnel: { state: "unpaired" }, queue: { records: 2 } });
  });

  test("shows what it is doing", async () => {
    const { agent, arrive } = await start({ edgeId: "02-00-00-00-00-01" });
    await arrive();
    await clock.advance(2000);
    expect(agent.status()).toMatchObject({
      edgeId: "02-00-00-00-00-01",
      cloud: CLOUD,
      paired: true,
      tunnel: { state: "online", live: true, epoch: 1 },
      queue: { records: 0, acknowledged: 1 },
      devices: [{ edgeId: LAMP, live: true, transport: "memory" }],
      links: [{ name: "scripted" }],
    });
  });
});

describe("devices", () => {
  test("one that is live on a link is refused on another, until it has left the first", async () => {
    const { host, arrive } = await start();
    await arrive();
    expect(host.arrived({ ...device(), transport: "other" })).toBe("refused");
    host.left(LAMP);
    expect(host.arrived({ ...device(), transport: "other" })).toBe("admitted");
    await clock.advance(2000);
    expect(presence()).toEqual([
      [LAMP, true],
      [LAMP, false],
      [LAMP, true],
    ]);
  });

  test("a hub has at most a thousand", async () => {
    const { host } = await start();
    const edgeId = (place: number) =>
      `00-00-00-00-${(place >> 8).toString(16).padStart(2, "0")}-${(place & 255).toString(16).padStart(2, "0")}`.toUpperCase();
    for (let place = 0; place < 1000; place++) host.arrived(device(edgeId(place)));
    await clock.advance(2000);
    expect(host.arrived(device(LAMP))).toBe("refused");
    host.left(edgeId(5));
    expect(host.arrived(device(edgeId(5)))).toBe("admitted");
  });

  test("those that are back soon after a restart were never gone; the others are reported as gone", async () => {
    const first = await start();
    await first.arrive(LAMP);
    await first.arrive(BUTTON);
    await first.agent[Symbol.asyncDispose]();
    const { arrive } = await start();
    await arrive(LAMP);
    await clock.advance(14_000);
    expect(presence()).toEqual([
      [LAMP, true],
      [BUTTON, true],
    ]);
    await clock.advance(2000);
    expect(presence().at(-1)).toEqual([BUTTON, false]);
    expect(presence()).toHaveLength(3);
  });
});

describe("a command for a device that was there before", () => {
  /** A hub that had a lamp, and has started again without it. */
  async function restarted(): Promise<Life> {
    const first = await start();
    await first.arrive();
    await first.agent[Symbol.asyncDispose]();
    const again = await start();
    await clock.advance(2000);
    return again;
  }
  const set = (id: string, waitMs: number) => cloud.ask("command", { id, ...on(true) }, waitMs);

  test("waits after the hub's restart until the device is there", async () => {
    const { arrive, driver, agent } = await restarted();
    const answer = set("cmd_1", 60_000);
    await clock.advance(10_000);
    expect([driver.touches, agent.status().commandsWaiting]).toEqual([[], 1]);
    await arrive();
    expect(await clock.until(answer)).toMatchObject({ outcome: "confirmed" });
  });

  test("is answered at once when the device was not back in time; one for a device that never was there, always", async () => {
    const { driver } = await restarted();
    const away = { outcome: "not_applied", failure: { name: "Device Unreachable" } };
    const stranger = cloud.ask("command", { id: "cmd_1", ...on(true, BUTTON) }, 60_000);
    expect(await stranger).toMatchObject(away);
    const answer = set("cmd_2", 60_000);
    expect(await clock.until(answer)).toMatchObject(away);
    expect(clock.monotonic()).toBeLessThan(16_000);
    expect(await set("cmd_3", 60_000)).toMatchObject(away);
    expect(driver.touches).toEqual([]);
  });

  test("waits when the line on which it was is opened anew, and not for another line", async () => {
    const { host, arrive, driver } = await start();
    await arrive();
    driver.live.delete(LAMP);
    host.left(LAMP);
    host.opened("another line");
    await clock.advance(1000);
    expect(await clock.until(set("cmd_1", 60_000))).toMatchObject({ outcome: "not_applied" });
    host.opened("memory");
    const answer = set("cmd_2", 60_000);
    await clock.advance(1000);
    await arrive();
    expect(await clock.until(answer)).toMatchObject({ outcome: "confirmed" });
  });

  test("is not carried out by a hub that is stopped or killed while it waits", async () => {
    for (const end of ["stopped", "killed"] as const) {
      const { agent, driver, host } = await restarted();
      set(`cmd_${end}`, 60_000).catch(() => "no answer");
      await clock.advance(1000);
      if (end === "killed") agent.kill();
      else await clock.until(agent[Symbol.asyncDispose]());
      driver.live.add(LAMP);
      host.arrived(device());
      await clock.advance(60_000);
      expect(driver.touches).toEqual([]);
    }
  });
});

describe("an end", () => {
  test("in order reports nothing of the devices, and asks them to keep their reports", async () => {
    const { arrive, agent, host, driver } = await start();
    await arrive();
    driver.ending = async () => {
      host.left(LAMP);
      expect(await host.reported(on(true), { node: LAMP, boot: 1, seq: 1 })).toBe("busy");
    };
    await clock.until(agent[Symbol.asyncDispose]());
    expect(cloud.tunnel.down).toBe("stopping");
    await start();
    await clock.advance(5000);
    expect(presence()).toEqual([[LAMP, true]]);
  });

  test("by SIGKILL leaves no trace after it: nothing sent, touched, stored or acknowledged", async () => {
    const { arrive, agent, host, driver } = await start();
    await arrive();
    await clock.advance(2000);
    const report = host.reported(pressed(), { node: LAMP, boot: 1, seq: 1 });
    const command = cloud.ask("command", { id: "cmd_1", ...on(true) });
    const outcomes = [report, command].map((promise) =>
      promise.then(
        () => "answered",
        () => "failed",
      ),
    );
    agent.kill();
    const late = [host.reported(on(true), { node: LAMP, boot: 1, seq: 2 }), ...outcomes];
    const first = await Promise.race([...late, clock.advance(30_000).then(() => "silence")]);
    expect(first).toBe("silence");
    expect(driver.touches).toEqual([]);
    expect([cloud.tunnel.heartbeats, cloud.tunnel.down]).toEqual([0, undefined]);
    await start();
    await clock.advance(2000);
    expect(values()).toEqual([]);
  });

  test("between the begin and the end of a command leaves it unknown, settles it once, and has the property read", async () => {
    const first = await start();
    await first.arrive();
    first.driver.hold();
    cloud.ask("command", { id: "cmd_1", ...on(true) }).catch(() => "no answer");
    await clock.advance(10);
    expect(first.driver.touches).toHaveLength(1);
    first.agent.kill();

    const again = await start();
    again.driver.values.set(`${LAMP} on`, true);
    await again.arrive();
    await clock.advance(2000);
    expect(again.driver.touches).toEqual([{ what: "read", device: LAMP, property: "on" }]);
    expect(cloud.history.filter(({ kind }) => kind === "result")).toMatchObject([
      { command: "cmd_1", outcome: "unknown" },
    ]);
    expect(values()).toEqual([true]);
    expect(await cloud.ask("command", { id: "cmd_1", ...on(true) })).toMatchObject({ outcome: "unknown" });
    expect(again.driver.touches).toHaveLength(1);
  });
});
