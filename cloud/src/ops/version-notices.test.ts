/** A coming version: who asks for an old one, and every account notified once. */
import { IdMaker, NamedError, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { behind, type Notices, tellOfRelease, unversioned, versionUses } from "./version-notices.ts";

const RELEASE = { version: "v1", date: "2027-03-01" };
const DAY = 86_400_000;
let fresh: FreshLocation;
let clock: VirtualClock;
let store: Store;
beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(4)) });
  for (const name of ["a", "b", "c"]) await account(name);
  await seen("a", "tok_old", "path", "v0");
  await seen("a", "tok_new", "header", "v1");
  await seen("b", "tok_floating", "path", "");
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

async function account(name: string): Promise<void> {
  const email = `${name}@example.com`;
  await store.writeService(async (tx) => {
    const row = { id: `acc_${name}`, email, email_key: email, name: null, password_hash: "x", created_at: 0 };
    await tx.change(tx.build.insertInto("accounts").values({ ...row, verified_at: 0 }));
    await tx.change(
      tx.build.insertInto("ecosystems").values({ id: `eco_${name}`, account_id: `acc_${name}`, gone_at: null }),
    );
  });
}

async function seen(name: string, id: string, via: string, version: string): Promise<void> {
  const own = { id, hash: id, kind: "srv", account_id: null, ecosystem_id: `eco_${name}`, subject_id: `srv_${name}` };
  const rest = {
    sealed: null,
    created_at: 0,
    expires_at: null,
    revoked_at: null,
    address: null,
    user_agent: null,
    read_at: null,
  };
  const times = { first_seen_at: clock.now(), last_seen_at: clock.now(), count: 7 };
  await store.writeService(async (tx) => {
    await tx.change(tx.build.insertInto("tokens").values({ ...own, ...rest }));
    await tx.change(tx.build.insertInto("token_versions").values({ token_id: id, via, version, ...times }));
  });
}

/** A mail queue that has lost its way after so many emails. */
function room(most = Number.POSITIVE_INFINITY, unverified: readonly string[] = []) {
  const letters: { to: string; text: string }[] = [];
  const notices: Notices = {
    notify: async (_tx, to, { text }) => {
      if (unverified.includes(to)) return false;
      if (letters.length >= most) throw new NamedError("Service Unavailable");
      letters.push({ to, text });
      return true;
    },
  };
  return { letters, deps: { store, clock, notices } };
}

describe("who uses an old version", () => {
  it("is every living token that asked for another than the newest by name, lately", async () => {
    const uses = await versionUses(store, undefined, clock.now());
    expect(behind(uses, "v1")).toMatchObject([{ accountId: "acc_a", tokenId: "tok_old", version: "v0", count: 7 }]);
    expect(unversioned(uses)).toMatchObject([{ accountId: "acc_b", tokenId: "tok_floating" }]);
    expect(await versionUses(store, undefined, clock.now() + 91 * DAY)).toEqual([]);
    await store.writeService((tx) => tx.change(tx.build.updateTable("tokens").set({ revoked_at: 1 })));
    expect(await versionUses(store, undefined, clock.now())).toEqual([]);
  });
});

describe("a notice of a release", () => {
  it("goes to every account once, naming its own tokens that are behind", async () => {
    const { letters, deps } = room();
    expect(await tellOfRelease(deps, RELEASE)).toEqual({ notified: 3, unverified: 0 });
    expect(letters.map(({ to }) => to)).toEqual(["acc_a", "acc_b", "acc_c"]);
    const [a = "", b = "", c = ""] = letters.map(({ text }) => text);
    expect(a).toContain("2027-03-01");
    expect(a).toContain("tok_old");
    expect(a).not.toMatch(/tok_new|tok_floating/);
    expect(b).toContain("tok_floating");
    expect(c).not.toContain("tok_");
    expect(await tellOfRelease(deps, RELEASE)).toEqual({ notified: 0, unverified: 0 });
    expect(await tellOfRelease(deps, { ...RELEASE, version: "v2" })).toEqual({ notified: 3, unverified: 0 });
  });

  it("is taken up where it was broken off", async () => {
    const broken = room(1);
    await expect(tellOfRelease(broken.deps, RELEASE)).rejects.toMatchObject({ name: "Service Unavailable" });
    expect(broken.letters.map(({ to }) => to)).toEqual(["acc_a"]);
    const { letters, deps } = room();
    expect(await tellOfRelease(deps, RELEASE)).toEqual({ notified: 2, unverified: 0 });
    expect(letters.map(({ to }) => to)).toEqual(["acc_b", "acc_c"]);
  });

  it("waits until the address is verified", async () => {
    expect(await tellOfRelease(room(9, ["acc_b"]).deps, RELEASE)).toEqual({ notified: 2, unverified: 1 });
    const { letters, deps } = room();
    await tellOfRelease(deps, RELEASE);
    expect(letters.map(({ to }) => to)).toEqual(["acc_b"]);
  });
});
