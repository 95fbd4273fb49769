/** History as a user of the API sees it (A11): of a device, a zone and an environment, in each resolution and form. */
import { formatTime, parseTime } from "@porchlight/shared/api";
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  // A whole hour, so that steps are easy to tell.
  await pass(HOUR - (cloud.clock.now() % HOUR));
});
afterEach(() => cloud[Symbol.asyncDispose]());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** By the clock on the wall: all that waits for it meanwhile would take seconds of a test. */
const pass = async (ms: number) => cloud.clock.jumpWall(ms);
const now = () => cloud.clock.now();
const time = (ms: number) => encodeURIComponent(formatTime(ms));
const get = (path: string, headers: Record<string, string> = {}, token = home.token) =>
  cloud.call("GET", path, { token, headers });
const good = async (path: string) => {
  const reply = await get(path);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
};
const title = async (path: string) => (await get(path)).body.title;

const SERVICES = [
  { service: "Switch" },
  { service: "Temperature" },
  { service: "Electricity", properties: [{ property: "energy" }] },
];
async function device(alias: string): Promise<string> {
  const body = { environmentId: home.environmentId, alias, services: SERVICES };
  return (await cloud.good("POST", "/api/devices", { token: home.token, body })).id;
}
const report = (id: string, selector: string, value: unknown) =>
  cloud.good("PUT", `/api/devices/${id}/services/${selector}`, { token: home.token, body: { value, report: true } });

/** Waits until all events are recorded. */
async function recorded(): Promise<void> {
  for (let turn = 0; turn < 5_000; turn++) {
    await cloud.clock.advance(0);
    const [behind] = await cloud.rows((build) =>
      build
        .selectFrom("counters as c")
        .leftJoin("history_positions as p", "p.ecosystem_id", "c.ecosystem_id")
        .select(["c.sequence", "p.sequence as done"])
        .where("c.ecosystem_id", "=", home.ecosystemId),
    );
    if (Number(behind?.sequence) === Number(behind?.done)) return;
    if (turn % 20 === 0) await cloud.clock.advance(1_000);
    await settle(1);
  }
  throw new Error("the log is not recorded");
}

