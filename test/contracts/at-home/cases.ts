/** What holds of the API of a home at each place that serves it: written once, run against the cloud and against the hub. */
import { BUTTON, LAMP } from "@porchlight/agent/state/state.fixture.ts";
import type { DriverResult } from "@porchlight/driver-kit";
import { afterEach, describe, expect, it } from "vitest";
import type { Reply, Side } from "./house.ts";

const title = ({ status, body }: Reply) => `${status} ${body?.title ?? "fine"}`;
const REJECTED: DriverResult = { kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "no", code: 7 };
const UNREACHABLE = { kind: "failed", name: "Device Unreachable", detail: "gone" } as const;
const AWAY: DriverResult = { ...UNREACHABLE, outcome: "not_applied" };

export function readingCases(side: () => Side): void {
  const get = (path: string, headers = {}) => side().call("GET", path, { headers });
  const lamp = (rest = "") => `/api/devices/${side().lamp}${rest}`;

  describe("reading", () => {
    it("shows the presented token", async () => {
      const { body, headers } = await get("/api/token?");
      expect(body).toMatchObject({ id: expect.stringMatching(/^tok_/), ecosystemId: side().ecosystemId });
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    });

    it("lists the devices of the home, with what they are called and whether they are there", async () => {
      const { lamp, button, environmentId, ecosystemId, clientId } = side();
      const { status, body } = await get("/api/devices");
      expect(status).toBe(200);
      const common = { environmentId, ecosystemId, clientId, type: "physical", connection: { state: "online" } };
      expect(body.items).toMatchObject([
        { id: lamp, edgeId: LAMP, alias: "lamp", meta: { room: "hall", "$.colour": "red" }, ...common },
        { id: button, edgeId: BUTTON, ...common },
      ]);
    });

    it.each([
      ["?type=physical", 2],
      ["?type=virtual", 0],
    ])("filters the list by %s", async (query, count) => {
      expect((await get(`/api/devices${query}`)).body.items).toHaveLength(count);
    });

    it("filters the list by the environment, also by its alias", async () => {
      const { environmentId, ecosystemId } = side();
      for (const reference of [environmentId, `${ecosystemId};house`])
        expect((await get(`/api/devices?environmentId=${reference}`)).body.items).toHaveLength(2);
    });

    it("gives a page and its continuation, and the token is good for that query alone", async () => {
      const { lamp, button } = side();
      const first = (await get("/api/devices?pageSize=1")).body;
      expect(first.items.map(({ id }: { id: string }) => id)).toEqual([lamp]);
      const token = encodeURIComponent(first.continuationToken);
      const second = (await get(`/api/devices?pageSize=1&continuationToken=${token}`)).body;
      expect(second.items.map(({ id }: { id: string }) => id)).toEqual([button]);
      expect(second.continuationToken).toBeUndefined();
      const changed = await get(`/api/devices?type=physical&continuationToken=${token}`);
      expect(title(changed)).toBe("400 Continuation Token Invalid");
    });

    it("shows a device by its ID, and by its alias within the environment", async () => {
      const { lamp: id, environmentId, ecosystemId } = side();
      const shown = (await get(lamp())).body;
      expect(shown).toMatchObject({ id, alias: "lamp", createdAt: expect.any(String) });
      for (const reference of [`${environmentId};lamp`, `${environmentId}%3Blamp`, `${ecosystemId};house;lamp`])
        expect((await get(`/api/devices/${reference}`)).body).toEqual(shown);
    });

    it("shows metadata under the prefix that is asked for", async () => {
      const { body } = await get(lamp(), { "x-system-metadata-prefix": "sys:" });
      expect(body.meta).toMatchObject({ room: "hall", "sys:colour": "red", "sys:manufacturer": "Acme" });
    });

    it("reports by its etag that a device is as it was", async () => {
      const tag = (await get(lamp())).headers.get("etag") ?? "";
      const again = await get(lamp(), { "if-none-match": tag });
      expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, undefined, tag]);
    });

    it("lists the services of a device with their values", async () => {
      const { body } = await get(lamp("/services"));
      expect(body.items.map(({ service }: { service: string }) => service)).toEqual(["Switch", "LightLevel", "Button"]);
      expect(body.items[1].properties).toMatchObject([
        { property: "level", access: ["read", "write", "notify"], value: 10 },
      ]);
    });

    it("gives the known value of a property as an item, without asking the device", async () => {
      const before = side().driver.touches.length;
      const { lamp: deviceId, environmentId: id, ecosystemId } = side();
      const { body } = await get(lamp("/services/LightLevel.level"));
      const address = { service: "LightLevel", index: "0", property: "level" };
      expect(body.items).toMatchObject([{ ecosystemId, id, deviceId, ...address, value: 10 }]);
      expect(side().driver.touches).toHaveLength(before);
    });

    it("gives the properties of all devices of the environment", async () => {
      const { environmentId, ecosystemId, lamp } = side();
      for (const reference of [environmentId, `${ecosystemId};house`]) {
        const { body } = await get(`/api/environments/${reference}/services/LightLevel`);
        expect(body.items.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual([lamp]);
      }
    });

    it.each(["Toaster.on", "LightLevel.weight", "%20", "Switch:7"])(
      "answers %s with an empty list",
      async (selector) => {
        expect((await get(lamp(`/services/${selector}`))).body).toEqual({ items: [] });
      },
    );

    it("accepts a version in the path, a trailing slash and HEAD", async () => {
      const plain = (await get("/api/devices")).body;
      expect((await get("/v0/api/devices/")).body).toEqual(plain);
      const head = await side().call("HEAD", "/api/devices");
      expect([head.status, head.body, head.headers.get("x-api-version")]).toEqual([200, undefined, "v0"]);
    });

    it("keeps the caller's own request ID", async () => {
      const { headers } = await get("/api/token", { "x-request-id": "mine-1" });
      expect(headers.get("x-request-id")).toBe("mine-1");
    });

    it("may be read by the page of another origin", async () => {
      const { headers } = await get("/api/token", { origin: "https://app.example" });
      expect(headers.get("access-control-allow-origin")).toBe("*");
      const preflight = await side().call("OPTIONS", lamp("/services/Switch.on"), {
        token: "",
        headers: { origin: "https://app.example", "access-control-request-headers": "authorization" },
      });
      expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"]);
    });
  });
}

