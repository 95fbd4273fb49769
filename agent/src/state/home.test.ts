import type { DeviceName, Names } from "@porchlight/shared/tunnel";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { examineDatabase } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";
import { BUTTON, Disk, device, LAMP, level, on, pending } from "./state.fixture.ts";
import type { State } from "./state.ts";

const PLACE = { ecosystemId: "eco_1", environmentId: "env_1", environmentAlias: "house", clientId: "cli_1" };
const lamp: DeviceName = { edgeId: LAMP, id: "dev_1", version: 1, alias: "lamp", meta: "{}", createdAt: 5 };
const button: DeviceName = { edgeId: BUTTON, id: "dev_2", version: 4, meta: "{}", createdAt: 6 };
const list = (digest: string, ...names: readonly DeviceName[]): Names => ({
  digest,
  ...PLACE,
  devices: names.map(({ edgeId, id, version }) => ({ edgeId, id, version })),
});

/** All that the cloud sends, in its order. */
async function tell({ home }: State, digest: string, ...names: readonly DeviceName[]): Promise<string[]> {
  const wanted = await home.takeNames(list(digest, ...names));
  for (const name of names) if (wanted.includes(name.edgeId)) await home.takeName(name);
  return wanted;
}

describe("what the cloud calls the hub's devices", () => {
  test("is there after the agent was killed, and the place with it", async () => {
    using disk = new Disk();
    let state = disk.open();
    expect(await tell(state, "d1", lamp, button)).toEqual([LAMP, BUTTON]);
    state.kill();
    state = disk.open();
    expect([state.home.names(), state.home.place, state.home.namesDigest]).toEqual([[lamp, button], PLACE, "d1"]);
  });

  test("is wanted only where it has changed", async () => {
    using disk = new Disk();
    const state = disk.open();
    await tell(state, "d1", lamp, button);
    expect(await tell(state, "d2", { ...lamp, version: 2, alias: "light" }, button)).toEqual([LAMP]);
    expect(state.home.name(LAMP)).toMatchObject({ alias: "light", version: 2 });
  });

  test("has its digest only when all of it is here", async () => {
    using disk = new Disk();
    let state = disk.open();
    await state.home.takeNames(list("d1", lamp, button));
    await state.home.takeName(lamp);
    expect(state.home.namesDigest).toBe("");
    state.kill();
    state = disk.open();
    expect([state.home.namesDigest, state.home.names()]).toEqual(["", [lamp]]);
    expect(await tell(state, "d1", lamp, button)).toEqual([BUTTON]);
    expect(state.home.namesDigest).toBe("d1");
  });

  test("is gone for a device that is not in the last list, or has another ID in it", async () => {
    using disk = new Disk();
    const state = disk.open();
    await tell(state, "d1", lamp, button);
    await state.home.takeNames(list("d2", { ...button, id: "dev_9" }));
    expect(state.home.names()).toEqual([]);
  });

  test("does not change by a name that was not requested", async () => {
    using disk = new Disk();
    const state = disk.open();
    await tell(state, "d1", lamp);
    await state.home.takeName({ ...lamp, alias: "hall" });
    await state.home.takeName(button);
    expect(state.home.names()).toEqual([lamp]);
  });
});

describe("manage tokens of the API at home", () => {
  const token = { id: "tok_1", hash: "ab".repeat(32), label: "panel", createdAt: 7 };

  test("are known by their hash after a restart, until they are revoked", async () => {
    using disk = new Disk();
    let state = disk.open();
    await state.home.addToken(token);
    state.kill();
    state = disk.open();
    expect(state.home.token(token.hash)).toEqual(token);
    expect([await state.home.revokeToken("tok_1"), await state.home.revokeToken("tok_1")]).toEqual([true, false]);
    state.kill();
    expect(disk.open().home.tokens()).toEqual([]);
  });

  test("are good no more when the hub goes to another environment", async () => {
    using disk = new Disk();
    const state = disk.open();
    await tell(state, "d1", lamp);
    await state.home.addToken(token);
    await tell(state, "d2", { ...lamp, version: 2 });
    expect(state.home.tokens()).toHaveLength(1);
    await state.home.takeNames({ ...list("d3"), environmentId: "env_2" });
    expect(state.home.tokens()).toEqual([]);
  });
});