describe("the history of a device", () => {
  it("is each change, and what held before", async () => {
    const id = await device("lamp");
    for (const celsius of [20, 21.5, 19]) {
      await report(id, "Temperature.celsius", celsius);
      await pass(10 * MINUTE);
    }
    await recorded();
    const begin = now() - (now() % HOUR);
    const { items, resolution, range } = await good(
      `/api/devices/${id}/services/Temperature.celsius/history?from=${time(begin + 5 * MINUTE)}`,
    );
    expect(resolution).toBe("raw");
    expect(parseTime(range.from)).toBe(begin + 5 * MINUTE);
    expect(parseTime(range.to)).toBe(now() - (now() % 1000));
    expect(items).toEqual([
      {
        ...{ deviceId: id, service: "Temperature", index: "0", property: "celsius", kind: "number", unit: "°C" },
        before: { at: formatTime(begin), value: 20 },
        points: [
          { at: formatTime(begin + 10 * MINUTE), value: 21.5 },
          { at: formatTime(begin + 20 * MINUTE), value: 19 },
        ],
      },
    ]);
  });

  it("is steps with the numbers of each kind, up to now", async () => {
    const id = await device("lamp");
    await report(id, "Temperature.celsius", 20);
    await report(id, "Switch.on", true);
    await report(id, "Electricity.energy", 10);
    await pass(HOUR);
    await report(id, "Temperature.celsius", 30);
    await report(id, "Switch.on", false);
    await report(id, "Electricity.energy", 12);
    await pass(30 * MINUTE);
    await recorded();
    const since = now() - (now() % HOUR) - HOUR;
    const of = async (selector: string) =>
      (await good(`/api/devices/${id}/services/${selector}/history?from=${time(since)}&resolution=1h`)).items[0];
    const open = expect.closeTo(30 * 60, -2);
    expect((await of("Temperature.celsius")).points).toEqual([
      { at: formatTime(since), knownSeconds: 3600, mean: 20, min: 20, max: 20, last: 20, count: 1 },
      { at: formatTime(since + HOUR), knownSeconds: open, mean: 30, min: 30, max: 30, last: 30, count: 1 },
    ]);
    expect((await of("Switch.on")).points).toMatchObject([
      { knownSeconds: 3600, states: [{ value: true, seconds: 3600 }], last: true, count: 1 },
      { knownSeconds: open, states: [{ value: false, seconds: open }], last: false, count: 1 },
    ]);
    expect((await of("Electricity.energy")).points).toMatchObject([
      { growth: 0, resets: 0, last: 10 },
      { growth: 2, resets: 0, last: 12 },
    ]);
  });

  it("is days of a time zone, and goes on through times without a change", async () => {
    const id = await device("lamp");
    await report(id, "Temperature.celsius", 20);
    cloud.clock.jumpWall(3 * DAY);
    await report(id, "Temperature.celsius", 10);
    await recorded();
    const { items, timeZone } = await good(
      `/api/devices/${id}/services/Temperature/history?from=${time(now() - 4 * DAY)}&resolution=1d&timeZone=Asia/Kolkata`,
    );
    expect(timeZone).toBe("Asia/Kolkata");
    const [{ points }] = items;
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const { at } of points) expect(at).toMatch(/ 18:30:00Z$/);
    expect(points[1]).toMatchObject({ knownSeconds: 86_400, mean: 20, count: 0 });
  });

  it("is empty for a property that has never reported a value", async () => {
    const id = await device("lamp");
    await recorded();
    const { items } = await good(`/api/devices/${id}/services/Switch.on/history`);
    expect(items).toMatchObject([{ kind: "state", points: [] }]);
    expect(items[0]).not.toHaveProperty("before");
  });

  it("comes in pages whose points are those of the whole", async () => {
    const id = await device("lamp");
    for (let each = 0; each < 25; each++) {
      await report(id, "Temperature.celsius", each);
      await report(id, "Electricity.energy", each);
      await pass(1_000);
    }
    await recorded();
    const path = `/api/devices/${id}/services/Temperature/history?from=${time(now() - HOUR)}&to=${time(now() + HOUR)}`;
    const whole = await good(path);
    const points = [];
    let token = "";
    do {
      const page = await good(`${path}&pageSize=7${token && `&continuationToken=${encodeURIComponent(token)}`}`);
      for (const each of page.items) points.push(...each.points);
      token = page.continuationToken ?? "";
    } while (token !== "");
    expect(points).toEqual(whole.items[0].points);
    expect(points).toHaveLength(25);
  });

  it("is CSV and NDJSON for who accepts them, whole", async () => {
    const id = await device("lamp");
    await report(id, "Temperature.celsius", 20);
    await report(id, "Switch.on", true);
    await recorded();
    const path = `/api/devices/${id}/services/Temperature.celsius/history`;
    const csv = await get(path, { accept: "text/csv" });
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.text.split("\r\n")).toEqual([
      expect.stringContaining("deviceId,service,index,property,unit,at,value,gapUntil,gapReason"),
      expect.stringMatching(`^${id},Temperature,0,celsius,°C,.*,20,,$`),
      "",
    ]);
    const ndjson = await get(path, { accept: "application/x-ndjson" });
    expect(
      ndjson.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ deviceId: id, value: 20 }]);
  });

  it("as CSV and NDJSON has a row for each time in which nothing is known", async () => {
    const id = await device("lamp");
    const settings = `/api/ecosystems/${home.ecosystemId}/history-settings`;
    const enable = (enabled: boolean) => cloud.good("PUT", settings, { token: home.token, body: { enabled } });
    const celsius = async (value: number) => {
      await report(id, "Temperature.celsius", value);
      await recorded();
      await pass(10 * MINUTE);
    };
    await celsius(20);
    await enable(false);
    await celsius(21);
    await enable(true);
    await celsius(22);
    const path = `/api/devices/${id}/services/Temperature.celsius/history`;
    const [{ gaps, points }] = (await good(path)).items;
    expect(gaps).toEqual([expect.objectContaining({ reason: "not_recorded" })]);
    const csv = (await get(path, { accept: "text/csv" })).text.trimEnd().split("\r\n");
    expect(csv.slice(1).map((row) => row.split(",").slice(5))).toEqual([
      [points[0].at, "20", "", ""],
      [gaps[0].from, "", gaps[0].until, "not_recorded"],
      [points[1].at, "22", "", ""],
    ]);
    const ndjson = (await get(path, { accept: "application/x-ndjson" })).text.trim().split("\n");
    expect(ndjson.map((line) => JSON.parse(line)).map(({ value, gapReason }) => [value, gapReason])).toEqual([
      [20, undefined],
      [null, "not_recorded"],
      [22, undefined],
    ]);
  });

  it("is not sent again to who has it", async () => {
    const id = await device("lamp");
    await report(id, "Switch.on", true);
    await recorded();
    const path = `/api/devices/${id}/services/Switch.on/history?from=${time(now() - HOUR)}&to=${time(now())}`;
    const { headers } = await get(path);
    expect((await get(path, { "if-none-match": headers.etag ?? "" })).status).toBe(304);
    await report(id, "Switch.on", false);
    await recorded();
    const later = path.replace(/to=.*/, `to=${time(now())}`);
    expect((await get(later, { "if-none-match": headers.etag ?? "" })).status).toBe(200);
  });

  it("says no more than is recorded", async () => {
    const id = await device("lamp");
    await report(id, "Switch.on", true);
    await recorded();
    // Behind: an event that is stored and not recorded.
    await report(id, "Switch.on", false);
    const at = now();
    const { range } = await good(`/api/devices/${id}/services/Switch.on/history?resolution=5m`);
    expect(parseTime(range.to)).toBeLessThanOrEqual(at);
  });

  it("goes with the device", async () => {
    const id = await device("lamp");
    await report(id, "Switch.on", true);
    await recorded();
    await cloud.good("DELETE", `/api/devices/${id}`, { token: home.token });
    expect(await title(`/api/devices/${id}/services/Switch.on/history`)).toBe("Device Not Found");
  });
});

