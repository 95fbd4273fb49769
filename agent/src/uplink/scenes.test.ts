/** Scenes through the tunnel: those that the hub stores, and a call with all its commands in one frame. */
import { frames, type SceneCallAnswer } from "@porchlight/shared/tunnel";
import { describe, expect, test } from "vitest";
import { device, level, on } from "../state/state.fixture.ts";
import { Hub } from "./hub.fixture.ts";

const LIST = {
  ...{ digest: "d1", ecosystemId: "eco_1", environmentId: "env_1", timeZone: "Europe/Berlin" },
  scenes: [{ id: "scn_1", digest: "a" }],
};
const SCENE = {
  ...{ id: "scn_1", digest: "a", meta: "{}", createdAt: 5 },
  items: [{ target: "dev_1", service: "Switch.on", value: true }],
  triggers: [{ kind: "time", at: "07:00", days: ["mon"] }],
  writes: [on(true)],
};
const call = (...commands: readonly object[]) => ({ scene: "scn_1", commands });

/** The answer, as the cloud parses it. */
async function ask(hub: Hub, params: Record<string, unknown>, waitMs?: number): Promise<SceneCallAnswer["results"]> {
  const answer = await hub.clock.until(hub.cloud.ask("scene.call", params, waitMs), 60_000);
  return frames.sceneCallAnswer.parse(answer).results;
}

describe("the scenes that the cloud sends", () => {
  test("are stored, and listed in the hello when the hub comes back", async () => {
    await using hub = await Hub.online();
    expect(hub.cloud.tunnel.hello?.scenesDigest).toBe("");
    expect(await hub.cloud.ask("scenes", LIST)).toEqual({ wanted: ["scn_1"] });
    expect(await hub.cloud.ask("scene", SCENE)).toEqual({});
    expect(hub.state.home.scenes.get("scn_1")).toEqual(SCENE);
    await hub.crash();
    expect(hub.cloud.tunnel.hello?.scenesDigest).toBe("d1");
  });

  test.for([
    ["scenes", { ...LIST, scenes: 7 }],
    ["scene", { ...SCENE, triggers: [{ kind: "moon" }] }],
    ["scene.call", { scene: "scn_1", commands: [] }],
  ] as const)("end the tunnel as malformed when they break their schema (%s)", async ([method, params]) => {
    await using hub = await Hub.online();
    await expect(hub.cloud.ask(method, params)).rejects.toThrow();
    await hub.clock.advance(0);
    expect(hub.cloud.tunnel.down).toBe("malformed");
  });
});

