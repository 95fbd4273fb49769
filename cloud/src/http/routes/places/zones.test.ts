/** Zones: what the specification says of them (2.2, 4.1), what may stand in one, and what becomes of it when that goes. */
import { zone } from "@porchlight/shared/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

const NEVER = "zon_01h455vb4pex5vsknk084sn02q";

let cloud: TestCloud;
let home: Home;
let token: string;
let environmentId: string;
let device: string;
let hub: string;
beforeAll(async () => {
  cloud = await TestCloud.start({ pageKilobytes: 330 });
  home = await cloud.home();
  ({ token, environmentId } = home);
  hub = (await cloud.good("POST", "/api/clients", { token, body: { environmentId } })).id;
  device = await plant("dev_01h455vb4pex5vsknk084sn02a", "lamp");
});
afterAll(() => cloud[Symbol.asyncDispose]());

/** A physical device, as if its hub had announced it. */
async function plant(id: string, alias: string | null = null, client = hub, env = environmentId): Promise<string> {
  const at = { ecosystem_id: home.ecosystemId, id, environment_id: env };
  const object = { kind: "dev", alias, meta: "{}", version: 1, created_at: 1, gone_at: null };
  await cloud.change((build) => build.insertInto("objects").values({ ...at, ...object }));
  const about = { type: "physical", edge_id: id, client_id: client, arrival: 1, digest: "", description: "[]" };
  const seen = { about: "{}", online: 1, online_since: 1, last_seen_at: null };
  await cloud.change((build) => build.insertInto("devices").values({ ...at, ...about, ...seen }));
  return id;
}

const post = (body: object, as = token) => cloud.call("POST", "/api/zones", { token: as, body });
const make = async (items: readonly string[] = [], more: object = {}): Promise<string> =>
  (await cloud.good("POST", "/api/zones", { token, body: { environmentId, items, ...more } })).id;
const show = async (id: string) => cloud.good("GET", `/api/zones/${id}`, { token });
const tag = async (id: string) => String((await cloud.call("GET", `/api/zones/${id}`, { token })).headers.etag);
const put = (id: string, body: object, headers = {}) => cloud.call("PUT", `/api/zones/${id}`, { token, body, headers });
const remove = (id: string) => cloud.good("DELETE", `/api/zones/${id}`, { token });

describe("a zone is made", () => {
  it("as the specification has it, by each of the three kinds of token, with and without version and trailing slash", async () => {
    const tokens = [token, await cloud.serverToken(home), await cloud.userToken(home)];
    for (const [at, as] of tokens.entries()) {
      for (const path of ["/api/zones", "/v0/api/zones/"]) {
        const alias = `zone ${at} ${path.length}`;
        const body = { environmentId, alias, meta: { floor: 1 }, items: [device] };
        const made = await cloud.call("POST", path, { token: as, body });
        expect(made.status).toBe(201);
        expect(Object.keys(made.body).sort()).toEqual([
          "alias",
          "createdAt",
          "ecosystemId",
          "environmentId",
          "id",
          "meta",
        ]);
        expect(made.headers.location).toBe(`/api/zones/${made.body.id}`);
        const shown = await cloud.call("GET", String(made.headers.location), { token: as });
        expect(zone.strict().parse(shown.body)).toEqual({ ...made.body, items: [device] });
        expect(shown.headers.etag).toBe(made.headers.etag);
        await remove(made.body.id);
      }
    }
  });

  it("with every named error of the specification", async () => {
    const { id: gone } = await cloud.good("POST", "/api/environments", { token, body: {} });
    await cloud.change((build) => build.updateTable("objects").set({ gone_at: 1 }).where("id", "=", gone));
    await make([], { alias: "taken" });
    const rows: [body: object | string, status: number, title: string][] = [
      ["", 400, "Body Parameters Missing"],
      [{}, 400, "Environment Missing"],
      [{ environmentId: "" }, 400, "Environment Missing"],
      [{ environmentId: 5 }, 400, "Environment Invalid"],
      [{ environmentId: "nonsense" }, 400, "Environment Invalid"],
      [{ environmentId: gone }, 404, "Environment Not Found"],
      [{ environmentId, meta: [] }, 400, "Metadata Format Invalid"],
      [{ environmentId, alias: "a;b" }, 400, "Alias Invalid"],
      [{ environmentId, alias: "taken" }, 400, "Alias Exists"],
      [{ environmentId, items: 5 }, 400, "Body Parameters Invalid"],
      [{ environmentId, colour: 5 }, 400, "Body Parameters Invalid"],
    ];
    for (const [body, status, title] of rows)
      expect((await post(body as object)).body, JSON.stringify(body)).toMatchObject({ status, title });
    const query = await cloud.call("POST", "/api/zones?a=1", { token, body: { environmentId } });
    expect(query.body.title).toBe("No Query String Allowed");
    const typeless = { token, headers: { "content-type": "text/plain" }, body: JSON.stringify({ environmentId }) };
    expect((await cloud.call("POST", "/api/zones", typeless)).body.title).toBe("Body Parameters Missing");
  });

  it("only where the user has access", async () => {
    const { id: closed } = await cloud.good("POST", "/api/environments", { token, body: {} });
    const user = await cloud.userToken(home);
    expect((await post({ environmentId: closed }, user)).body.title).toBe("Access Denied");
    const hidden = await make([], { environmentId: closed });
    expect((await cloud.call("GET", `/api/zones/${hidden}`, { token: user })).body.title).toBe("Access Denied");
    const { items } = await cloud.good("GET", "/api/zones", { token: user });
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(hidden);
    const one = await cloud.good("GET", `/api/zones?environmentId=${closed}`, { token });
    expect(one.items.map(({ id }: { id: string }) => id)).toEqual([hidden]);
  });
});