describe("a command that was given at home", () => {
  test("ends as a value with the cause local, and its result is nothing for the cloud", async () => {
    using disk = new Disk();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    await state.begin({ id: "cmd_1", ...on(true), local: true });
    const end = {
      command: "cmd_1",
      ...on(true),
      requested: true,
      outcome: "confirmed",
      observedAt: 5,
      local: true,
    } as const;
    const result = await state.end(end);
    expect(pending(state).slice(1)).toMatchObject([{ kind: "value", n: result.n, value: true, cause: "local" }]);
    expect(state.entry("cmd_1")).toEqual({ kind: "ended", result });
    expect(result).not.toHaveProperty("local");
  });

  test("that failed leaves nothing to be sent", async () => {
    using disk = new Disk();
    const state = disk.open();
    await disk.done(state.arrive(device()));
    await state.begin({ id: "cmd_1", ...on(true), local: true });
    const before = pending(state).length;
    const failure = { name: "Device Rejected", detail: "no" } as const;
    await state.end({
      command: "cmd_1",
      ...on(true),
      requested: true,
      outcome: "rejected",
      failure,
      observedAt: 5,
      local: true,
    });
    expect(pending(state)).toHaveLength(before);
  });

  test("that was cut off by a crash is unknown, is not sent, and its property must be read", async () => {
    using disk = new Disk();
    let state = disk.open();
    await state.begin({ id: "cmd_1", ...on(true), local: true });
    state.kill();
    state = disk.open();
    expect(state.entry("cmd_1")).toMatchObject({ kind: "ended", result: { outcome: "unknown" } });
    expect(pending(state)).toEqual([]);
    expect(state.unsettled).toHaveLength(1);
  });
});

describe("times that people are shown", () => {
  test("a value was modified when it last changed, also after a restart, and not when it was repeated", async () => {
    using disk = new Disk();
    let state = disk.open();
    await disk.done(state.arrive(device()));
    await disk.report(state, level(7));
    const changed = state.value(level(7))?.modifiedAt;
    await disk.clock.advance(90_000);
    await disk.report(state, level(7));
    expect(state.value(level(7))?.observedAt).toBeGreaterThan(changed ?? Number.POSITIVE_INFINITY);
    await state[Symbol.asyncDispose]();
    state = disk.open();
    expect(state.value(level(7))?.modifiedAt).toBe(changed);
    await disk.report(state, level(8));
    expect(state.value(level(7))?.modifiedAt).toBeGreaterThan(changed ?? Number.POSITIVE_INFINITY);
  });

  test("a device is online since it came, and offline since it left, with any other report", async () => {
    using disk = new Disk();
    let state = disk.open();
    await disk.done(state.arrive(device()));
    const came = state.device(LAMP)?.since;
    await disk.clock.advance(5000);
    await disk.done(state.arrive({ ...device(), about: { manufacturer: "Other" } }));
    expect(state.device(LAMP)).toMatchObject({ online: true, since: came });
    await disk.done(state.leave(LAMP));
    const { since } = state.device(LAMP) ?? {};
    expect(since).toBeGreaterThan(came ?? Number.POSITIVE_INFINITY);
    await state[Symbol.asyncDispose]();
    state = disk.open();
    expect(state.device(LAMP)).toMatchObject({ online: false, since });
  });
});

test("a database of an agent without an API at home goes on being used, with all that it holds", async () => {
  using disk = new Disk();
  const db = new Database(disk.path);
  for (const step of MIGRATIONS.slice(0, 2)) db.exec(step);
  db.exec("INSERT INTO hub VALUES (1, 'the-old-log', 8, 8, 1, 0, 0, NULL)");
  db.exec(`INSERT INTO property_values VALUES ('${LAMP}', 'LightLevel', '0', 'level', '7', 8, 1000, 1000, 0, NULL)`);
  db.pragma("user_version = 2");
  db.close();
  expect(examineDatabase(disk.path)).toBeUndefined();
  const state = disk.open();
  expect(state.logId).toBe("the-old-log");
  expect(state.value(level(0))).toMatchObject({ value: 7, observedAt: 1000, modifiedAt: 1000 });
});
