/** Where the time of one write went, hop by hop, for who asks (A4). */
import { readServerTiming } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientPrincipal } from "../../../access/index.ts";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { LAMP, LAMP_SERVICES, obey, silence } from "../../../devices/devices.fixture.ts";
import { newKey, ScriptedHub } from "../../../tunnels/tunnels.fixture.ts";

let cloud: TestCloud;
let home: Home;
let hub: ScriptedHub;
let hue: string;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  const { token, environmentId } = home;
  const { id } = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
  const made = await cloud.good("POST", `/api/clients/${id}/tokens`, { token });
  const principal: ClientPrincipal = await cloud.app.authenticateClient(made.token);
  const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
  hub = await ScriptedHub.connect(host, principal, { key: newKey() });
  const lamp = { edgeId: LAMP, digest: "d1", arrival: 1, online: true };
  await hub.ask("inventory", { digest: "all", devices: [lamp] });
  await hub.ask("describe", { ...lamp, about: {}, part: 0, parts: 1, services: LAMP_SERVICES });
  const { items } = await cloud.good("GET", "/api/devices", { token });
  hue = `/api/devices/${items[0].id}/services/LightColor.hue`;
});
afterEach(() => cloud[Symbol.asyncDispose]());

const TRACE = { "x-porchlight-trace": "1" };
const put = (headers: Record<string, string>) =>
  cloud.call("PUT", hue, { token: home.token, body: { value: 120 }, headers });
const timing = async (reply: Promise<{ headers: Record<string, unknown> }>) =>
  readServerTiming(String((await reply).headers["server-timing"] ?? ""));

describe("x-porchlight-trace: 1", () => {
  it("gets each hop's time beside the answer, the hub's own among them", async () => {
    const asked: unknown[] = [];
    hub.answers.command = async (params: never) => {
      asked.push(params);
      await cloud.clock.advance(250);
      return { ...obey(1)(params), hops: { turn: 3, journal: 2.5, device: 200 } };
    };
    const reply = await put({ ...TRACE, "x-request-id": "my-request", origin: "https://example.com" });
    expect(reply).toMatchObject({ status: 200, body: { value: 120 } });
    expect(asked).toMatchObject([{ trace: true, requestId: "my-request" }]);
    const { access, total, ...hops } = await timing(Promise.resolve(reply));
    expect(hops).toMatchObject({ tunnel: 250, "hub-turn": 3, "hub-journal": 2.5, "hub-device": 200 });
    expect(Object.keys(hops)).toEqual(["check", "queue", "tunnel", "hub-turn", "hub-journal", "hub-device", "store"]);
    expect(total).toBeGreaterThanOrEqual(access ?? Number.POSITIVE_INFINITY);
    expect(reply.headers["access-control-expose-headers"]).toContain("server-timing");
  });

  it("is answered by a hub that knows nothing of it without the hub's own", async () => {
    hub.answers.command = obey(1);
    expect(Object.keys(await timing(put(TRACE)))).toEqual(["access", "check", "queue", "tunnel", "store", "total"]);
  });

  it("says also of what failed how long it was waited for, and where", async () => {
    const asked = Promise.withResolvers<void>();
    hub.answers.command = () => {
      asked.resolve();
      return silence();
    };
    const failing = put({ ...TRACE, prefer: "wait=2" });
    const timed = timing(failing);
    await asked.promise;
    await cloud.clock.until(failing);
    expect((await failing).status).toBe(504);
    expect((await timed).tunnel).toBe(2000);
  });

  it("that is not sent, or says anything else, gets nothing beside the answer", async () => {
    hub.answers.command = obey(1);
    for (const headers of [{}, { "x-porchlight-trace": "0" }, { "x-porchlight-trace": "yes" }])
      expect((await put(headers)).headers["server-timing"]).toBeUndefined();
  });

  it("is not repeated with a kept answer, whose times are over", async () => {
    hub.answers.command = obey(1);
    const keyed = { ...TRACE, "idempotency-key": "k1" };
    expect(Object.keys(await timing(put(keyed)))).toContain("tunnel");
    const again = await put(keyed);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.headers["server-timing"]).toBeUndefined();
  });
});
