/** The event log in pages, as its callers see it, on both stores. */
import { formatTime } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

const ask = (query = "", token = home.token) =>
  cloud.good("GET", `/api/event-log${query === "" ? "" : `?${query}`}`, { token });
const refusal = async (query: string, token = home.token) => {
  const { status, body } = await cloud.call("GET", `/api/event-log?${query}`, { token });
  return `${status} ${body.title}`;
};
const zone = (alias: string, environmentId = home.environmentId) =>
  cloud.good("POST", "/api/zones", { token: home.token, body: { environmentId, alias } });
async function zones(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await zone(`zone ${at}`);
}
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by comparing it
const sequences = ({ items }: any): number[] => items.map((item: { sequence: number }) => item.sequence);
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe("the event log", () => {
  it("has every event that is kept, each as the stream sends it, and states the range that it covers", async () => {
    await zones(3);
    const all = await ask();
    const newest = all.log.newest;
    expect(sequences(all)).toEqual(upTo(newest));
    expect(all).toMatchObject({ range: { first: 1, last: newest }, log: { oldest: 1, newest } });
    expect(all.continuationToken).toBeUndefined();
    expect(all.items.at(-1)).toEqual({
      id: expect.stringMatching(/^evt_/),
      sequence: newest,
      type: "zone.created",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
      ecosystemId: home.ecosystemId,
      environmentId: home.environmentId,
      data: expect.objectContaining({ alias: "zone 2" }),
    });
  });

  it("is paged both ways without a gap or a repeat while events are appended", async () => {
    await zones(6);
    const { newest } = (await ask()).log;
    const walk = async (order: string) => {
      const seen: number[] = [];
      const covered: [number, number][] = [];
      for (let token = ""; ; ) {
        const page = await ask(`order=${order}&pageSize=2${token && `&continuationToken=${token}`}`);
        seen.push(...sequences(page));
        covered.push([page.range.first, page.range.last]);
        if (page.continuationToken === undefined) return { seen, covered };
        token = encodeURIComponent(page.continuationToken);
        if (covered.length < 4) await zone(`${order} ${covered.length}`);
      }
    };
    const back = await walk("newest");
    expect(back.seen).toEqual(upTo(newest).reverse());
    for (const [at, [first]] of back.covered.entries())
      if (back.covered[at + 1]) expect(back.covered[at + 1]?.[1]).toBe(first - 1);
    const forth = await walk("oldest");
    expect(forth.seen).toEqual(upTo((await ask()).log.newest));
  });

  it("is filtered by type, environment and device, and the range states what was searched", async () => {
    const other = await cloud.good("POST", "/api/environments", {
      ...{ token: home.token, body: { ecosystemId: home.ecosystemId } },
    });
    const device = await cloud.good("POST", "/api/devices", {
      ...{ token: home.token, body: { environmentId: other.id, services: [{ service: "Switch" }] } },
    });
    await cloud.good("PUT", `/api/devices/${device.id}/services/Switch.on`, {
      token: home.token,
      body: { value: true },
    });
    await zone("kitchen");
    await zone("barn", other.id);
    const typesOf = async (query: string) => (await ask(query)).items.map(({ type }: { type: string }) => type);
    expect(await typesOf("types=zone.*")).toEqual(["zone.created", "zone.created"]);
    expect(await typesOf(`environmentId=${other.id}&types=zone.created,device.*`)).toEqual([
      "device.added",
      "zone.created",
    ]);
    expect(await typesOf(`deviceId=${device.id}`)).toEqual(["device.added", "property.changed"]);
    const { range, log } = await ask("types=zone.*");
    expect(range).toEqual({ first: 1, last: log.newest });
  });

  it("begins and ends at a time or at an event", async () => {
    await zone("before");
    const before = (await ask()).log.newest;
    await cloud.clock.advance(60_000);
    const since = formatTime(cloud.clock.now());
    await cloud.clock.advance(1_000);
    await zone("after");
    const { newest } = (await ask()).log;
    expect(sequences(await ask(`since=${encodeURIComponent(since)}`))).toEqual(upTo(newest, before + 1));
    expect(sequences(await ask(`until=${encodeURIComponent(since)}&order=newest`))).toEqual(upTo(before).reverse());
    expect(sequences(await ask(`after=1&before=${before}`))).toEqual(upTo(before - 1, 2));
    expect(await ask(`after=${newest}`)).toMatchObject({ items: [], range: { first: newest + 1, last: newest } });
    expect(sequences(await ask("before=1"))).toEqual([]);
  });

  it("states which events are no longer kept, also between two pages", async () => {
    await zones(4);
    const page = await ask("pageSize=1");
    const { newest } = (await ask()).log;
    await cloud.change((db) => db.deleteFrom("events").where("sequence", "<", newest));
    const next = await ask(`pageSize=1&continuationToken=${encodeURIComponent(page.continuationToken)}`);
    expect(sequences(next)).toEqual([newest]);
    expect(next).toMatchObject({ range: { first: newest, last: newest }, log: { oldest: newest, newest } });
  });

  it("shows a user what stands in its environments, and nothing else", async () => {
    const other = await cloud.good("POST", "/api/environments", {
      ...{ token: home.token, body: { ecosystemId: home.ecosystemId } },
    });
    await zone("mine");
    await zone("not mine", other.id);
    const user = await cloud.good("POST", "/api/users", { token: home.token, body: { key: "ada" } });
    const access = { token: home.token, body: { environmentId: home.environmentId } };
    await cloud.good("POST", `/api/users/${user.id}/access`, access);
    const { token } = await cloud.good("POST", `/api/users/${user.id}/tokens`, { token: home.token, body: {} });
    const seen = await ask("", token);
    expect(seen.items.length).toBeGreaterThan(0);
    expect(new Set(seen.items.map((item: { environmentId?: string }) => item.environmentId))).toEqual(
      new Set([home.environmentId]),
    );
    expect(await refusal(`environmentId=${other.id}`, token)).toBe("403 Access Denied");
  });

  it("refuses what it does not know", async () => {
    expect(await refusal("types=nonsense.*")).toBe("400 Query Parameter Invalid");
    expect(await refusal("since=yesterday")).toBe("400 Query Parameter Invalid");
    expect(await refusal("after=-1")).toBe("400 Query Parameter Invalid");
    expect(await refusal("order=up")).toBe("400 Query Parameter Invalid");
    expect(await refusal("snapshot=true")).toBe("400 No Query String Allowed");
    await zones(2);
    const { continuationToken } = await ask("pageSize=1&types=zone.*");
    const token = encodeURIComponent(continuationToken);
    expect(await refusal(`pageSize=1&continuationToken=${token}`)).toBe("400 Continuation Token Invalid");
  });
});