describe("a scene that the cloud calls", () => {
  test("is carried out with one answer, one result for each command in their order", async () => {
    await using hub = await Hub.online();
    hub.driver.next.push({ kind: "value", value: true });
    hub.driver.next.push({
      ...{ kind: "failed", name: "Device Rejected", outcome: "rejected", code: 3 },
      detail: "x".repeat(500),
    });
    const results = await ask(hub, call({ id: "cmd_1", ...on(true) }, { id: "cmd_2", ...level(40) }));
    expect(results).toEqual([
      { command: "cmd_1", n: expect.any(Number), outcome: "confirmed", value: true, observedAt: expect.any(Number) },
      {
        ...{ command: "cmd_2", n: expect.any(Number), outcome: "rejected", observedAt: expect.any(Number) },
        failure: { name: "Device Rejected", detail: "x".repeat(128), code: 3 },
      },
    ]);
    await hub.clock.advance(1000);
    expect(hub.cloud.history.slice(1)).toMatchObject(
      results.map(({ command, n, outcome }) => ({ kind: "result", command, n, outcome })),
    );
  });

  test("touches all its devices at once, however long each of them takes", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const answer = ask(hub, call({ id: "cmd_1", ...on(true) }, { id: "cmd_2", ...level(40) }));
    await hub.clock.advance(10);
    expect(hub.driver.touches.map(({ property }) => property)).toEqual(["on", "level"]);
    hub.driver.release();
    expect(await answer).toHaveLength(2);
  });

  test("whose devices are partly away says of each what became of it", async () => {
    await using hub = await Hub.online();
    const away = "00-1B-44-11-3A-FF";
    const results = await ask(hub, call({ id: "cmd_1", ...on(true, away) }, { id: "cmd_2", ...level(40) }));
    expect(results).toMatchObject([
      { outcome: "not_applied", failure: { name: "Device Unreachable" } },
      { outcome: "confirmed", value: 40 },
    ]);
  });

  test("that is asked again answers from the journal, and touches what the first call did not", async () => {
    await using hub = await Hub.online();
    const [first] = await ask(hub, call({ id: "cmd_1", ...on(true) }));
    const again = await ask(hub, call({ id: "cmd_1", ...on(true) }, { id: "cmd_2", ...level(40) }));
    expect(again[0]).toEqual(first);
    expect(hub.driver.touches.map(({ property }) => property)).toEqual(["on", "level"]);
  });

  test("that was cut off by the end of the agent is unknown, and nothing of it is carried out twice", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const commands = [
      { id: "cmd_1", ...on(true) },
      { id: "cmd_2", ...level(40) },
    ];
    hub.cloud.ask("scene.call", call(...commands)).catch(() => undefined);
    await hub.clock.advance(10);
    await hub.crash();
    hub.driver.release();
    expect(await ask(hub, call(...commands))).toMatchObject([{ outcome: "unknown" }, { outcome: "unknown" }]);
    expect(hub.driver.touches).toHaveLength(2);
  });

  test("whose time is over is not begun", async () => {
    await using hub = await Hub.online();
    const results = await ask(hub, call({ id: "cmd_1", ...on(true) }), -1);
    expect(results).toMatchObject([{ outcome: "not_applied", failure: { name: "Hub Timeout" } }]);
    expect(hub.driver.touches).toEqual([]);
  });

  test("on a hub without a live lease is not answered, and may come again", async () => {
    await using hub = await Hub.online();
    hub.standStill(20_000);
    hub.cloud.ask("scene.call", call({ id: "cmd_1", ...on(true) })).catch(() => undefined);
    await hub.clock.advance(100);
    expect(hub.driver.touches).toEqual([]);
    hub.cloud.tunnel.cut();
    await hub.clock.advance(10_000);
    expect(await ask(hub, call({ id: "cmd_1", ...on(true) }))).toMatchObject([{ outcome: "confirmed" }]);
  });

  test("with more values than a message holds says which of them follow", async () => {
    await using hub = await Hub.online();
    const text = "x".repeat(16_300);
    const access = ["read", "write", "notify"] as const;
    const settings = {
      service: "Settings",
      index: "0",
      properties: [{ property: "text", type: "string", access }],
    } as const;
    const lamp = device();
    await hub.disk.done(hub.state.arrive({ ...lamp, description: [...lamp.description, settings] }));
    const target = { device: lamp.edgeId, service: "Settings", index: "0", property: "text" };
    const commands = Array.from({ length: 20 }, (_, index) => ({ id: `cmd_${index}`, ...target, value: `${index}` }));
    for (const _ of commands) hub.driver.next.push({ kind: "value", value: text });
    const results = await ask(hub, call(...commands));
    const confirmed = results.filter(({ outcome }) => outcome === "confirmed");
    expect([results.length, confirmed.length]).toEqual([20, 14]);
    expect(results.at(-1)).toMatchObject({ n: 0, outcome: "unknown", failure: { name: "Hub Timeout" } });
    await hub.clock.advance(1000);
    expect(
      hub.cloud.history.filter((record) => record.kind === "result" && record.outcome === "confirmed"),
    ).toHaveLength(20);
  });

  test("says which of its commands could not be stored", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const answer = ask(hub, call({ id: "cmd_1", ...on(true) }, { id: "cmd_2", ...level(40) }));
    await hub.clock.advance(10);
    hub.refuseCommits = 2;
    hub.driver.release();
    const outcomes = (await answer).map(({ outcome, n }) => [outcome, n > 0]);
    expect(outcomes).toContainEqual(["unknown", false]);
  });
});
