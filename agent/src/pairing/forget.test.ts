/** What a hub keeps when it leaves its owner, byte by byte, and that it gets there after any interruption. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@porchlight/shared/kernel";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openHub, tokenFile } from "../config/identity.ts";
import { Disk, device, LAMP, level } from "../state/state.fixture.ts";
import { beginToForget, finishToForget } from "./forget.ts";

let disk: Disk;
beforeEach(() => {
  disk = new Disk();
});
afterEach(() => disk[Symbol.dispose]());

const OWNER = "env_01m7yke3h4e14v9pd9z3bxqn0y";
const NAMES = {
  ...{ digest: "d", ecosystemId: "eco_1", environmentId: OWNER, clientId: "cli_1" },
  devices: [{ edgeId: LAMP, id: "dev_1", version: 1 }],
};
const NAME = { edgeId: LAMP, id: "dev_1", version: 1, alias: "Grandmother's lamp", meta: "{}", createdAt: 1 };
const SECRETS = [OWNER, "cli_1", "Grandmother", "cmd_secret", "plt_cli_secret", "an-older-one", "loc-hash"];

/** A hub with an owner, and with everything that an owner leaves on one. */
async function ownedHub() {
  const { folder } = disk;
  const identity = openHub(folder, seededRandom(3));
  tokenFile({ data: folder }).write("plt_cli_secret");
  const state = disk.open();
  await disk.done(state.arrive(device()));
  await disk.done(state.report(level(30), { node: LAMP, boot: 1, seq: 1 }));
  await disk.done(
    state.begin({ id: "cmd_secret", device: LAMP, service: "LightColor", index: "0", property: "hue", value: 1 }),
  );
  await disk.done(state.home.takeNames(NAMES));
  await disk.done(state.home.takeName(NAME));
  await disk.done(state.home.addToken({ id: "tok_1", hash: "loc-hash", label: "", createdAt: 1 }));
  const before = { logId: state.logId, lastNumber: state.lastNumber };
  await state[Symbol.asyncDispose]();
  for (const name of [
    "agent.db.damaged-2026-01-01T00-00-00Z",
    "token.replaced-2026-01-01T00-00-00Z",
    "pairing.json",
    "refused.json",
  ])
    writeFileSync(join(folder, name), `an-older-one ${OWNER}`);
  mkdirSync(join(folder, "log"));
  writeFileSync(join(folder, "log", "agent.log"), `${OWNER}\n`);
  mkdirSync(join(folder, "backups"));
  writeFileSync(join(folder, "backups", "hub-2026-01-01T00-00-00Z.backup"), `${OWNER}\n`);
  return { identity, before };
}

const leave = () => {
  beginToForget(disk.folder);
  return finishToForget(disk.folder, tokenFile({ data: disk.folder }));
};

function everything(): string {
  const files = readdirSync(disk.folder, { recursive: true, encoding: "utf8" }).map((name) => join(disk.folder, name));
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

describe("a hub that leaves its owner", () => {
  test("keeps its key, its edgeId and its devices, and not a byte that says whose it was", async () => {
    const { identity, before } = await ownedHub();
    const owned = everything();
    for (const secret of SECRETS) expect(owned).toContain(secret);
    expect(leave()).toBe(true);
    const left = everything();
    for (const secret of SECRETS) expect(left).not.toContain(secret);

    const again = openHub(disk.folder, seededRandom(4));
    expect([again.edgeId, again.publicKey]).toEqual([identity.edgeId, identity.publicKey]);
    const state = disk.open();
    expect(state.devices().map(({ edgeId }) => edgeId)).toEqual([LAMP]);
    expect([state.queued, state.entry("cmd_secret"), state.home.place, state.home.tokens()]).toEqual([
      0,
      undefined,
      undefined,
      [],
    ]);
    expect(state.logId).not.toBe(before.logId);
    expect(state.lastNumber).toBe(before.lastNumber);
  });

  test("and dies in the middle finishes at its next start", async () => {
    await ownedHub();
    const tokens = tokenFile({ data: disk.folder });
    beginToForget(disk.folder);
    const cut = {
      remove: () => {
        throw new Error("SIGKILL");
      },
    };
    expect(() => finishToForget(disk.folder, cut)).toThrow("SIGKILL");
    expect(finishToForget(disk.folder, tokens)).toBe(true);
    for (const secret of SECRETS) expect(everything()).not.toContain(secret);
    expect(finishToForget(disk.folder, tokens)).toBe(false);
  });

  test("keeps nothing of a database that is damaged", async () => {
    await ownedHub();
    writeFileSync(disk.path, readFileSync(disk.path).fill(0xa5, 4096));
    expect(leave()).toBe(true);
    expect(existsSync(disk.path)).toBe(false);
    expect(disk.open().devices()).toEqual([]);
  });

  test("leaves everything as it is while another agent has its database", async () => {
    await ownedHub();
    const other = new Database(disk.path);
    other.exec("BEGIN EXCLUSIVE");
    expect(leave).toThrow("database is locked");
    other.close();
    expect(finishToForget(disk.folder, tokenFile({ data: disk.folder }))).toBe(true);
  });

  test("is not asked to by an ordinary start", async () => {
    await ownedHub();
    expect(finishToForget(disk.folder, tokenFile({ data: disk.folder }))).toBe(false);
    expect(everything()).toContain(OWNER);
  });
});
