/** Why a value is what it is, over the whole cloud with a hub scripted by hand (A3.8): each way in which a lamp can be off. */
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientPrincipal } from "../../../access/index.ts";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { LAMP, LAMP_SERVICES, obey } from "../../../devices/devices.fixture.ts";
import { newKey, ScriptedHub } from "../../../tunnels/tunnels.fixture.ts";

const SWITCH = { device: LAMP, service: "Switch", index: "0", property: "on" };

let cloud: TestCloud;
let home: Home;
let hub: ScriptedHub;
let clientId: string;
let lamp: string;
let n = 0;
beforeEach(async () => {
  n = 0;
  cloud = await TestCloud.start();
  home = await cloud.home();
  const { token, environmentId } = home;
  const meta = { "$.name": "Cellar hub" };
  clientId = (await cloud.good("POST", "/api/clients", { token, body: { environmentId, meta } })).id;
  const made = await cloud.good("POST", `/api/clients/${clientId}/tokens`, { token });
  const principal: ClientPrincipal = await cloud.app.authenticateClient(made.token);
  const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
  hub = await ScriptedHub.connect(host, principal, { key: newKey() });
  const device = { edgeId: LAMP, digest: "d1", arrival: 1, online: true };
  await hub.ask("inventory", { digest: "all", devices: [device] });
  await hub.ask("describe", { ...device, about: { name: "Lamp" }, part: 0, parts: 1, services: LAMP_SERVICES });
  lamp = (await cloud.good("GET", "/api/devices", { token })).items[0].id;
  hub.answers.command = obeying();
  await set(true);
});
afterEach(() => cloud[Symbol.asyncDispose]());

/** Obeys after so long, by the service's clock. */
const obeying = (ms = 0) => {
  return async (params: never) => {
    await cloud.clock.advance(ms);
    return obey(++n, { observedAt: cloud.clock.now(), hops: { turn: 1, journal: 2, device: 30 } })(params);
  };
};
const refusing = (failure: object, outcome: string) => (params: never) =>
  obey(++n, { outcome, value: undefined, failure })(params);
const url = (selector = "Switch.on") => `/api/devices/${lamp}/services/${selector}`;
const set = (value: boolean, options: { token?: string; headers?: Record<string, string> } = {}) =>
  cloud.call("PUT", url(), { token: home.token, body: { value }, ...options });
const why = (token = home.token, selector?: string) => cloud.good("GET", `${url(selector)}/why`, { token });
const report = (value: boolean, cause = "report") =>
  hub.ask("records", {
    records: [{ kind: "value", n: ++n, ...SWITCH, value, observedAt: cloud.clock.now(), cause }],
  });
/** A user of the home with a name. */
async function anna(): Promise<string> {
  const { token, ecosystemId, environmentId } = home;
  const body = { ecosystemId, key: "anna@example.com", meta: { "$.name": "Anna's phone" } };
  const { id } = await cloud.good("POST", "/api/users", { token, body });
  await cloud.good("POST", `/api/users/${id}/access`, { token, body: { environmentId } });
  return cloud.userToken(home, id);
}
const journal = (items: object[], isCut = false) => {
  hub.answers.maintenance = () => ({ journal: { isCut, items } });
};

