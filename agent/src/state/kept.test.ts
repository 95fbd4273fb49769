/** What the hub keeps for its drivers, on a real database. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { forgetOwner } from "./forget-owner.ts";
import { Disk, LAMP } from "./state.fixture.ts";
import type { State } from "./state.ts";

const KEY = new Uint8Array(32).fill(7);
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (given: Uint8Array | undefined) => given && new TextDecoder().decode(given);
const of = (state: State, driver = "matter", key = KEY) => state.kept.entries(driver, key);

test("what a driver keeps is there after a restart, by its key and by the beginning of it, and no other driver's", async () => {
  using disk = new Disk();
  const state = disk.open();
  for (const [key, value] of Object.entries({ "fabric/1": "a", "fabric/2": "b", fabricated: "c" }))
    expect(await disk.done(of(state).set(key, bytes(value)))).toBe("kept");
  state.kill();
  const again = disk.open();
  expect(text(await of(again).get("fabric/1"))).toBe("a");
  expect([...(await of(again).all("fabric/")).keys()]).toEqual(["fabric/1", "fabric/2"]);
  expect((await of(again, "zwave").all("")).size).toBe(0);
  await disk.done(of(again).set("fabric/1", undefined));
  expect(await of(again).get("fabric/1")).toBeUndefined();
});

test("what a driver keeps stands in the file in no readable form, and another hub's key reads none of it", async () => {
  using disk = new Disk();
  const state = disk.open();
  await disk.done(of(state).set("network", bytes("a secret of the network")));
  await state[Symbol.asyncDispose]();
  expect(readFileSync(disk.path).includes("a secret of the network")).toBe(false);
  const again = disk.open();
  expect(await of(again, "matter", new Uint8Array(32)).get("network")).toBeUndefined();
  expect(text(await of(again).get("network"))).toBe("a secret of the network");
});

test("a driver keeps a mebibyte and no more; what is too much changes nothing", async () => {
  using disk = new Disk();
  const kept = of(disk.open());
  const half = new Uint8Array(512 * 1024).fill(1);
  expect(await disk.done(kept.set("a", half))).toBe("kept");
  expect(await disk.done(kept.set("b", half))).toBe("kept");
  expect(await disk.done(kept.set("c", half))).toBe("full");
  expect(await disk.done(kept.set("b", new Uint8Array(700 * 1024)))).toBe("full");
  expect((await kept.get("b"))?.length).toBe(half.length);
  expect(await disk.done(kept.set("a", undefined))).toBe("kept");
  expect(await disk.done(kept.set("c", half))).toBe("kept");
});

test("whom a person admits is admitted after a restart, until a person takes it back; drivers are notified once", async () => {
  using disk = new Disk();
  const state = disk.open();
  let calls = 0;
  const unlisten = state.kept.admissions.listen(() => {
    calls += 1;
  });
  for (const _ of [1, 2]) expect(await disk.done(state.kept.admissions.admit(LAMP))).toBe("admitted");
  expect(calls).toBe(1);
  unlisten();
  state.kill();
  const { admissions } = disk.open().kept;
  expect(admissions.isAdmitted(LAMP)).toBe(true);
  for (const _ of [1, 2]) await disk.done(admissions.withdraw(LAMP));
  expect(admissions.isAdmitted(LAMP)).toBe(false);
  expect(calls).toBe(1);
});

test("an admission that the disk does not take is none", async () => {
  using disk = new Disk();
  let refuses = false;
  const state = disk.open({
    beforeCommit: () => {
      if (refuses) throw new Error("no room");
    },
  });
  refuses = true;
  await expect(disk.done(state.kept.admissions.admit(LAMP))).rejects.toThrow("no room");
  expect(state.kept.admissions.isAdmitted(LAMP)).toBe(false);
  refuses = false;
  expect(await disk.done(state.kept.admissions.admit(LAMP))).toBe("admitted");
});

test("a hub admits at most a thousand devices one by one", async () => {
  using disk = new Disk();
  const { admissions } = disk.open().kept;
  const edgeId = (at: number) =>
    `02-00-00-00-${Buffer.from([at >> 8, at & 255])
      .toString("hex")
      .toUpperCase()
      .replace(/(..)(..)/, "$1-$2")}`;
  await disk.done(Promise.all(Array.from({ length: 1000 }, (_, at) => admissions.admit(edgeId(at)))));
  expect(await disk.done(admissions.admit(edgeId(1000)))).toBe("full");
  expect(await disk.done(admissions.admit(edgeId(1)))).toBe("admitted");
});

test("a hub that leaves its owner forgets what drivers kept and whom people admitted", async () => {
  using disk = new Disk();
  const state = disk.open();
  await disk.done(of(state).set("fabric", bytes("a")));
  await disk.done(state.kept.admissions.admit(LAMP));
  await state[Symbol.asyncDispose]();
  expect(forgetOwner(disk.path)).toBe(true);
  const again = disk.open();
  expect(await of(again).get("fabric")).toBeUndefined();
  expect(again.kept.admissions.isAdmitted(LAMP)).toBe(false);
});
