/** `/api/account/export` end to end: started with the password, made by the service itself, downloaded whole and in ranges. */
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { downloaded, exportIn, startExport } from "../../../exports/exports.fixture.ts";
import { unzipped } from "../../../exports/zip.fixture.ts";
import { emailsTo, emailTo } from "../../../mail/emails.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start({ publicUrl: "https://home.example", keepExportsDays: 3 });
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

const PATH = "/api/account/export";
const ask = (method: "GET" | "HEAD" | "POST", path = PATH, options: object = {}) =>
  cloud.call(method, path, { token: home.token, ...options });
const actions = async () =>
  (await cloud.good("GET", "/api/audit", { token: home.token })).items.map(({ action }: { action: string }) => action);

/** Started and made. */
async function ready() {
  await startExport(cloud, home);
  return exportIn(cloud, home, "ready");
}

describe("an export", () => {
  it("is none before it is started, and there is nothing to download", async () => {
    expect((await ask("GET")).body).toEqual({ state: "none" });
    expect((await ask("GET", `${PATH}/archive`)).body).toMatchObject({ status: 404, title: "Export Not Found" });
  });

  it.each([
    [undefined, 400, "Body Parameters Missing"],
    [{}, 400, "Body Parameters Missing"],
    [{ currentPassword: 5 }, 400, "Body Parameters Invalid"],
    [{ currentPassword: "wrong" }, 403, "Password Incorrect"],
  ])("is not started with %j: %i %s", async (body, status, title) => {
    expect((await ask("POST", PATH, { body })).body).toMatchObject({ status, title });
    expect((await ask("GET")).body).toEqual({ state: "none" });
  });

  it("is started with the password, made in the background, and has everything in the API's words", async () => {
    const { id: zone } = await cloud.good("POST", "/api/zones", {
      ...{ token: home.token, body: { environmentId: home.environmentId, alias: "kitchen", meta: { "$.floor": 1 } } },
    });
    const services = [{ service: "Switch", properties: [{ property: "on", value: true }] }];
    const { id: device } = await cloud.good("POST", "/api/devices", {
      ...{ token: home.token, body: { environmentId: home.environmentId, alias: "lamp", services } },
    });
    const secret = await cloud.serverToken(home);
    const started = await ask("POST", PATH, { body: { currentPassword: home.password } });
    expect(started).toMatchObject({ status: 202, headers: { location: PATH }, body: { state: "running", bytes: 0 } });
    const done = await exportIn(cloud, home, "ready");
    expect(done).toMatchObject({ id: started.body.id, downloadPath: `${PATH}/archive` });
    const { status, headers, bytes } = await downloaded(cloud, home);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/zip",
      "content-length": String(done.bytes),
      "content-disposition": expect.stringMatching(/^attachment; filename="porchlight-\d{4}-\d\d-\d\d\.zip"$/),
      "cache-control": "private, no-store",
    });
    const files = unzipped(bytes);
    const rows = (name: string) =>
      (files.get(`${name}.ndjson`) ?? "")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    expect(rows("account")).toEqual([await cloud.good("GET", "/api/account", { token: home.token })]);
    expect(rows("zones")).toEqual([await cloud.good("GET", `/api/zones/${zone}`, { token: home.token })]);
    expect(rows("devices")).toMatchObject([await cloud.good("GET", `/api/devices/${device}`, { token: home.token })]);
    expect(rows("devices")[0].services).toMatchObject([{ service: "Switch", properties: [{ property: "on" }] }]);
    const read = await cloud.good("GET", `/api/devices/${device}/services/Switch.on`, { token: home.token });
    expect(rows("values")).toMatchObject([{ deviceId: device, value: read.items[0].value }]);
    expect(rows("events").map(({ type }) => type)).toEqual(expect.arrayContaining(["zone.created", "device.added"]));
    expect(rows("audit").map(({ action }) => action)).toEqual(
      expect.arrayContaining(["zone.created", "export.started"]),
    );
    expect(rows("tokens")).toMatchObject([{ type: "server", ecosystemId: home.ecosystemId }]);
    expect(files.get("README.txt")).toContain("zones.ndjson");
    expect([...files.values()].join("")).not.toContain(secret);
  });

  it("is one at a time: a second start gives the one that runs", async () => {
    const body = { currentPassword: home.password };
    const [one, other] = await Promise.all([ask("POST", PATH, { body }), ask("POST", PATH, { body })]);
    expect(one.body.id).toBe(other.body.id);
    await exportIn(cloud, home, "ready");
    expect((await actions()).filter((action: string) => action === "export.started")).toHaveLength(1);
    const next = await startExport(cloud, home);
    expect(next.id).not.toBe(one.body.id);
  });

  it("sends an e-mail with a link to the portal and no secret, to a verified address only", async () => {
    const { code } = await emailTo(cloud.folder, home.email);
    await ready();
    await settle(200);
    expect(emailsTo(cloud.folder, home.email)).toHaveLength(1);
    await cloud.good("POST", "/api/accounts/verify", { body: { code } });
    await ready();
    const { subject, text } = await emailTo(cloud.folder, home.email, 2);
    expect(subject).toBe("Your data is ready to download");
    expect(text.split("\n")).toContain("https://home.example/account");
    expect(text).not.toMatch(/plt_|exp_|archive\?/);
  });

  it("is in the audit when it is started and when it is downloaded, once a minute, but not when only its head is asked for", async () => {
    await ready();
    expect(await ask("HEAD", `${PATH}/archive`)).toMatchObject({ status: 200, text: "" });
    await downloaded(cloud, home);
    await downloaded(cloud, home);
    await cloud.clock.advance(60_000);
    await downloaded(cloud, home);
    const { items } = await cloud.good("GET", "/api/audit?action=export.*", { token: home.token });
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      "export.started",
      "export.downloaded",
      "export.downloaded",
    ]);
    expect(items[1]).toMatchObject({ address: "127.0.0.1", actor: { type: "account", id: home.id } });
  });

  it("cannot be downloaded any more when its time is over, nor by anybody else", async () => {
    await ready();
    const other = await cloud.home();
    expect((await downloaded(cloud, other)).status).toBe(404);
    expect(await cloud.good("GET", PATH, { token: other.token })).toEqual({ state: "none" });
    cloud.clock.jumpWall(3 * 86_400_000);
    expect((await ask("GET", `${PATH}/archive`)).body.title).toBe("Export Not Found");
    expect((await ask("GET")).body).toEqual({ state: "none" });
  });
});

