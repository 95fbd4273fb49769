import { seededRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Keyring } from "../../access/index.ts";
import { type Home, TestCloud } from "../../app.fixture.ts";
import { Pager, PageText } from "./page.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
const keys: string[] = [];
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  token = home.token;
  keys.push(home.id);
  for (let i = 0; i < 9; i++) keys.push((await makeUser()).key);
});
afterAll(() => cloud[Symbol.asyncDispose]());

let made = 0;
const makeUser = () => cloud.good("POST", "/api/users", { token, body: { key: `user ${++made}` } });
const get = (query: string, as = token) => cloud.call("GET", `/api/users?${query}`, { token: as });
const keysOf = (body: { items: { key: string }[] }) => body.items.map(({ key }) => key);

/** Walks to the end, doing `between` after each page. */
async function walk(size: number, between: (page: number) => Promise<unknown> = async () => undefined) {
  const seen: string[] = [];
  let query = `pageSize=${size}`;
  for (let page = 1; ; page++) {
    const { body, status } = await get(query);
    expect(status).toBe(200);
    seen.push(...keysOf(body));
    if (body.continuationToken === undefined) return seen;
    expect(body.items).toHaveLength(size);
    await between(page);
    query = `pageSize=${size}&continuationToken=${body.continuationToken}`;
  }
}