describe("items", () => {
  it("are named by any reference, keep their order, and stand once each", async () => {
    const room = await make([], { alias: "room" });
    const named = [`${environmentId};lamp`, `${home.ecosystemId};${environmentId};room`, device, room];
    const floor = await make(named);
    expect((await show(floor)).items).toEqual([device, room]);
    await put(floor, { items: [room, device] });
    expect((await show(floor)).items).toEqual([room, device]);
    await put(room, { items: [device] });
    expect((await cloud.good("GET", `/api/zones/${floor};${room}`, { token })).id).toBe(room);
    expect((await cloud.good("GET", `/api/devices/${environmentId};room;lamp`, { token })).id).toBe(device);
    expect(
      (
        await cloud.good(
          "GET",
          `/api/devices/${home.id};${home.ecosystemId};${environmentId};${floor};room;${device}`,
          { token },
        )
      ).id,
    ).toBe(device);
    for (const id of [floor, room]) await remove(id);
  });

  it("are zones and devices of the same environment, each a string", async () => {
    const { id: other } = await cloud.good("POST", "/api/environments", { token, body: {} });
    const foreign = await make([], { environmentId: other });
    const stranger = await cloud.home();
    const theirs = await cloud.good("POST", "/api/zones", {
      token: stranger.token,
      body: { environmentId: stranger.environmentId },
    });
    const gone = await make();
    await remove(gone);
    const rows: [item: unknown, status: number, title: string][] = [
      [5, 400, "Zone Item Invalid"],
      ["lamp", 400, "Zone Item Invalid"],
      [environmentId, 400, "Zone Item Invalid"],
      [hub, 400, "Zone Item Invalid"],
      [foreign, 400, "Zone Item Invalid"],
      [NEVER, 400, "Zone Item Invalid"],
      [theirs.id, 400, "Zone Item Invalid"],
      [gone, 404, "Zone Item Not Found"],
      [`${environmentId};nothing`, 404, "Zone Item Not Found"],
    ];
    const id = await make([device]);
    for (const [item, status, title] of rows) {
      expect((await post({ environmentId, items: [device, item] })).body, String(item)).toMatchObject({
        status,
        title,
      });
      expect((await put(id, { items: [item] })).body, String(item)).toMatchObject({ status, title });
    }
    const user = await cloud.userToken(home);
    expect((await post({ environmentId, items: [foreign] }, user)).body.title).toBe("Access Denied");
    expect((await show(id)).items).toEqual([device]);
    const many = Array.from({ length: 1001 }, () => device);
    expect((await put(id, { items: many })).body).toMatchObject({ title: "Zone Item Invalid" });
    expect((await put(id, { items: many.slice(1) })).status).toBe(200);
  });

  it("never hold the zone itself, however deep, and at most 16 levels", async () => {
    let outer = await make();
    const ids = [outer];
    for (let level = 2; level <= 16; level++) {
      outer = await make([outer]);
      ids.push(outer);
    }
    expect((await post({ environmentId, items: [outer] })).body).toMatchObject({ title: "Zone Item Invalid" });
    for (const id of [ids[0], ids[7], outer])
      expect((await put(String(ids[0]), { items: [id] })).body).toMatchObject({ title: "Zone Item Invalid" });
    const beside = await make();
    expect((await put(String(ids[0]), { items: [beside] })).body).toMatchObject({ title: "Zone Item Invalid" });
    expect((await put(String(ids[1]), { items: [ids[0], beside] })).status).toBe(200);
  });

  it("leave every zone when they are deleted, and the zone's etag changes", async () => {
    const inner = await make();
    const [one, other] = [await make([inner, device]), await make([inner])];
    const before = await tag(one);
    await remove(inner);
    expect((await show(one)).items).toEqual([device]);
    expect((await show(other)).items).toEqual([]);
    expect(await tag(one)).not.toBe(before);
    expect((await put(one, { alias: "late" }, { "if-match": before })).body.title).toBe("Precondition Failed");
    expect((await cloud.call("GET", `/api/devices/${device}`, { token })).status).toBe(200);
  });

  it("leave with the hub that they live on, at once", async () => {
    const box = (await cloud.good("POST", "/api/clients", { token, body: { environmentId } })).id;
    const first = await plant("dev_01h455vb4pex5vsknk084sn02b", "first", box);
    const second = await plant("dev_01h455vb4pex5vsknk084sn02c", null, box);
    const id = await make([first, device, second]);
    const before = await tag(id);
    await cloud.good("DELETE", `/api/clients/${box}`, { token });
    expect((await show(id)).items).toEqual([device]);
    const after = await tag(id);
    expect(after).not.toBe(before);
    expect((await put(id, {}, { "if-match": before })).body.title).toBe("Precondition Failed");
    expect((await put(id, {}, { "if-match": after })).headers.etag).toBe(after);
    expect(await tag(id)).toBe(after);
    expect((await put(id, { items: [first] })).body.title).toBe("Zone Item Not Found");
    expect((await put(id, { alias: "first" })).status).toBe(200);
    await remove(id);
  });
});