export function refreshCases(side: () => Side): void {
  const get = (path: string, headers = {}) => side().call("GET", path, { headers });
  const level = () => `/api/devices/${side().lamp}/services/LightLevel.level`;

  describe("refreshing", () => {
    it("reads the device, and its answer is known from then on", async () => {
      side().driver.values.set(`${LAMP} level`, 33);
      const { status, body, headers } = await get(`${level()}?refresh=true`, { prefer: "wait=30" });
      expect([status, headers.get("preference-applied")]).toEqual([200, "wait=30"]);
      expect(body.items).toMatchObject([{ value: 33 }]);
      expect((await get(level())).body.items).toMatchObject([{ value: 33 }]);
    });

    it("does not ask a device that was observed lately enough", async () => {
      await get(`${level()}?refresh=true`);
      const before = side().driver.touches.length;
      expect((await get(`${level()}?maxAge=3600`)).body.items).toHaveLength(1);
      expect(side().driver.touches).toHaveLength(before);
      await get(`${level()}?maxAge=0`);
      expect(side().driver.touches.length).toBeGreaterThanOrEqual(before);
    });

    it("reports what could not be read beside what could, with what was known", async () => {
      side().driver.next.push(AWAY);
      const { status, body } = await get(
        `/api/environments/${side().environmentId}/services/LightLevel.level?refresh=true`,
      );
      expect(status).toBe(200);
      expect(body.items).toEqual([]);
      expect(body.failures).toMatchObject([
        { deviceId: side().lamp, service: "LightLevel", name: "Device Unreachable", lastKnown: { value: 33 } },
      ]);
    });

    it("answers with the failure when nothing of one device could be read", async () => {
      side().driver.next.push(REJECTED);
      expect(title(await get(`${level()}?refresh=true`))).toBe("422 Device Rejected");
    });

    it("cannot reach a device that has left", async () => {
      await side().lampIsThere(false);
      try {
        expect(title(await get(`${level()}?refresh=true`))).toBe("502 Device Unreachable");
        const { body } = await get(level());
        expect(body.items).toMatchObject([{ value: 33 }]);
      } finally {
        await side().lampIsThere(true);
      }
    });

    it.each([
      ["Toaster.on", "404 Service Not Found"],
      ["%20", "404 Service Not Found"],
      ["Switch:7.on", "404 Service Not Found"],
      ["LightLevel.weight", "400 Service Property Invalid"],
      ["Button.event", "400 Service Property Invalid"],
    ])("refuses %s: %s", async (selector, answer) => {
      expect(title(await get(`/api/devices/${side().lamp}/services/${selector}?refresh=true`))).toBe(answer);
      const wide = `/api/environments/${side().environmentId}/services/${selector}?refresh=true`;
      expect(title(await get(wide))).toBe(answer);
    });
  });
}

