/** The API at home alone: whose tokens are good there, what is not served there, and how the two sides stay one home. */
import { LAMP } from "@porchlight/agent/state/state.fixture.ts";
import { systemRandom } from "@porchlight/shared/kernel";
import { makeToken } from "@porchlight/shared/rest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../parts/eventually.ts";
import { ask, House, type Reply, type Side } from "./house.ts";

let house: House;
let home: Side;
beforeAll(async () => {
  house = await House.build();
  home = house.atHome;
});
afterAll(() => house[Symbol.asyncDispose]());

const title = ({ status, body }: Reply) => `${status} ${body?.title ?? "fine"}`;
const level = () => `/api/devices/${home.lamp}/services/LightLevel.level`;

describe("the API at home", () => {
  it.each([
    ["GET", "/api/zones"],
    ["GET", "/api/environments"],
    ["GET", "/api/commands/cmd_01kad2vqz0fv8t7vqh5v8q5x5r"],
    ["POST", "/api/accounts/login"],
    ["GET", "/api/openapi.json"],
    ["GET", "/healthz"],
    ["GET", "/metrics"],
    ["GET", "/"],
    ["GET", "/api/devices/%E0%A4%A"],
  ])("serves no %s %s", async (method, path) => {
    const reply = await fetch(home.url + path, { method });
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ title: "Endpoint Not Found" });
  });

  it("keeps no command waiting: it has no respond-async", async () => {
    const headers = { prefer: "respond-async" };
    expect(title(await home.call("PUT", level(), { body: { value: 1 }, headers }))).toBe("404 Endpoint Not Found");
  });

  it("explains its errors at the service's own address", async () => {
    const { body } = await home.call("GET", "/api/devices/lamp");
    expect(body.type).toBe(`${house.inTheCloud.url}/docs/errors/device-invalid`);
  });

  it("takes tokens of the hub alone, and names that to others; the cloud takes none of them", async () => {
    const { token } = house.inTheCloud;
    const reply = await home.call("GET", "/api/token", { token });
    expect([title(reply), reply.body.detail]).toEqual(["401 Token Invalid", expect.stringContaining("token create")]);
    expect((await home.call("GET", "/api/token")).body).toMatchObject({ type: "local", ecosystemId: home.ecosystemId });
    expect(title(await house.inTheCloud.call("GET", "/api/token", { token: home.token }))).toBe("401 Token Invalid");
  });

  it("ends a token at once when it is revoked, and lists those that there are without their secrets", async () => {
    const made = (await ask(house.agent, "token create", { label: "panel" })) as { id: string; token: string };
    expect((await home.call("GET", "/api/token", { token: made.token })).body).toMatchObject({ id: made.id });
    const listed = await ask(house.agent, "token list");
    expect(listed).toMatchObject([{ label: "test" }, { id: made.id, label: "panel" }]);
    expect(JSON.stringify(listed)).not.toContain("plt_loc_");
    await ask(house.agent, "token revoke", { id: made.id });
    expect(title(await home.call("GET", "/api/token", { token: made.token }))).toBe("401 Token Invalid");
    await expect(ask(house.agent, "token revoke", { id: made.id })).rejects.toThrow("no token with that ID");
  });

  it("counts bad credentials, and stops guessing; a good one goes on being served", async () => {
    const guesses = Array.from({ length: 60 }, () =>
      home.call("GET", "/api/token", { token: makeToken("loc", systemRandom) }),
    );
    const replies = await Promise.all(guesses);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await home.call("GET", "/api/token")).status).toBe(200);
  });

  it("names a device as the cloud does, soon after the name has changed", async () => {
    const { devices } = house.owner.asAccount;
    await devices.update(home.lamp, { alias: "ceiling" });
    const alias = async () => (await home.call("GET", `/api/devices/${home.lamp}`)).body.alias;
    await eventually("the hub knows", async () => (await alias()) === "ceiling");
    const tags = [home, house.inTheCloud].map(async (side) => {
      const { headers } = await side.call("GET", `/api/devices/${home.lamp}`);
      return headers.get("etag");
    });
    expect(new Set(await Promise.all(tags)).size).toBe(1);
    await devices.update(home.lamp, { alias: "lamp" });
    await eventually("the hub knows again", async () => (await alias()) === "lamp");
  });

  it("carries out writes from home and from the cloud in the order in which they arrive", async () => {
    const before = house.driver.touches.length;
    house.driver.hold();
    const inTheCloud = house.inTheCloud.call("PUT", level(), { body: { value: 1 } });
    await eventually("the device is being asked", async () => house.driver.touches.length > before);
    const atHome = home.call("PUT", level(), { body: { value: 2 } });
    await eventually("both wait", async () => house.agent.status().commandsWaiting === 2);
    house.driver.release();
    expect([(await inTheCloud).body.value, (await atHome).body.value]).toEqual([1, 2]);
    expect(house.driver.touches.slice(before)).toMatchObject([{ value: 1 }, { value: 2 }]);
  });

  it("reports to the cloud what was set while the line was cut, when it is mended", async () => {
    await house.cut();
    expect((await home.call("PUT", level(), { body: { value: 77 } })).body).toMatchObject({ value: 77 });
    const known = async () => (await house.inTheCloud.call("GET", level())).body.items[0].value;
    expect(await known()).not.toBe(77);
    house.mend();
    await eventually("the cloud knows", async () => (await known()) === 77);
  });

  it("forgets a device that was deleted in the cloud", async () => {
    await house.owner.asAccount.devices.delete(home.button);
    const gone = async () => title(await home.call("GET", `/api/devices/${home.button}`)) === "400 Device Invalid";
    await eventually("the hub has been notified of it", gone);
    expect(house.agent.status().devices.map(({ edgeId }) => edgeId)).toContain(LAMP);
  });
});