describe("a zone is changed", () => {
  it("in its items too, and its etag covers them", async () => {
    const id = await make([], { alias: "changing" });
    const first = await tag(id);
    const put1 = await put(id, { items: [device] }, { "if-match": first });
    expect([put1.status, put1.text]).toEqual([200, ""]);
    expect(put1.headers.etag).not.toBe(first);
    expect(await tag(id)).toBe(put1.headers.etag);
    expect((await put(id, { items: [device] })).headers.etag).toBe(put1.headers.etag);
    expect((await put(id, { items: [] }, { "if-match": first })).body.title).toBe("Precondition Failed");
    expect((await put(id, { alias: null })).headers.etag).not.toBe(put1.headers.etag);
    expect((await show(id)).items).toEqual([device]);
    const read = await show(id);
    expect((await put(id, { ...read, meta: { a: 1 } })).status).toBe(200);
    expect((await put(id, { ...read, environmentId: "x" })).body.title).toBe("Body Parameters Invalid");
  });

  it("or not at all", async () => {
    const id = await make([device], { alias: "steady", meta: { a: 1 } });
    const before = await cloud.call("GET", `/api/zones/${id}`, { token });
    await make([], { alias: "other" });
    expect((await put(id, { alias: "other", items: [] })).body.title).toBe("Alias Exists");
    const deep = await put(id, { meta: {}, items: [id] });
    expect(deep.body.title).toBe("Zone Item Invalid");
    const after = await cloud.call("GET", `/api/zones/${id}`, { token });
    expect([after.body, after.headers.etag]).toEqual([before.body, before.headers.etag]);
  });

  it("goes alone, leaves a tombstone, and its alias is free", async () => {
    const inner = await make();
    const id = await make([inner, device], { alias: "going" });
    await remove(id);
    for (const method of ["GET", "PUT", "DELETE"] as const)
      expect(
        (await cloud.call(method, `/api/zones/${id}`, { token, ...(method === "PUT" && { body: {} }) })).body.title,
      ).toBe("Zone Not Found");
    expect((await show(inner)).id).toBe(inner);
    expect((await cloud.call("GET", `/api/zones/${NEVER}`, { token })).body.title).toBe("Zone Invalid");
    await make([], { alias: "going" });
  });

  it("and the log has its event, with the zone as it was", async () => {
    const id = await make([device]);
    await put(id, { items: [] });
    await put(id, { items: [] });
    await remove(id);
    const events = await cloud.rows((build) =>
      build
        .selectFrom("events")
        .select(["type", "environment_id", "data"])
        .where("type", "like", "zone.%")
        .orderBy("sequence"),
    );
    const own = events.map((each) => ({ ...each, data: JSON.parse(each.data) })).filter(({ data }) => data.id === id);
    expect(own.map(({ type, data }) => [type, data.items])).toEqual([
      ["zone.created", [device]],
      ["zone.updated", []],
      ["zone.deleted", []],
    ]);
    expect(own[0]).toMatchObject({ environment_id: environmentId, data: { ecosystemId: home.ecosystemId, meta: {} } });
  });
});