export function settingCases(side: () => Side): void {
  const put = (selector: string, body: unknown, headers = {}) =>
    side().call("PUT", `/api/devices/${side().lamp}/services/${selector}`, { body, headers });
  const value = async (selector: string) => {
    const { body } = await side().call("GET", `/api/devices/${side().lamp}/services/${selector}`);
    return body.items[0]?.value;
  };
  const written = () => side().driver.touches.filter(({ what }) => what === "write").length;

  describe("setting", () => {
    afterEach(() => side().driver.next.splice(0));

    it("waits until the device has confirmed, and answers the device's current value", async () => {
      side().driver.next.push({ kind: "value", value: 70 });
      const { status, body, headers } = await put("LightLevel.level", { value: 71 }, { prefer: "wait=20" });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        deviceId: side().lamp,
        service: "LightLevel",
        index: "0",
        property: "level",
        value: 70,
      });
      expect(headers.get("x-command-id")).toMatch(/^cmd_[0-7][0-9a-z]{25}$/);
      expect(headers.get("preference-applied")).toBe("wait=20");
      expect(await value("LightLevel.level")).toBe(70);
    });

    it("reaches the device by its alias", async () => {
      const path = `/api/devices/${side().environmentId};lamp/services/Switch:0.on`;
      expect((await side().call("PUT", path, { body: { value: true } })).body).toMatchObject({ value: true });
    });

    it("reports when the value has changed, and not when it was set to what it was", async () => {
      const first = (await put("LightLevel.level", { value: 41 })).body;
      const again = (await put("LightLevel.level", { value: 41 })).body;
      expect(again.modifiedAt).toBe(first.modifiedAt);
    });

    it.each([
      ["Toaster.on", true, "404 Service Not Found"],
      ["%20", true, "404 Service Not Found"],
      ["Switch", true, "400 Service Property Invalid"],
      ["Switch.weight", true, "400 Service Property Invalid"],
      ["Button.event", "press", "400 Property Not Writable"],
      ["Switch.on", "yes", "400 Property Value Invalid"],
      ["LightLevel.level", null, "400 Property Value Invalid"],
    ])("refuses %s = %j without asking the device: %s", async (selector, wanted, answer) => {
      const before = written();
      const reply = await put(selector, { value: wanted });
      expect(title(reply)).toBe(answer);
      expect(reply.headers.get("x-command-id")).toMatch(/^cmd_/);
      expect(written()).toBe(before);
    });

    it("takes no report of a physical device", async () => {
      expect(title(await put("Switch.on", { value: true, report: true }))).toBe("400 Property Not Writable");
    });

    it("returns the device's reason for a refusal", async () => {
      side().driver.next.push(REJECTED);
      const { status, body } = await put("LightLevel.level", { value: 5 });
      expect([status, body.title, body.outcome, body.code]).toEqual([422, "Device Rejected", "rejected", 7]);
    });

    it("returns what is known of a write that the device did not take", async () => {
      side().driver.next.push(AWAY, { ...UNREACHABLE, outcome: "unknown" });
      expect((await put("LightLevel.level", { value: 5 })).body).toMatchObject({ status: 502, outcome: "not_applied" });
      expect((await put("LightLevel.level", { value: 5 })).body).toMatchObject({ status: 502, outcome: "unknown" });
    });

    it("cannot set a device that has left", async () => {
      await side().lampIsThere(false);
      try {
        const { body } = await put("Switch.on", { value: false });
        expect(body).toMatchObject({ title: "Device Unreachable", outcome: "not_applied" });
      } finally {
        await side().lampIsThere(true);
      }
    });

    it("happens once however often it is repeated under its key", async () => {
      const headers = { "idempotency-key": `once on ${side().url}` };
      const first = await put("LightLevel.level", { value: 61 }, headers);
      const before = written();
      await put("LightLevel.level", { value: 62 });
      const again = await put("LightLevel.level", { value: 61 }, headers);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(written()).toBe(before + 1);
      expect(title(await put("LightLevel.level", { value: 63 }, headers))).toBe("422 Idempotency Key Reused");
    });

    it("keeps a refusal of the device under its key, and lets a failure before it be tried anew", async () => {
      const refused = { "idempotency-key": `refused on ${side().url}` };
      side().driver.next.push(REJECTED);
      await put("LightLevel.level", { value: 5 }, refused);
      const replay = await put("LightLevel.level", { value: 5 }, refused);
      expect([title(replay), replay.headers.get("idempotent-replayed")]).toEqual(["422 Device Rejected", "true"]);
      const failed = { "idempotency-key": `failed on ${side().url}` };
      side().driver.next.push(AWAY);
      const tried = [
        await put("LightLevel.level", { value: 6 }, failed),
        await put("LightLevel.level", { value: 6 }, failed),
      ];
      expect(tried.map(({ status }) => status)).toEqual([502, 200]);
    });

    it("reaches the device in the order in which it was asked", async () => {
      const before = side().driver.touches.length;
      await Promise.all([1, 2, 3].map((each) => put("LightLevel.level", { value: each })));
      const set = side()
        .driver.touches.slice(before)
        .flatMap((touch) => (touch.what === "write" ? [touch.value] : []));
      expect(set.toSorted()).toEqual([1, 2, 3]);
      expect(await value("LightLevel.level")).toBe(set.at(-1));
    });
  });
}

