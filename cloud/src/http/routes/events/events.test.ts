/** Event streams as their readers see them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { Followed, type Message } from "../../../streams/followed.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

const follow = (query = "", headers: Record<string, string> = {}, token = home.token) =>
  Followed.open(cloud, token, query, headers);

const SWITCH = { service: "Switch" };

async function lamp(environmentId = home.environmentId, token = home.token): Promise<string> {
  const made = await cloud.good("POST", "/api/devices", { token, body: { environmentId, services: [SWITCH] } });
  return made.id;
}

async function turn(device: string, on: boolean): Promise<void> {
  await cloud.good("PUT", `/api/devices/${device}/services/Switch.on`, { token: home.token, body: { value: on } });
}

async function newest(): Promise<number> {
  const [row] = await cloud.rows((db) =>
    db.selectFrom("counters").select("sequence").where("ecosystem_id", "=", home.ecosystemId),
  );
  return row?.sequence ?? 0;
}

const types = (messages: readonly (Message | undefined)[]) => messages.map((message) => message?.event);
const ids = (messages: readonly (Message | undefined)[]) => messages.map((message) => Number(message?.id));

async function refusal(query: string, headers: Record<string, string> = {}, token = home.token) {
  const { status, body } = await cloud.call("GET", `/api/events${query}`, { token, headers });
  return `${status} ${body.title}`;
}

test("a stream begins now, and sends each event with its sequence, its type and all of its data", async () => {
  const device = await lamp();
  await turn(device, false);
  using stream = await follow();
  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({ "content-type": "text/event-stream", "cache-control": "no-store" });
  await turn(device, true);
  const message = await stream.next();
  expect(message).toEqual({
    id: String(await newest()),
    event: "property.changed",
    data: {
      id: expect.stringMatching(/^evt_/),
      sequence: await newest(),
      type: "property.changed",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
      ecosystemId: home.ecosystemId,
      environmentId: home.environmentId,
      data: {
        item: expect.objectContaining({ deviceId: device, service: "Switch", property: "on", value: true }),
        previousValue: false,
        cause: {
          ...{ kind: "command", commandId: expect.stringMatching(/^cmd_/), tokenId: expect.stringMatching(/^tok_/) },
          durationMs: expect.any(Number),
        },
      },
    },
  });
});

test("a stream that resumes gets all that it missed, in order, without a gap or a repeat, and then goes on", async () => {
  const device = await lamp();
  const before = await newest();
  for (let round = 0; round < 5; round += 1) await turn(device, round % 2 === 0);
  using byHeader = await follow("?lastEventId=1", { "last-event-id": String(before) });
  using byParameter = await follow(`?lastEventId=${before + 2}`);
  await turn(device, false);
  await turn(device, true);
  expect(ids(await byHeader.some(6))).toEqual([1, 2, 3, 4, 5, 6].map((n) => before + n));
  expect(ids(await byParameter.some(4))).toEqual([3, 4, 5, 6].map((n) => before + n));
});

test("more events than are read at once are resumed over as well", async () => {
  const services = [{ service: "LightTemperature" }];
  const body = { environmentId: home.environmentId, services };
  const { id } = await cloud.good("POST", "/api/devices", { token: home.token, body });
  const before = await newest();
  const url = `/api/devices/${id}/services/LightTemperature.kelvin`;
  const warm = (kelvin: number) => cloud.good("PUT", url, { token: home.token, body: { value: kelvin } });
  await Promise.all(Array.from({ length: 1203 }, (_, n) => warm(1000 + n)));
  using stream = await follow(`?lastEventId=${before}`);
  expect(ids(await stream.some(1203))).toEqual(Array.from({ length: 1203 }, (_, n) => before + n + 1));
});

test("only requested types are sent", async () => {
  using stream = await follow("?types=zone.*,device.added");
  const device = await lamp();
  await turn(device, true);
  const body = { environmentId: home.environmentId, items: [device] };
  const zone = await cloud.good("POST", "/api/zones", { token: home.token, body });
  await cloud.good("DELETE", `/api/zones/${zone.id}`, { token: home.token });
  expect(types(await stream.some(3))).toEqual(["device.added", "zone.created", "zone.deleted"]);
});

test("a user receives events of its environments only, and of an environment from the moment of its access", async () => {
  const other = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
  const userToken = await cloud.userToken(home);
  using stream = await follow("", {}, userToken);
  const entries = `/api/users/${home.userId}/access`;
  const [here, there] = [await lamp(), await lamp(other.id)];
  await turn(there, true);
  await turn(here, true);
  expect((await stream.some(2)).map((each) => each?.data.environmentId)).toEqual([
    home.environmentId,
    home.environmentId,
  ]);
  const entry = await cloud.good("POST", entries, { token: home.token, body: { environmentId: other.id } });
  await turn(there, false);
  expect(await stream.next()).toMatchObject({ data: { environmentId: other.id } });
  await cloud.good("DELETE", `${entries}/${entry.id}`, { token: home.token });
  await turn(there, true);
  await turn(here, false);
  expect(await stream.next()).toMatchObject({
    data: { environmentId: home.environmentId, data: { item: { value: false } } },
  });
});

test("a stream of one environment has events of no other, and ends with it", async () => {
  const other = await cloud.good("POST", "/api/environments", { token: home.token, body: { alias: "attic" } });
  using stream = await follow(`?environmentId=${home.ecosystemId};attic`);
  await lamp();
  await lamp(other.id);
  await cloud.good("DELETE", `/api/environments/${other.id}`, { token: home.token });
  expect(types(await stream.some(3))).toEqual(["device.added", "environment.deleted", undefined]);
});

test("a stream ends when its token is revoked, and when the user loses the only environment that it is of", async () => {
  const { id, token } = await cloud.good("POST", `/api/users/${home.userId}/tokens`, { token: home.token });
  using revoked = await follow("", {}, token);
  await cloud.good("DELETE", `/api/users/${home.userId}/tokens/${id}`, { token: home.token });
  expect(await revoked.next()).toBeUndefined();
  const { items } = await cloud.good("GET", `/api/users/${home.userId}/access`, { token: home.token });
  using confined = await follow(`?environmentId=${home.environmentId}`, {}, await cloud.userToken(home));
  await cloud.good("DELETE", `/api/users/${home.userId}/access/${items[0].id}`, { token: home.token });
  expect(await confined.next()).toBeUndefined();
});

test("a stream ends within 5 s of the expiry of its token", async () => {
  const body = { expiresInSeconds: 60 };
  const { token } = await cloud.good("POST", `/api/users/${home.userId}/tokens`, { token: home.token, body });
  using stream = await follow("", {}, token);
  await cloud.clock.advance(59_000);
  await lamp();
  expect(types([await stream.next()])).toEqual(["device.added"]);
  await cloud.clock.advance(5_000);
  expect(await stream.next()).toBeUndefined();
});

test("a comment comes every 5 s, for as long as nothing happens", async () => {
  using stream = await follow();
  await cloud.clock.advance(45_000);
  await lamp();
  await stream.next();
  expect(stream.comments).toHaveLength(10);
});

test("a stream begins with its position, and repeats it in its comments while no event matches", async () => {
  using stream = await follow("?types=hub.*");
  const began = await newest();
  expect(await stream.firstComments(1)).toEqual([`: still here\nid: ${began}`]);
  await lamp();
  // The feed reads what has happened; then a comment is due.
  await cloud.clock.advance(10_000);
  expect((await stream.firstComments(3)).at(-1)).toBe(`: still here\nid: ${await newest()}`);
  expect(await newest()).toBeGreaterThan(began);
  using resumed = await follow("?types=hub.*", { "last-event-id": "0" });
  expect(await resumed.firstComments(1)).toEqual([": still here\nid: 0"]);
});

test("a snapshot comes first, with all values and where they stand", async () => {
  const device = await lamp();
  await turn(device, true);
  using stream = await follow("?snapshot=true");
  const sequence = await newest();
  expect(await stream.next()).toEqual({
    id: String(sequence),
    event: "snapshot",
    data: { sequence, items: [expect.objectContaining({ deviceId: device, property: "on", value: true })] },
  });
  await turn(device, false);
  expect(await stream.next()).toMatchObject({ id: String(sequence + 1), data: { data: { previousValue: true } } });
});

test("a snapshot holds what its reader may see: one environment, or a user's", async () => {
  const other = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
  const [here, there] = [await lamp(), await lamp(other.id)];
  for (const device of [here, there]) await turn(device, true);
  const devicesOf = async (query: string, token = home.token) => {
    using stream = await follow(`?snapshot=true${query}`, {}, token);
    const message = await stream.next();
    return message?.data.items.map((item: { deviceId: string }) => item.deviceId);
  };
  expect(await devicesOf("")).toEqual([here, there].toSorted());
  expect(await devicesOf(`&environmentId=${other.id}`)).toEqual([there]);
  expect(await devicesOf("", await cloud.userToken(home))).toEqual([here]);
});

test("a snapshot of more devices than are read at once is whole", async () => {
  const made = [];
  for (let n = 0; n < 120; n += 1) made.push(await lamp());
  for (const device of made) await turn(device, true);
  using stream = await follow("?snapshot=true");
  const message = await stream.next();
  expect(message?.data.items.map((item: { deviceId: string }) => item.deviceId)).toEqual(made);
});

test("who resumes with a snapshot misses nothing all the same", async () => {
  const device = await lamp();
  const before = await newest();
  await turn(device, true);
  using stream = await follow("?snapshot=true", { "last-event-id": String(before) });
  expect(await stream.next()).toMatchObject({
    id: String(before),
    event: "snapshot",
    data: { sequence: before + 1 },
  });
  expect(await stream.next()).toMatchObject({ id: String(before + 1) });
});

test("a stream sends a reset when missed events are no longer kept, or never existed, and continues from now", async () => {
  const device = await lamp();
  for (const on of [true, false, true]) await turn(device, on);
  await cloud.change((db) => db.deleteFrom("events").where("sequence", "<=", 2));
  using tooOld = await follow("", { "last-event-id": "1" });
  using tooNew = await follow("?lastEventId=999&snapshot=true");
  using kept = await follow("?lastEventId=2");
  const position = String(await newest());
  expect(await tooNew.some(2)).toMatchObject([
    { id: position, event: "reset" },
    { id: position, event: "snapshot" },
  ]);
  // A reader that is cut off here must be given the reset once more.
  expect([tooOld, tooNew].flatMap(({ comments }) => comments)).toEqual([": still here", ": still here"]);
  await turn(device, false);
  const now = await newest();
  expect(await tooOld.some(2)).toMatchObject([{ id: position, event: "reset" }, { id: String(now) }]);
  expect(await tooNew.next()).toMatchObject({ id: String(now) });
  expect(await kept.next()).toMatchObject({ id: "3" });
});

test("a token has so many streams and no more", async () => {
  await using small = await TestCloud.start({ streamsPerToken: 2 });
  const owner = await small.home();
  using _first = await Followed.open(small, owner.token);
  using _second = await Followed.open(small, owner.token);
  const refused = await small.call("GET", "/api/events", { token: owner.token });
  expect(refused).toMatchObject({
    status: 429,
    headers: { "retry-after": "5" },
    body: { title: "Rate Limit Exceeded" },
  });
  using other = await Followed.open(small, await small.serverToken(owner));
  expect(other.status).toBe(200);
});

test("a reader that goes away makes room for another", async () => {
  await using small = await TestCloud.start({ streamsPerToken: 1 });
  const { token } = await small.home();
  const url = `${await small.app.listen()}/api/events`;
  const open = async (signal?: AbortSignal) => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: signal ?? null });
    return answer.status;
  };
  const leave = new AbortController();
  expect(await open(leave.signal)).toBe(200);
  expect(await open()).toBe(429);
  leave.abort();
  await expect.poll(() => open()).toBe(200);
});

test("streams end when the service stops, and it waits for no reader", async () => {
  using stream = await follow();
  await cloud.app.drain();
  expect(await stream.next()).toBeUndefined();
});

test("HEAD answers as GET would, and ends at once", async () => {
  const { status, headers, text } = await cloud.call("HEAD", "/api/events", { token: home.token });
  expect({ status, type: headers["content-type"], text }).toEqual({ status: 200, type: "text/event-stream", text: "" });
});

test("a faulty request is refused before the stream begins", async () => {
  expect(await refusal("?types=property.change")).toBe("400 Query Parameter Invalid");
  expect(await refusal("?types=")).toBe("400 Query Parameter Invalid");
  expect(await refusal("?snapshot=yes")).toBe("400 Query Parameter Invalid");
  expect(await refusal("?lastEventId=-1")).toBe("400 Query Parameter Invalid");
  expect(await refusal("", { "last-event-id": "evt_1" })).toBe("400 Query Parameter Invalid");
  expect(await refusal("?pageSize=1")).toBe("400 No Query String Allowed");
  expect(await refusal("?environmentId=zon_1")).toBe("400 Environment Invalid");
  expect(await refusal("?ecosystemId=attic")).toBe("400 Ecosystem Invalid");
  const elsewhere = await cloud.home();
  expect(await refusal(`?environmentId=${elsewhere.environmentId}`)).toBe("400 Environment Invalid");
  const other = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
  const userToken = await cloud.userToken(home);
  expect(await refusal(`?environmentId=${other.id}`, {}, userToken)).toBe("403 Access Denied");
  await cloud.good("DELETE", `/api/environments/${other.id}`, { token: home.token });
  expect(await refusal(`?environmentId=${other.id}`)).toBe("404 Environment Not Found");
});

test("an account with several ecosystems names one, or an environment of it", async () => {
  const second = await cloud.good("POST", "/api/ecosystems", { token: home.token, body: {} });
  expect(await refusal("")).toBe("400 Ecosystem Missing");
  expect(await refusal(`?ecosystemId=${second.id}&environmentId=${home.environmentId}`)).toBe(
    "404 Environment Not Found",
  );
  using whole = await follow(`?ecosystemId=${second.id}`);
  using environment = await follow(`?environmentId=${home.environmentId}`);
  await lamp();
  expect(await environment.next()).toMatchObject({ event: "device.added" });
  await cloud.good("DELETE", `/api/ecosystems/${second.id}`, { token: home.token });
  expect(await whole.next()).toBeUndefined();
});