describe("a list of zones", () => {
  it("is paged in the order in which they were made, and shows what stands in each", async () => {
    const { id: env } = await cloud.good("POST", "/api/environments", { token, body: {} });
    const made: string[] = [];
    for (let at = 0; at < 5; at++) made.push(await make(made.slice(-1), { environmentId: env }));
    const walked: { id: string; items: string[] }[] = [];
    let query = `environmentId=${env}&pageSize=2`;
    for (;;) {
      const page = await cloud.good("GET", `/api/zones?${query}`, { token });
      walked.push(...page.items);
      if (!page.continuationToken) break;
      query = `environmentId=${env}&pageSize=2&continuationToken=${page.continuationToken}`;
    }
    expect(walked.map(({ id, items }) => [id, items])).toEqual(
      made.map((id, at) => [id, at === 0 ? [] : [made[at - 1]]]),
    );
  });

  it("has shorter pages where many items stand in each, and misses none", async () => {
    const { id: env } = await cloud.good("POST", "/api/environments", { token, body: {} });
    const box = (await cloud.good("POST", "/api/clients", { token, body: { environmentId: env } })).id;
    const letters = "0123456789abcdefghjkmnpqrstvwxyz";
    const lamps = Array.from(
      { length: 900 },
      (_, at) => `dev_01h455vb4pex5vsknk084sx${letters[at >> 10]}${letters[(at >> 5) & 31]}${letters[at & 31]}`,
    );
    const at = { ecosystem_id: home.ecosystemId, environment_id: env };
    const object = { kind: "dev", alias: null, meta: "{}", version: 1, created_at: 1, gone_at: null };
    await cloud.change((build) => build.insertInto("objects").values(lamps.map((id) => ({ ...at, id, ...object }))));
    const about = { type: "physical", client_id: box, arrival: 1, digest: "", description: "[]", about: "{}" };
    const seen = { online: 1, online_since: 1, last_seen_at: null };
    await cloud.change((build) =>
      build.insertInto("devices").values(lamps.map((id) => ({ ...at, id, edge_id: id, ...about, ...seen }))),
    );
    const made: string[] = [];
    for (let zone = 0; zone < 13; zone++) made.push(await make(lamps, { environmentId: env }));
    const pages: string[][] = [];
    let query = `environmentId=${env}`;
    for (;;) {
      const page = await cloud.good("GET", `/api/zones?${query}`, { token });
      for (const each of page.items) expect(each.items).toEqual(lamps);
      pages.push(page.items.map(({ id }: { id: string }) => id));
      if (!page.continuationToken) break;
      query = `environmentId=${env}&continuationToken=${page.continuationToken}`;
    }
    expect(pages.flat()).toEqual(made);
    expect(pages.map(({ length }) => length)).toEqual([11, 2]);
  });
});