describe("the history of a zone and of an environment", () => {
  it("has a series of each device", async () => {
    const ids = [await device("one"), await device("two"), await device("three")];
    for (const [at, id] of ids.entries()) await report(id, "Temperature.celsius", at);
    const { environmentId, token } = home;
    const body = { environmentId, items: ids.slice(0, 2) };
    const zone = await cloud.good("POST", "/api/zones", { token, body });
    await recorded();
    const values = (items: { deviceId: string; points: { value: unknown }[] }[]) =>
      items.map(({ deviceId, points }) => [deviceId, points.map(({ value }) => value)]);
    const inZone = await good(`/api/zones/${zone.id}/services/Temperature.celsius/history`);
    expect(values(inZone.items)).toEqual([
      [ids[0], [0]],
      [ids[1], [1]],
    ]);
    const all = await good(`/api/environments/${environmentId}/services/Temperature.celsius/history`);
    expect(values(all.items)).toEqual(ids.map((id, at) => [id, [at]]));
  });
});

describe("a request for history that makes no sense", () => {
  it("is rejected with what is wrong", async () => {
    const id = await device("lamp");
    const path = `/api/devices/${id}/services`;
    for (const query of ["from=now", "resolution=2h", "aggregate=median", "timeZone=Mars", `to=${time(0)}`])
      expect(await title(`${path}/Switch.on/history?${query}`), query).toBe("Query Parameter Invalid");
    expect(await title(`${path}/Switch.on/history?pageSize=10001`)).toBe("Page Size Invalid");
    expect(await title(`${path}/Switch.on/history?continuationToken=x`)).toBe("Continuation Token Invalid");
    expect(await title(`${path}/Fan.on/history`)).toBe("Service Not Found");
    expect(await title(`${path}/Switch.off/history`)).toBe("Service Property Invalid");
    expect(await title(`${path}/Switch.on/history?since=1`)).toBe("No Query String Allowed");
    expect(await title("/api/zones/zon_x/services/Switch.on/history")).toBe("Zone Invalid");
    expect(await title("/api/environments/env_x/services/Switch.on/history")).toBe("Environment Invalid");
  });
});

describe("how long an ecosystem keeps history", () => {
  const path = () => `/api/ecosystems/${home.ecosystemId}/history-settings`;

  it("is what the operator says, until it is set, within what the operator allows", async () => {
    const most = { rawDays: 90, statisticsDays: 3_660 };
    expect(await good(path())).toEqual({ enabled: true, rawDays: 10, statisticsDays: 730, most });
    const put = (body: object) => cloud.call("PUT", path(), { token: home.token, body });
    expect((await put({ rawDays: 30 })).status).toBe(200);
    expect((await put({ enabled: false })).status).toBe(200);
    expect(await good(path())).toEqual({ enabled: false, rawDays: 30, statisticsDays: 730, most });
    expect((await put({ rawDays: 91 })).body).toMatchObject({
      title: "Body Parameters Invalid",
      errors: [{ pointer: "/rawDays" }],
    });
    expect((await put({ rawDays: 0 })).body.title).toBe("Body Parameters Invalid");
    expect((await put({ rows: 1 })).body.title).toBe("Body Parameters Invalid");
  });
});
