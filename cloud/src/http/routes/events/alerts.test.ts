/** Alerts over the API: from a hub that stays away to the list, the event and the email; settings; and the test. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { emailsTo, emailTo } from "../../../mail/emails.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

const SETTINGS = "/api/account/alerts";
const settings = () => cloud.good("GET", SETTINGS, { token: home.token });
const change = (body: unknown) => cloud.call("PUT", SETTINGS, { token: home.token, body });
const test = (body: unknown = {}) => cloud.call("POST", `${SETTINGS}/test`, { token: home.token, body });
const list = async (query = "", token = home.token) =>
  (await cloud.good("GET", `/api/alerts${query}`, { token })).items;

async function verify(): Promise<void> {
  const { code } = await emailTo(cloud.folder, home.email);
  await cloud.good("POST", "/api/accounts/verify", { body: { code } });
}

/** A hub that went offline now. */
async function offlineHub(of = home): Promise<string> {
  const { environmentId, token } = of;
  const { id } = await cloud.good("POST", "/api/clients", { token, body: { environmentId, alias: `attic-${of.id}` } });
  const now = cloud.clock.now();
  await cloud.change((build) =>
    build.updateTable("clients").set({ online: 0, online_since: now }).where("id", "=", id),
  );
  return id;
}

/** Looks go on until one has seen it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await cloud.clock.advance(30_000);
}

describe("a hub that stays away", () => {
  it("is in the list, with an email to a verified address, and is over when the hub is deleted", async () => {
    await verify();
    const hub = await offlineHub();
    await until(async () => (await list("?state=open")).length > 0);
    const [alert] = await list();
    expect(alert).toMatchObject({
      ecosystemId: home.ecosystemId,
      environmentId: home.environmentId,
      kind: "hub_offline",
      subject: { type: "hub", id: hub, name: `attic-${home.id}` },
      state: "open",
      text: expect.stringMatching(/ has been offline since \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC\.$/),
    });
    const { subject, text } = await emailTo(cloud.folder, home.email, 2);
    expect(subject).toContain("has been offline since");
    expect(text).toContain("/alerts");
    expect(await list("?state=ended")).toEqual([]);
    expect(await list(`?environmentId=${home.environmentId}&state=open`)).toHaveLength(1);
    await cloud.good("DELETE", `/api/clients/${hub}`, { token: home.token });
    await until(async () => (await list("?state=open")).length === 0);
    expect(await list("?state=ended&order=newest")).toMatchObject([{ id: alert.id, state: "ended" }]);
  });

  it("is visible to its own account and its servers, and to no other caller", async () => {
    await offlineHub();
    const other = await cloud.home();
    await offlineHub(other);
    await until(async () => (await list()).length > 0 && (await list("", other.token)).length > 0);
    expect((await list()).map((each: { ecosystemId: string }) => each.ecosystemId)).toEqual([home.ecosystemId]);
    expect(await list("", await cloud.serverToken(home))).toHaveLength(1);
    const foreign = `/api/alerts?environmentId=${other.environmentId}`;
    expect(await cloud.call("GET", foreign, { token: home.token })).toMatchObject({ status: 400 });
    const user = await cloud.userToken(home);
    expect(await cloud.call("GET", "/api/alerts", { token: user })).toMatchObject({ status: 403 });
  });

  it("of several ecosystems is listed in one order, page by page", async () => {
    const { id: ecosystemId } = await cloud.good("POST", "/api/ecosystems", { token: home.token, body: {} });
    const place = await cloud.good("POST", "/api/environments", { token: home.token, body: { ecosystemId } });
    for (const environmentId of [home.environmentId, place.id, home.environmentId, place.id]) {
      const body = { environmentId };
      const { id } = await cloud.good("POST", "/api/clients", { token: home.token, body });
      const away = { online: 0, online_since: cloud.clock.now() };
      await cloud.change((build) => build.updateTable("clients").set(away).where("id", "=", id));
      await cloud.clock.advance(60_000);
    }
    await until(async () => (await list()).length === 4);
    const ids = (await list()).map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    const paged: string[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const query: string = `?order=newest&pageSize=1${token && `&continuationToken=${encodeURIComponent(token)}`}`;
      const { items, continuationToken } = await cloud.good("GET", `/api/alerts${query}`, { token: home.token });
      paged.push(...items.map(({ id }: { id: string }) => id));
      token = continuationToken;
    }
    expect(paged).toEqual(ids.toReversed());
    expect(await list(`?ecosystemId=${ecosystemId}`)).toHaveLength(2);
  });
});

describe("the settings", () => {
  it("begin with sensible defaults, and change by what is given", async () => {
    expect(await settings()).toEqual({
      email: true,
      hubOffline: { enabled: true, minutes: 10 },
      batteryLow: { enabled: true, percent: 15 },
      webhookFailing: { enabled: true, minutes: 15 },
      quotaNear: { enabled: true, percent: 90 },
      quietHours: null,
    });
    const quietHours = { timeZone: "Europe/Berlin", start: "22:00", end: "07:00" };
    expect((await change({ hubOffline: { minutes: 30 }, quietHours })).status).toBe(200);
    expect((await change({ batteryLow: { enabled: false } })).status).toBe(200);
    expect(await settings()).toMatchObject({
      hubOffline: { enabled: true, minutes: 30 },
      batteryLow: { enabled: false, percent: 15 },
      quietHours,
    });
    // What was read can be written.
    expect((await change(await settings())).status).toBe(200);
    await change({ quietHours: null });
    expect((await settings()).quietHours).toBeNull();
  });

  it.each([
    [{ hubOffline: { minutes: 0 } }],
    [{ batteryLow: { percent: 91 } }],
    [{ quietHours: { timeZone: "Europe/Nowhere", start: "22:00", end: "07:00" } }],
    [{ quietHours: { timeZone: "+02:00", start: "22:00", end: "07:00" } }],
    [{ quietHours: { timeZone: "UTC", start: "22:00", end: "22:00" } }],
    [{ quietHours: { timeZone: "UTC", start: "24:00", end: "07:00" } }],
    [{ quietHours: { timeZone: "UTC", start: "22:00" } }],
    [{ hubAway: { enabled: true } }],
  ])("refuse %j", async (body) => {
    expect((await change(body)).body).toMatchObject({ status: 400, title: "Body Parameters Invalid" });
  });
});

describe("a test", () => {
  it("reports that an unverified address gets no email, and that an account with emails off gets none", async () => {
    expect(await test()).toMatchObject({ status: 202, body: { email: "not_verified" } });
    await change({ email: false });
    expect((await test()).body.email).toBe("off");
    await emailTo(cloud.folder, home.email);
    expect(emailsTo(cloud.folder, home.email)).toHaveLength(1);
  });

  it("is an email and an event, five times in ten minutes", async () => {
    await using limited = await TestCloud.start({ rateLimit: 10_000 });
    const { token, email, ecosystemId } = await limited.home();
    const { code } = await emailTo(limited.folder, email);
    await limited.good("POST", "/api/accounts/verify", { body: { code } });
    const tested = async () => (await limited.call("POST", `${SETTINGS}/test`, { token, body: {} })).status;
    expect(await limited.good("POST", `${SETTINGS}/test`, { token })).toMatchObject({ email: "queued" });
    expect((await emailTo(limited.folder, email, 2)).subject).toBe("Test alert");
    const events = await limited.rows((build) =>
      build.selectFrom("events").select("data").where("type", "=", "alert.test"),
    );
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([{ ecosystemId }]);
    for (let time = 0; time < 4; time++) expect(await tested()).toBe(202);
    expect(await tested()).toBe(429);
    await limited.clock.advance(120_000);
    expect(await tested()).toBe(202);
  });
});