describe("why a lamp is off", () => {
  it("another user's token: who, from where, under which key, and the time of each hop", async () => {
    const token = await anna();
    hub.answers.command = obeying(40);
    const put = await set(false, { token, headers: { "idempotency-key": "k-1", "x-request-id": "from-the-phone" } });
    const commandId = put.headers["x-command-id"];
    journal([{ command: commandId, requested: false, begunAt: 1000, end: { outcome: "confirmed", at: 2000 } }]);
    const explained = await why();
    expect(explained).toMatchObject({
      ...{ deviceId: lamp, deviceName: "Lamp", service: "Switch", property: "on", value: false },
      hub: { id: clientId, name: "Cellar hub" },
      cause: {
        ...{ kind: "command", commandId, previousValue: true },
        command: {
          ...{ id: commandId, value: false, outcome: "confirmed", durationMs: 40 },
          ...{ requestId: "from-the-phone", idempotencyKey: "k-1" },
          by: { kind: "user", name: "Anna's phone", address: "127.0.0.1" },
          hops: [
            { hop: "api", ms: 0 },
            { hop: "tunnel", ms: 7 },
            { hop: "hub", ms: 3 },
            { hop: "device", ms: 30 },
          ],
          journal: { isFound: true, begunAt: "1970-01-01 00:00:01Z", outcome: "confirmed" },
        },
      },
      obstacles: [],
      unknown: [{ about: "frames" }],
    });
    expect(explained.asked).toBeUndefined();
  });

  it("what the hub measured is not counted twice, where only its journal has it", async () => {
    hub.answers.command = async (params: never) => {
      await cloud.clock.advance(40);
      return obey(++n, { observedAt: cloud.clock.now() })(params);
    };
    const put = await set(false);
    const ended = { end: { outcome: "confirmed", at: 2000 }, hops: { turn: 1, journal: 2, device: 30 } };
    journal([{ command: put.headers["x-command-id"], requested: false, ...ended }]);
    expect((await why()).cause.command.hops).toEqual([
      { hop: "api", ms: 0 },
      { hop: "tunnel", ms: 7 },
      { hop: "hub", ms: 3 },
      { hop: "device", ms: 30 },
    ]);
  });

  it("a user sees who it was, but not from which address and under which key", async () => {
    const token = await anna();
    await set(false, { headers: { "idempotency-key": "k-1" } });
    const { by, idempotencyKey } = (await why(token)).cause.command;
    expect(by).toMatchObject({ kind: "account", id: home.id });
    expect([by.address, by.userAgent, idempotencyKey]).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(await why(token))).not.toContain("owner-1@example.com");
  });

  it("a scene, or a write to a zone: from where it was called, and under which key", async () => {
    const { token, environmentId } = home;
    hub.answers["scene.call"] = ({ commands }: { commands: never[] }) => ({
      results: commands.map((each) => obey(++n)(each)),
    });
    const item = { target: lamp, service: "Switch.on", value: false };
    const scene = await cloud.good("POST", "/api/scenes", { token, body: { environmentId, items: [item] } });
    const headers = { "idempotency-key": "k-2", "x-request-id": "from-the-panel" };
    await cloud.good("POST", `/api/scenes/${scene.id}/call`, { token, body: {}, headers });
    const from = { requestId: "from-the-panel", by: { kind: "account", address: "127.0.0.1" } };
    expect((await why()).cause).toMatchObject({
      ...{ kind: "scene", sceneId: scene.id },
      command: { ...from, value: false, idempotencyKey: "k-2" },
    });
    const zone = await cloud.good("POST", "/api/zones", { token, body: { environmentId, items: [lamp] } });
    const wide = { token, body: { value: true }, headers: { ...headers, "idempotency-key": "k-3" } };
    await cloud.good("PUT", `/api/zones/${zone.id}/services/Switch.on`, wide);
    expect((await why()).cause).toMatchObject({ kind: "command", command: { ...from, idempotencyKey: "k-3" } });
  });

  it("by hand at the device: its own report, after a command that it had confirmed", async () => {
    await cloud.clock.advance(60_000);
    await report(false);
    expect(await why()).toMatchObject({
      value: false,
      cause: { kind: "device", previousValue: true },
      asked: { value: true, outcome: "confirmed" },
      obstacles: [{ kind: "superseded" }],
      unknown: expect.arrayContaining([expect.objectContaining({ about: "sender" })]),
    });
  });

  it("at home, through the hub's own API: the hub's journal says by which token", async () => {
    await report(false, "local");
    const entry = { command: "cmd_local", requested: false, isLocal: true, by: "wall panel" };
    journal([{ ...entry, end: { outcome: "confirmed", at: 5 } }]);
    expect((await why()).cause).toMatchObject({ kind: "local", by: { kind: "local", name: "wall panel" } });
    // A hub that does not tell leaves it unknown.
    hub.answers.maintenance = () => ({ refused: "the disk is broken" });
    const untold = await why();
    expect(untold.cause.by).toBeUndefined();
    expect(untold.unknown).toEqual([
      expect.objectContaining({ about: "sender" }),
      { about: "journal", detail: "the disk is broken" },
    ]);
  });

  it("it was asked to be on, and the device refused: in the device's words", async () => {
    await report(false);
    const failure = { name: "Device Rejected", detail: "too hot", code: 6 };
    hub.answers.command = refusing(failure, "rejected");
    await set(true);
    expect(await why()).toMatchObject({
      ...{ value: false, cause: { kind: "device" }, asked: { value: true, outcome: "rejected" } },
      obstacles: [{ kind: "rejected", detail: "too hot", code: 6 }],
    });
  });

  it("its hub is offline, and the command waits", async () => {
    await report(false);
    hub.cut();
    await cloud.clock.advance(12_000);
    await settle(20);
    const body = { value: true, ttlSeconds: 600 };
    await cloud.good("PUT", url(), { token: home.token, body, headers: { prefer: "respond-async" } });
    expect(await why()).toMatchObject({
      asked: { state: "queued" },
      obstacles: [{ kind: "waiting" }, { kind: "hub_offline", reason: "lost" }],
      unknown: expect.arrayContaining([
        { about: "journal", detail: "The hub is not connected, so its journal cannot be read." },
      ]),
    });
  });

  it("its hub is online, and the device is not", async () => {
    await hub.ask("records", {
      records: [{ kind: "presence", n: ++n, device: LAMP, online: false, observedAt: cloud.clock.now() }],
    });
    expect((await why()).obstacles).toMatchObject([{ kind: "device_offline" }]);
  });
});