describe("a download", () => {
  it("gives any range of the archive, and goes on where it broke off", async () => {
    const { bytes: size } = await ready();
    const whole = await downloaded(cloud, home);
    const part = await downloaded(cloud, home, { range: "bytes=100-199" });
    expect(part).toMatchObject({
      status: 206,
      headers: { "content-range": `bytes 100-199/${size}`, "content-length": "100" },
    });
    expect(part.bytes.equals(whole.bytes.subarray(100, 200))).toBe(true);
    const rest = await downloaded(cloud, home, { range: "bytes=200-", "if-range": String(whole.headers.etag) });
    expect(rest.status).toBe(206);
    expect(rest.bytes.equals(whole.bytes.subarray(200))).toBe(true);
    // The document describes it too.
    expect((await ask("GET", `${PATH}/archive`, { headers: { range: "bytes=0-3" } })).status).toBe(206);
  });

  it("of another archive than the one that was begun begins again, and so does what cannot be had", async () => {
    const { bytes: size } = await ready();
    const before = await downloaded(cloud, home, { range: "bytes=0-9" });
    await ready();
    const again = await downloaded(cloud, home, { range: "bytes=10-", "if-range": String(before.headers.etag) });
    expect(again.status).toBe(200);
    expect(again.headers.etag).not.toBe(before.headers.etag);
    expect((await downloaded(cloud, home, { range: `bytes=${Number(size) * 2}-` })).status).toBe(200);
  });
});

describe("with limits", () => {
  it("five exports can be started a day", async () => {
    await using limited = await TestCloud.start({ rateLimit: 1_000_000, ownerRateLimit: 1_000_000 });
    const owner = await limited.home();
    for (let start = 0; start < 5; start++) {
      await startExport(limited, owner);
      await exportIn(limited, owner, "ready");
    }
    const body = { currentPassword: owner.password };
    const refused = await limited.call("POST", PATH, { token: owner.token, body });
    expect(refused.body).toMatchObject({ status: 429, title: "Rate Limit Exceeded" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3_600);
  });
});