describe("a collection", () => {
  it("comes in the order in which things were made, in pages of any size, without a token on the last", async () => {
    for (const size of [1, 3, 5, 10, 11, 1000]) expect(await walk(size)).toEqual(keys);
    const { body } = await get("pageSize=10");
    expect(body.items).toHaveLength(10);
    expect(body).not.toHaveProperty("continuationToken");
  });

  it("shows what exists during a whole walk exactly once, while other items come and go", async () => {
    const early = await makeUser();
    const seen = await walk(2, async (page) => {
      await makeUser();
      if (page === 2) await cloud.good("DELETE", `/api/users/${early.id}`, { token });
    });
    for (const key of keys) expect(seen.filter((each) => each === key)).toEqual([key]);
    expect(seen).not.toContain(early.key);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each(["0", "1001", "-1", "1.5", "", "ten", "0x10", "1e2", " 5", "01"])("has no pages of size %j", async (size) => {
    expect((await get(`pageSize=${encodeURIComponent(size)}`)).body).toMatchObject({
      status: 400,
      title: "Page Size Invalid",
    });
  });

  describe("continues only", () => {
    const refused = { status: 400, title: "Continuation Token Invalid" };
    let next: string;
    beforeAll(async () => {
      next = (await get("pageSize=2")).body.continuationToken;
    });

    it("with a token as it was given, in pages of any size", async () => {
      expect((await get(`continuationToken=${next}&pageSize=3`)).status).toBe(200);
      for (const changed of [
        "",
        "x",
        `${next}A`,
        next.slice(0, -1),
        next.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      ])
        expect((await get(`continuationToken=${changed}`)).body).toMatchObject(refused);
    });

    it("on the same path, versioned or not, with a reference spelled either way", async () => {
      const on = (path: string) => cloud.call("GET", `${path}?continuationToken=${next}`, { token });
      expect((await on("/v0/api/users/")).status).toBe(200);
      expect((await on("/api/servers")).body).toMatchObject(refused);
      const access = `/api/users/${home.ecosystemId}`;
      for (let i = 0; i < 2; i++) {
        const { id } = await cloud.good("POST", "/api/environments", { token, body: {} });
        await cloud.good("POST", `/api/users/${home.userId}/access`, { token, body: { environmentId: id } });
      }
      const page = await cloud.good("GET", `${access};${home.userId}/access?pageSize=1`, { token });
      const spelled = `${access}%3B${home.userId}/access?continuationToken=${page.continuationToken}`;
      expect((await cloud.call("GET", spelled, { token })).status).toBe(200);
    });

    it("with the same filters", async () => {
      const query = `ecosystemId=${home.ecosystemId}`;
      expect((await get(`continuationToken=${next}&${query}`)).body).toMatchObject(refused);
      const filtered = (await get(`pageSize=2&${query}`)).body.continuationToken;
      expect((await get(`${query}&continuationToken=${filtered}`)).status).toBe(200);
    });

    it("for the same principal, by any token of it", async () => {
      const { email, password } = home;
      const other = await cloud.good("POST", "/api/accounts/login", { body: { email, password, console: true } });
      expect((await get(`continuationToken=${next}`, other.token)).status).toBe(200);
      expect((await get(`continuationToken=${next}`, await cloud.serverToken(home))).body).toMatchObject(refused);
      expect((await get(`continuationToken=${next}`, (await cloud.home()).token)).body).toMatchObject(refused);
    });
  });
});

describe("a page of large objects", () => {
  const text = "x".repeat(1000);
  let small: TestCloud;
  let owner: Home;
  beforeAll(async () => {
    small = await TestCloud.start({ pageKilobytes: 4 });
    owner = await small.home();
    const { token, environmentId } = owner;
    const post = (path: string, body: object) => small.good("POST", path, { token, body });
    for (let n = 1; n <= 12; n += 1) {
      const meta = { text: `${n} ${text}` };
      await post("/api/environments", { meta });
      await post("/api/users", { key: `large ${n}`, meta });
      await post("/api/servers", { meta });
      const services = [{ service: "Switch", properties: [{ property: "on", value: n % 2 === 0 }] }];
      const { id: deviceId } = await post("/api/devices", { environmentId, meta, services });
      await post("/api/zones", { environmentId, meta });
      await post("/api/scenes", {
        environmentId,
        meta,
        items: [{ target: deviceId, service: "Switch.on", value: true }],
      });
    }
  });
  afterAll(() => small[Symbol.asyncDispose]());

  it.each(["environments", "users", "servers", "devices", "zones", "scenes", "event-log"])(
    "ends before its bytes: %s",
    async (collection) => {
      const seen: string[] = [];
      const sizes: number[] = [];
      for (let query = ""; ; ) {
        const { body, text: whole } = await small.call("GET", `/api/${collection}?${query}`, { token: owner.token });
        expect(Buffer.byteLength(whole)).toBeLessThan(5 * 1024);
        seen.push(...body.items.flatMap(({ meta, data }: Shown) => meta?.text ?? data?.meta?.text ?? []));
        sizes.push(body.items.length);
        if (body.continuationToken === undefined) break;
        query = `continuationToken=${body.continuationToken}`;
      }
      expect(sizes.length).toBeGreaterThan(3);
      expect(new Set(seen).size).toBeGreaterThanOrEqual(12);
      if (collection !== "event-log") expect(seen).toHaveLength(12);
    },
  );

  it("has one object when that is larger than a page", async () => {
    const { environmentId, token } = owner;
    const meta = { text: "y".repeat(6000) };
    await small.good("POST", "/api/zones", { token, body: { environmentId, meta } });
    const sizes: number[] = [];
    for (let query = "pageSize=2"; ; ) {
      const { body } = await small.call("GET", `/api/zones?${query}`, { token });
      sizes.push(body.items.length);
      if (body.continuationToken === undefined) break;
      query = `pageSize=1000&continuationToken=${body.continuationToken}`;
    }
    expect(sizes.at(-1)).toBe(1);
  });
});

it("a page of several slices is the JSON of its items, with all their characters", async () => {
  const items = Array.from({ length: 40 }, (_, n) => ({ n, text: "é€😀".repeat(500 + 40 * n) }));
  const later = [{ n: 40, text: "ü" }, { n: 41 }];
  let turns = 0;
  const page = new PageText(1024 * 1024, async () => {
    turns += 1;
  });
  for (const item of items) expect(await page.add(JSON.stringify(item))).toBe(true);
  page.addEncoded(later.map((item) => Buffer.from(JSON.stringify(item))));
  expect(turns).toBeGreaterThan(3);
  const { text, onSent } = page.answer({ range: 1 });
  expect(JSON.parse(String(text))).toEqual({ items: [...items, ...later], range: 1 });
  onSent?.();
  expect(text).toHaveLength(0);
});

it("no more than four pages of an owner are made at once, and each of another owner without a wait", async () => {
  const random = seededRandom(1);
  const pager = new Pager(new Keyring([{ id: "00000001", key: random.bytes(32) }], random));
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const made: string[] = [];
  const make = (ownerId: string) => {
    const asked = { after: "", order: "oldest", size: 1, purpose: "", ownerId, turn: async () => undefined } as const;
    return pager.make(asked, async (items) => {
      made.push(ownerId);
      await end;
      return items.answer();
    });
  };
  const all = Promise.all(["a", "a", "a", "a", "a", "b"].map(make));
  expect(made).toEqual(["a", "a", "a", "a", "b"]);
  resolve();
  expect((await all).map(({ text }) => text)).toEqual(Array(6).fill('{"items":[]}'));
});

interface Shown {
  readonly meta?: { readonly text?: string };
  readonly data?: { readonly meta?: { readonly text?: string } };
}