describe("the frames on the line", () => {
  const since = 0;
  const written = (command: string) => ({
    ...{ kind: "write", command, value: false },
    frames: [
      { at: 5000, direction: "to_device", bytes: 9, hex: "c00107c0", says: "WRITE 7: device 0, Switch:0.on = false" },
      { at: 5012.345, direction: "from_device", bytes: 7, hex: "c00208c0", says: "WRITTEN 7: false" },
    ],
  });
  const sendLine = (line: object) => {
    hub.answers.maintenance = () => ({ journal: { isCut: false, items: [], line } });
  };

  it("are listed under the command that they belong to, with their times", async () => {
    const put = await set(false);
    sendLine({ kind: "kept", since, exchanges: [written("cmd_other"), written(String(put.headers["x-command-id"]))] });
    const { cause, unknown } = await why();
    expect(cause.command.frames).toEqual([
      { ...written("").frames[0], at: "1970-01-01 00:00:05Z", afterMs: 0 },
      { ...written("").frames[1], at: "1970-01-01 00:00:05Z", afterMs: 12.35 },
    ]);
    expect(cause.frames).toBeUndefined();
    expect(unknown).toEqual([]);
  });
});

describe("what is not known", () => {
  it("is reported of a hub whose agent is too old, or which does not answer", async () => {
    expect((await why()).unknown).toContainEqual({
      about: "journal",
      detail: "The agent on the hub is too old to answer questions about its journal.",
    });
    hub.answers.maintenance = () => new Promise(() => undefined);
    expect((await cloud.clock.until(why())).unknown).toContainEqual({
      about: "journal",
      detail: "The hub did not answer the question about its journal in time.",
    });
  });

  it("is reported of a change whose events are gone, and of a sender whose token is", async () => {
    const token = await anna();
    await set(false, { token });
    await cloud.change((build) => build.deleteFrom("tokens").where("kind", "=", "usr"));
    expect((await why()).cause.command.by).toMatchObject({ kind: "unknown" });
    await cloud.change((build) => build.deleteFrom("events").where("type", "!=", "hub.online"));
    await cloud.change((build) => build.updateTable("events").set({ sequence: 1000 }));
    const { cause, unknown } = await why();
    expect([cause.kind, unknown[0].about]).toEqual(["unknown", "cause"]);
  });

  it("has no cause as long as there is no value, and still reports the command that failed", async () => {
    const failure = { name: "Device Unreachable", detail: "The line is down." };
    hub.answers.command = (params: never) => ({ ...refusing(failure, "not_applied")(params) });
    await cloud.call("PUT", url("LightColor.hue"), { token: home.token, body: { value: 120 } });
    expect(await why(home.token, "LightColor.hue")).toMatchObject({
      ...{ cause: { kind: "none" }, unit: "deg" },
      obstacles: [{ kind: "not_applied", detail: "The line is down." }],
    });
  });

  it("does not hide a command that the hub has never had", async () => {
    journal([]);
    hub.answers.command = () => new Promise(() => undefined);
    const setting = set(false, { headers: { prefer: "wait=1" } });
    await settle(20);
    await cloud.clock.until(setting);
    expect(await why()).toMatchObject({
      asked: { state: "sent", outcome: "unknown", journal: { isFound: false } },
      obstacles: [{ kind: "unknown" }],
    });
  });
});

it("a value of a virtual device that was reported names who reported it", async () => {
  const { token, environmentId } = home;
  const body = { environmentId, services: [{ service: "Temperature" }] };
  const { id } = await cloud.good("POST", "/api/devices", { token, body });
  const at = `/api/devices/${id}/services/Temperature.celsius`;
  await cloud.good("PUT", at, { token, body: { value: 21, report: true } });
  expect(await cloud.good("GET", `${at}/why`, { token })).toMatchObject({
    cause: { kind: "device", command: { isReport: true, value: 21, by: { kind: "account" } } },
    unknown: [],
  });
});

it("a selector that names no property is refused, by the errors of a write", async () => {
  const title = async (selector: string) =>
    (await cloud.call("GET", `${url(selector)}/why`, { token: home.token })).body.title;
  expect(await title("Fan.on")).toBe("Service Not Found");
  expect(await title("Switch")).toBe("Service Property Invalid");
  expect(await title("Switch.off")).toBe("Service Property Invalid");
});
