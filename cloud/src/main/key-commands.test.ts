/** New sealing keys under a service that goes on: what was sealed is readable all the time, although processes die at any moment. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IdMaker, NamedError, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkSealingKeys, KeyKeeper, KeyMismatch, openKeyring } from "../access/index.ts";
import { type Home, TestCloud } from "../app.fixture.ts";
import { SEALED_COLUMNS } from "../composition.ts";
import { cloudSettings } from "../config/settings.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { listKeys, removeKey, rotateKey } from "./key-commands.ts";

/** From when a key is first seen until it seals, ms. */
const MINUTE = 60_000;
const random = seededRandom(9);
const clock = new VirtualClock();
let fresh: FreshLocation;
let cloud: TestCloud;
let home: Home;
let printed: string[];
let tokens: string[];
let secrets: string[];

beforeEach(async () => {
  printed = [];
  fresh = await freshLocation();
  cloud = await TestCloud.start({}, fresh);
  home = await cloud.home();
  tokens = [await cloud.serverToken(home), await cloud.serverToken(home)].sort();
  secrets = [];
  for (const path of ["a", "b", "c"]) {
    const body = { url: `https://hooks.example/${path}`, events: ["*"] };
    secrets.push((await cloud.good("POST", "/api/webhooks", { token: home.token, body })).secret);
  }
  // A letter that is not due yet, and what a request did that has not ended.
  const keyring = openKeyring(path(), random);
  const letter = { id: "l", account_id: "acc_x", sealed: keyring.seal("letter l", "a code"), attempts: 0 };
  const times = { next_at: 9e14, expires_at: 9e14, created_at: 0 };
  await cloud.change((build) => build.insertInto("letters").values({ ...letter, ...times }));
  const step = { hash: "h", step: "0 eco_x", value: keyring.seal("h 0 eco_x", "a value") };
  await cloud.change((build) =>
    build.insertInto("idempotency_steps").values([step, { ...step, step: "p", value: "cmd_1" }]),
  );
  const keyed = { token: home.token, body: {}, headers: { "idempotency-key": "once" } };
  const first = await cloud.call("POST", "/api/servers", keyed);
  expect(first.status).toBe(201);
});
afterEach(() => cloud[Symbol.asyncDispose]());

const path = () => join(cloud.folder, "secret.key");
const ids = () =>
  readFileSync(path(), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.slice(0, 8));
const deps = () => ({
  settings: cloudSettings.parse({ data: cloud.folder, database: fresh.location }),
  clock,
  random,
  print: (line: string) => void printed.push(line),
});

/** What each key has sealed, as `key list` prints it. */
async function sealed(): Promise<Record<string, number>> {
  printed.length = 0;
  await listKeys(deps());
  return Object.fromEntries(
    printed.slice(1).map((line) => {
      const [id = "", , count] = line.split("\t");
      return [id, Number(count)];
    }),
  );
}

/** That every caller of the service gets what was sealed. */
async function allIsReadable(of: TestCloud = cloud): Promise<void> {
  const { items: servers } = await of.good("GET", "/api/servers", { token: home.token });
  const found: string[] = [];
  for (const { id } of servers)
    for (const { token } of (await of.good("GET", `/api/servers/${id}/tokens`, { token: home.token })).items)
      found.push(token);
  expect(found).toEqual(expect.arrayContaining(tokens));
  // No caller is shown them again: as the sender opens them.
  const rows = await of.rows((build) => build.selectFrom("webhooks").select(["id", "secrets"]));
  const keyring = openKeyring(path(), random);
  const shown = rows.map(({ id, secrets: each }) => JSON.parse(keyring.open(`webhook ${id}`, each) ?? "[]")[0]?.secret);
  expect(shown.sort()).toEqual([...secrets].sort());
  const [letter] = await of.rows((build) => build.selectFrom("letters").select("sealed").where("id", "=", "l"));
  expect(keyring.open("letter l", letter?.sealed ?? "")).toBe("a code");
  const steps = await of.rows((build) => build.selectFrom("idempotency_steps").select("value").orderBy("step"));
  expect([keyring.open("h 0 eco_x", steps[0]?.value ?? ""), steps[1]?.value]).toEqual(["a value", "cmd_1"]);
  const keyed = { token: home.token, body: {}, headers: { "idempotency-key": "once" } };
  expect((await of.call("POST", "/api/servers", keyed)).headers["idempotent-replayed"]).toBe("true");
}

