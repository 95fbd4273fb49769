import type { Scenes, StoredScene } from "@porchlight/shared/tunnel";
import { describe, expect, test } from "vitest";
import { examineDatabase } from "./database.ts";
import { Disk, device, LAMP, level, on, pending } from "./state.fixture.ts";
import type { State } from "./state.ts";

const HOME = { ecosystemId: "eco_1", environmentId: "env_1", timeZone: "Europe/Berlin" };
const scene = (id: string, digest = "a"): StoredScene => ({
  ...{ id, digest, alias: "evening", meta: "{}", createdAt: 5 },
  items: [{ target: "dev_1", service: "Switch.on", value: true }],
  triggers: [{ kind: "time", at: "07:00" }],
  writes: [{ ...on(true), device: LAMP }],
});
const list = (digest: string, ...scenes: readonly StoredScene[]): Scenes => ({
  digest,
  ...HOME,
  scenes: scenes.map((each) => ({ id: each.id, digest: each.digest })),
});

/** All that the cloud sends, in its order. */
async function tell({ home: { scenes } }: State, digest: string, ...all: readonly StoredScene[]): Promise<string[]> {
  const wanted = await scenes.takeScenes(list(digest, ...all));
  for (const each of all) if (wanted.includes(each.id)) await scenes.takeScene(each);
  return wanted;
}

describe("the scenes of a hub", () => {
  test("are there after the agent was killed, and the home with them", async () => {
    using disk = new Disk();
    let state = disk.open();
    expect([state.home.scenes.digest, state.home.scenes.home]).toEqual(["", undefined]);
    expect(await tell(state, "d1", scene("scn_2"), scene("scn_1"))).toEqual(["scn_2", "scn_1"]);
    state.kill();
    expect(examineDatabase(disk.path)).toBeUndefined();
    state = disk.open();
    const { scenes } = state.home;
    expect([scenes.digest, scenes.home]).toEqual(["d1", HOME]);
    expect(scenes.summaries()).toEqual(
      ["scn_1", "scn_2"].map((id) => ({ id, digest: "a", alias: "evening", triggers: scene(id).triggers })),
    );
    expect(scenes.get("scn_2")).toEqual(scene("scn_2"));
    expect(scenes.get("scn_3")).toBeUndefined();
  });

  test("are wanted only where they have changed", async () => {
    using disk = new Disk();
    const state = disk.open();
    await tell(state, "d1", scene("scn_1"), scene("scn_2"));
    expect(await tell(state, "d2", scene("scn_1"), scene("scn_2", "b"))).toEqual(["scn_2"]);
    expect(state.home.scenes.get("scn_2")?.digest).toBe("b");
  });

  test("have their digest only when all of them are here", async () => {
    using disk = new Disk();
    let state = disk.open();
    await state.home.scenes.takeScenes(list("d1", scene("scn_1"), scene("scn_2")));
    await state.home.scenes.takeScene(scene("scn_1"));
    expect(state.home.scenes.digest).toBe("");
    state.kill();
    state = disk.open();
    expect(await tell(state, "d1", scene("scn_1"), scene("scn_2"))).toEqual(["scn_2"]);
    expect(state.home.scenes.digest).toBe("d1");
  });

  test("that are not in the last list are gone", async () => {
    using disk = new Disk();
    const state = disk.open();
    await tell(state, "d1", scene("scn_1"), scene("scn_2"));
    await tell(state, "d2", scene("scn_2"));
    expect(state.home.scenes.summaries().map(({ id }) => id)).toEqual(["scn_2"]);
    expect(state.home.scenes.get("scn_1")).toBeUndefined();
  });

  test("do not change by one that was not requested, or in another state than was listed", async () => {
    using disk = new Disk();
    const { scenes } = disk.open().home;
    await scenes.takeScenes(list("d1", scene("scn_1")));
    await scenes.takeScene(scene("scn_1", "b"));
    await scenes.takeScene(scene("scn_2"));
    expect(scenes.summaries()).toEqual([]);
    await scenes.takeScene(scene("scn_1"));
    expect([scenes.digest, scenes.get("scn_1")]).toEqual(["d1", scene("scn_1")]);
  });

  test("are notified to a listener, until it is removed", async () => {
    using disk = new Disk();
    const state = disk.open();
    let changes = 0;
    const stop = state.home.scenes.listen(() => changes++);
    await tell(state, "d1", scene("scn_1"));
    expect(changes).toBe(2);
    stop();
    await tell(state, "d2");
    expect(changes).toBe(2);
  });
});

describe("a value that a scene brought", () => {
  const HUB = "02-00-00-00-00-01";
  const causes = (state: State) => {
    const { home } = state;
    const read = home.log.read(home.log.range.oldest - 1, 100);
    const events = read.kind === "events" ? read.events : [];
    return events.map(({ text }) => JSON.parse(text).data.cause).filter(Boolean);
  };
  const open = async (disk: Disk) => {
    const state = disk.open({ homeEvents: { edgeId: HUB } });
    await disk.done(state.arrive(device()));
    const place = { ecosystemId: "eco_1", environmentId: "env_1", clientId: "cli_1" };
    await state.home.takeNames({ digest: "n", ...place, devices: [{ edgeId: LAMP, id: "dev_1", version: 1 }] });
    await state.home.takeName({ edgeId: LAMP, id: "dev_1", version: 1, meta: "{}", createdAt: 0 });
    return state;
  };
  const carriedOut = async (state: State, request: Parameters<State["begin"]>[0]) => {
    await state.begin(request);
    const { id: command, value, ...rest } = request;
    return state.end({ ...rest, command, requested: value, value, outcome: "confirmed", observedAt: 1 });
  };

  test("which the hub called names it, at home and to the cloud", async () => {
    using disk = new Disk();
    const state = await open(disk);
    const called = { id: "scn_1", by: "event" } as const;
    await carriedOut(state, { id: "cmd_1", ...level(40), local: true, scene: called });
    expect(pending(state).at(-1)).toMatchObject({ kind: "value", value: 40, cause: "local", scene: called });
    expect(causes(state)).toEqual([{ kind: "scene", sceneId: "scn_1", by: "event" }]);
  });

  test("which the cloud called names it at home, and is a result to the cloud as any other", async () => {
    using disk = new Disk();
    const state = await open(disk);
    const result = await carriedOut(state, { id: "cmd_1", ...level(40), scene: { id: "scn_1" } });
    expect(result).not.toHaveProperty("scene");
    expect(pending(state).at(-1)).toEqual(result);
    expect(causes(state)).toEqual([{ kind: "scene", sceneId: "scn_1", commandId: "cmd_1" }]);
  });

  test("that is sent again later is a value that was read", async () => {
    using disk = new Disk();
    const state = await open(disk);
    const scene = { id: "scn_1", by: "time" } as const;
    await carriedOut(state, { id: "cmd_1", ...level(40), local: true, scene });
    await state.resync();
    expect(pending(state).at(-1)).not.toHaveProperty("scene");
  });
});