export function refusalCases(side: () => Side): void {
  const call = (method: string, path: string, asked = {}) => side().call(method, path, asked);
  const on = () => `/api/devices/${side().lamp}/services/Switch.on`;

  describe("refusing", () => {
    it.each([
      ["no credential", "", "401 Token Missing"],
      ["a word that is no token", "sesame", "401 Token Invalid"],
      ["a token that was never made", "plt_usr_000000000000000000000000000000000aaaaa", "401 Token Invalid"],
    ])("%s", async (_, token, answer) => {
      const reply = await call("GET", "/api/devices", { token });
      expect(title(reply)).toBe(answer);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    });

    it("takes the bare token too", async () => {
      const { token } = side();
      expect((await call("GET", "/api/token", { token: "", headers: { authorization: token } })).status).toBe(200);
    });

    it.each([
      ["GET", "/api/nothing", "404 Endpoint Not Found"],
      ["GET", "/v7/api/devices", "404 API Version Not Found"],
      ["DELETE", "/api/token", "405 Method Not Allowed"],
      ["GET", "/api/devices?colour=red", "400 No Query String Allowed"],
      ["GET", "/api/token?x", "400 No Query String Allowed"],
      ["GET", "/api/devices?type=toaster", "400 Query Parameter Invalid"],
      ["GET", "/api/devices?type=virtual&type=virtual", "400 Query Parameter Invalid"],
      ["GET", "/api/devices?pageSize=0", "400 Page Size Invalid"],
      ["GET", "/api/devices?pageSize=1001", "400 Page Size Invalid"],
      ["GET", "/api/devices?continuationToken=abc", "400 Continuation Token Invalid"],
      ["GET", "/api/devices?environmentId=here", "400 Environment Invalid"],
      ["GET", "/api/devices?zoneId=zon_01kad2vqz0fv8t7vqh5v8q5x5r", "400 Zone Invalid"],
      ["GET", "/api/devices/lamp", "400 Device Invalid"],
      ["GET", "/api/devices//services", "400 Device Invalid"],
      ["GET", "/api/environments//services/Switch", "400 Environment Invalid"],
      ["GET", `/api/devices/${"x".repeat(1025)}`, "400 Device Invalid"],
      ["GET", "//api/devices", "404 Endpoint Not Found"],
      ["GET", "/api/devices/a/b", "404 Endpoint Not Found"],
      ["GET", "/api/devices/dev_01kad2vqz0fv8t7vqh5v8q5x5r", "400 Device Invalid"],
      ["GET", "/api/devices/env_01kad2vqz0fv8t7vqh5v8q5x5r;lamp", "400 Device Invalid"],
      ["GET", "/api/devices/env_01kad2vqz0fv8t7vqh5v8q5x5r", "400 Device Invalid"],
      ["GET", "/api/environments/house/services/Switch", "400 Environment Invalid"],
      ["GET", "/api/environments/env_01kad2vqz0fv8t7vqh5v8q5x5r/services/Switch", "400 Environment Invalid"],
    ])("%s %s: %s", async (method, path, answer) => {
      const reply = await call(method, path);
      expect(title(reply)).toBe(answer);
      expect(reply.headers.get("content-type")).toBe("application/problem+json");
      expect(reply.body).toMatchObject({ instance: reply.headers.get("x-request-id"), detail: expect.any(String) });
    });

    it("an unknown alias is no device of the environment", async () => {
      expect(title(await call("GET", `/api/devices/${side().environmentId};cellar`))).toBe("404 Device Not Found");
      const { ecosystemId } = side();
      expect(title(await call("GET", `/api/environments/${ecosystemId};shed/services/Switch`))).toBe(
        "404 Environment Not Found",
      );
    });

    it("returns what can be done with a path instead", async () => {
      expect((await call("DELETE", "/api/token")).headers.get("allow")).toBe("GET, HEAD");
    });

    it.each([
      ["?refresh=yes", "400 Query Parameter Invalid"],
      ["?maxAge=86401", "400 Query Parameter Invalid"],
      ["?maxAge=1&wait=2", "400 No Query String Allowed"],
    ])("a read with %s: %s", async (query, answer) => {
      expect(title(await call("GET", on() + query))).toBe(answer);
    });

    it("a prefix of metadata that is invalid", async () => {
      const headers = { "x-system-metadata-prefix": '"' };
      expect(title(await call("GET", `/api/devices/${side().lamp}`, { headers }))).toBe("400 Metadata Prefix Invalid");
    });

    const json = { "content-type": "application/json; charset=utf-8" };
    it.each([
      ["no body", undefined, json, "400 Body Parameters Missing"],
      ["no content type", '{"value":true}', { "content-type": "" }, "400 Body Parameters Missing"],
      ["another type", '{"value":true}', { "content-type": "text/plain" }, "400 Body Parameters Missing"],
      ["half a body", '{"value":', json, "400 Body Parameters Missing"],
      ["a list", "[true]", json, "400 Body Parameters Invalid"],
      ["no value", "{}", json, "400 Body Parameters Missing"],
      ["a field too much", '{"value":true,"colour":1}', json, "400 Body Parameters Invalid"],
      ["a key twice", '{"value":true,"value":false}', json, "400 Body Parameters Invalid"],
      ["a number past a double", '{"value":1e999}', json, "400 Body Parameters Invalid"],
      ["a report that is none", '{"value":true,"report":1}', json, "400 Body Parameters Invalid"],
      ["far too much", JSON.stringify({ value: "x".repeat(300_000) }), json, "413 Body Too Large"],
      ["too large a value", JSON.stringify({ value: "x".repeat(20_000) }), json, "400 Property Value Invalid"],
    ])("a write with %s", async (_, text, headers, answer) => {
      expect(title(await call("PUT", on(), { ...(text !== undefined && { text }), headers }))).toBe(answer);
    });

    it("an idempotency key that is invalid", async () => {
      const headers = { "idempotency-key": "k".repeat(256) };
      expect(title(await call("PUT", on(), { body: { value: true }, headers }))).toBe("400 Idempotency Key Invalid");
    });
  });
}