/** A keeper beside the service, as another node has one; `refuse` is asked before each commit. */
async function keeper(refuse: () => Error | undefined = () => undefined) {
  const store = await Store.open({
    ...fresh.opening,
    clock,
    ids: new IdMaker(clock, random),
    before: (what) => {
      const error = what === "commit" ? refuse() : undefined;
      if (error) throw error;
    },
  });
  const keyring = openKeyring(path(), random);
  const made = KeyKeeper.start({ store, clock, log: silentLog, keyring, columns: SEALED_COLUMNS, path: path() });
  return {
    keeper: made,
    keyring,
    [Symbol.asyncDispose]: async () => {
      await made[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

describe("a new key", () => {
  it("opens at once in a running service, seals after a minute, and then all is sealed anew under it", async () => {
    await using node = await keeper();
    const [old = ""] = ids();
    const before = (await sealed())[old] ?? 0;
    // Two letters of codes may have been sent meanwhile; the rest stays.
    expect(before).toBeGreaterThanOrEqual(9);
    await rotateKey(deps());
    const [added = ""] = ids();
    expect(ids()).toEqual([added, old]);
    await node.keeper.look();
    expect([node.keyring.size, node.keyring.sealingId]).toEqual([2, old]);
    expect((await sealed())[added]).toBe(0);
    await clock.advance(MINUTE);
    await node.keeper.look();
    expect(node.keyring.sealingId).toBe(added);
    const after = await sealed();
    expect(after[old]).toBe(0);
    expect(after[added]).toBeGreaterThanOrEqual(9);
    cloud = await reopened();
    await allIsReadable();
  });

  it("is found by the service itself", async () => {
    const [old = ""] = ids();
    await rotateKey(deps());
    const left = async () => {
      await cloud.clock.advance(5_000);
      return (await sealed())[old];
    };
    await expect.poll(left).toBe(0);
    await allIsReadable();
  });

  it("keeps every value readable when the process dies anywhere in the middle of sealing anew", async () => {
    const [old = ""] = ids();
    await rotateKey(deps());
    const total = (await sealed())[old] ?? 0;
    const steps: number[] = [];
    for (let last = total; last > 0; ) {
      let commits = 0;
      const dies = () => (commits++ === 1 ? new NamedError("Service Unavailable", "it has died") : undefined);
      // It starts with the new key, since the file has it.
      await using node = await keeper(dies);
      await node.keeper.look();
      last = (await sealed())[old] ?? 0;
      steps.push(last);
      cloud = await reopened();
      await allIsReadable();
    }
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.at(-1)).toBe(0);
  });

  it("is not taken from a file that is broken, or belongs to another database", async () => {
    await using node = await keeper();
    const good = readFileSync(path(), "utf8");
    for (const text of ["hello\n", `0a0b0c0d ${Buffer.alloc(32).toString("base64")}\n`]) {
      writeFileSync(path(), text);
      await node.keeper.look();
      expect(`${node.keyring.sealingId}`).toBe(good.slice(0, 8));
    }
    writeFileSync(path(), good);
    await allIsReadable();
  });

  it("is wanted of every node that starts from then on", async () => {
    const copy = join(cloud.folder, "copy.key");
    writeFileSync(copy, readFileSync(path()));
    await rotateKey(deps());
    await using store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, random) });
    await expect(checkSealingKeys(store, openKeyring(copy, random))).rejects.toThrow(KeyMismatch);
  });

  it("waits until another change of the file has ended", async () => {
    writeFileSync(`${path()}.new`, "");
    await expect(rotateKey(deps())).rejects.toThrow("EEXIST");
    expect(ids()).toHaveLength(1);
    expect(existsSync(`${path()}.new`)).toBe(true);
  });
});

describe("an old key", () => {
  it("is taken away when nothing needs it, not before, and never the one that seals", async () => {
    const [old = ""] = ids();
    chmodSync(path(), 0o600);
    await expect(removeKey(deps(), old)).rejects.toThrow("is the one that seals");
    await rotateKey(deps());
    await expect(removeKey(deps(), old)).rejects.toThrow("texts that are still here");
    await expect(removeKey(deps(), "00000000")).rejects.toThrow("There is no key 00000000");
    await using node = await keeper();
    await node.keeper.look();
    await removeKey(deps(), old);
    expect(ids()).toEqual([node.keyring.sealingId]);
    await node.keeper.look();
    expect(node.keyring.size).toBe(1);
    cloud = await reopened();
    await allIsReadable();
  });
});

/** The service as another process, on the same data. */
async function reopened(): Promise<TestCloud> {
  await cloud.app[Symbol.asyncDispose]();
  return cloud.restart();
}
