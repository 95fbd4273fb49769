/** Two nodes are one service: what one has done the other reports, with and without a bus message. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Home, TestCloud } from "./app.fixture.ts";
import { type TwoClouds, twoClouds } from "./two-clouds.fixture.ts";

let clouds: TwoClouds;
let one: TestCloud;
let other: TestCloud;
let home: Home;
beforeEach(async () => {
  clouds = await twoClouds();
  ({ one, other } = clouds);
  home = await one.home();
});
afterEach(() => clouds[Symbol.asyncDispose]());

/** Lets all that runs between the processes and the database go on, and `ms` of time pass. */
async function pass(ms: number): Promise<void> {
  for (let done = 0; done < ms; done += 250) {
    await one.clock.advance(250);
    for (const cloud of [one, other]) await cloud.app.fastify.inject({ url: "/readyz" });
  }
}

const LAMP = { alias: "lamp", services: [{ service: "LightColor" }] };

async function lamp(): Promise<string> {
  const body = { ...LAMP, environmentId: home.environmentId };
  return (await one.good("POST", "/api/devices", { token: home.token, body })).id;
}

const set = (cloud: TestCloud, id: string, value: number) =>
  cloud.good("PUT", `/api/devices/${id}/services/LightColor.hue`, { token: home.token, body: { value } });
const hue = async (cloud: TestCloud, id: string) =>
  (await cloud.good("GET", `/api/devices/${id}/services/LightColor.hue`, { token: home.token })).items[0]?.value;

describe.each([
  ["that is notified", false],
  ["that hears nothing", true],
])("a node %s", (_what, deaf) => {
  beforeEach(async () => {
    await pass(1_000);
    for (const bus of clouds.buses) bus.loses = deaf;
  });
  /** So long may what the other has done be unknown. */
  const soon = () => pass(deaf ? 1_250 : 250);

  test("returns a value that the other has stored", async () => {
    const id = await lamp();
    await set(one, id, 10);
    await soon();
    expect(await hue(other, id)).toBe(10);
    await set(one, id, 20);
    await soon();
    expect(await hue(other, id)).toBe(20);
    await set(other, id, 30);
    await soon();
    expect(await hue(one, id)).toBe(30);
  });

  test("refuses a token that the other has ended", async () => {
    const token = await one.userToken(home);
    const url = `/api/environments/${home.environmentId}`;
    expect((await other.call("GET", url, { token })).status).toBe(200);
    const { items } = await one.good("GET", `/api/users/${home.userId}/tokens`, { token: home.token });
    await one.good("DELETE", `/api/users/${home.userId}/tokens/${items[0].id}`, { token: home.token });
    await soon();
    expect((await other.call("GET", url, { token })).body.title).toBe("Token Invalid");
  });

  test("finds a device under the alias that the other has given it, and not under the one before", async () => {
    const id = await lamp();
    const named = (alias: string) => `/api/devices/${home.environmentId};${alias}`;
    expect((await other.call("GET", named("lamp"), { token: home.token })).status).toBe(200);
    await one.good("PUT", `/api/devices/${id}`, { token: home.token, body: { alias: "moon", meta: {} } });
    await soon();
    expect((await other.call("GET", named("moon"), { token: home.token })).body.id).toBe(id);
    expect((await other.call("GET", named("lamp"), { token: home.token })).body.title).toBe("Device Not Found");
  });

  test("knows no device that the other has deleted", async () => {
    const id = await lamp();
    await set(other, id, 1);
    await soon();
    await one.good("DELETE", `/api/devices/${id}`, { token: home.token });
    await soon();
    const url = `/api/devices/${id}/services/LightColor.hue`;
    expect((await other.call("GET", url, { token: home.token })).body.title).toBe("Device Not Found");
  });
});

describe("a node that cannot ask the database", () => {
  test("answers nothing from memory after two seconds, and continues by itself once it can", async () => {
    const id = await lamp();
    await set(other, id, 5);
    expect(await hue(other, id)).toBe(5);
    other.storeFault.error = new Error("the line is cut");
    await one.clock.advance(2_500);
    const url = `/api/devices/${id}/services/LightColor.hue`;
    const refused = await other.call("GET", url, { token: home.token });
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(await hue(one, id)).toBe(5);
    other.storeFault.error = undefined;
    expect(await hue(other, id)).toBe(5);
  });
});
