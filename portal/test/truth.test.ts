/** What the portal claims while the service or a hub is away, in a real browser over real processes that stand still. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";

/** So long that the moment when a hub was last heard and the moment when that was found out are not the same second. */
const LEASE_MS = 4000;

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  home = stack.use(await Home.start({ env: { PORCHLIGHT_LEASE_MS: String(LEASE_MS) } }));
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  // Its time goes on by itself, and can be moved on.
  await page.clock.install();
  await logIn(page, home.api.base, OWNER);
});
// When a test fails while the service stands still, the others find it running.
afterEach(() => home.cloud.signal("SIGCONT"));
afterAll(() => stack.disposeAsync());

const pathOf = async (edgeId: string) =>
  `${home.api.base}/environments/${home.environmentId}/devices/${(await home.device(edgeId)).id}`;
const hubPath = () => `${home.api.base}/environments/${home.environmentId}/hubs/${home.clientId}`;
const section = (name: string) => page.getByRole("region", { name, exact: true });

/** Colours of all dots that say how something is. */
const greenDots = () =>
  page.evaluate<number>(`[...document.querySelectorAll('[class*="dot"]')].filter((dot) => {
    const probe = document.createElement("i");
    probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--good");
    dot.append(probe);
    const good = getComputedStyle(probe).color;
    probe.remove();
    const { backgroundColor, borderColor } = getComputedStyle(dot);
    return backgroundColor === good || borderColor === good;
  }).length`);

describe("a service that stands still", () => {
  it("is noticed within 15 s: the last known values, since when, and nothing green; and the page recovers by itself", async () => {
    // Its stream has begun: what is on its way then cannot come after the clock was moved on.
    const begun = page.waitForResponse(/\/api\/events(\?|$)/);
    await page.goto(await pathOf(LAMP));
    await page.getByRole("button", { name: "Refresh", exact: true }).waitFor();
    await page.locator("main").getByText("online", { exact: true }).first().waitFor();
    await begun;
    expect(await greenDots()).toBeGreaterThan(0);
    const before = await page.evaluate<number>("Date.now()");
    home.cloud.signal("SIGSTOP");
    const stopped = await page.evaluate<number>("Date.now()");
    await page.clock.fastForward(15_000);
    const banner = page.getByRole("status").filter({ hasText: "Connection lost, last known values" });
    await banner.waitFor();
    let latest = stopped;
    if ((await greenDots()) > 0) {
      // What was on its way when the service stopped was heard late, and counted from then.
      latest = await page.evaluate<number>("Date.now()");
      await page.clock.fastForward(15_000);
      await banner.waitFor();
    }
    const heard = Date.parse((await banner.locator("time").getAttribute("datetime")) ?? "");
    // A comment comes each five seconds.
    expect(heard).toBeGreaterThan(before - 6000);
    expect(heard).toBeLessThanOrEqual(latest);
    expect(await greenDots()).toBe(0);
    await page.locator("main").getByText("last known: online").first().waitFor();
    expect(await page.locator("main").getByText("online", { exact: true }).count()).toBe(0);
    expect(await page.getByText("(hub online)").count()).toBe(0);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);

    home.cloud.signal("SIGCONT");
    await banner.waitFor({ state: "detached" });
    await eventually("the device is online again", async () => (await greenDots()) > 0);
    expect(await page.getByRole("alert").allTextContents()).toEqual([]);
  });
});

itAtLength("a service whose stream never begins is noticed within 15 s, too", async () => {
  const mayBegin = Promise.withResolvers<void>();
  const held = /\/api\/events(\?|$)/;
  await page.route(held, async (route) => {
    await mayBegin.promise;
    await route.continue();
  });
  await page.goto(await pathOf(LAMP));
  await page.locator("main").getByText("online", { exact: true }).first().waitFor();
  await page.clock.fastForward(15_000);
  const banner = page.getByRole("status").filter({ hasText: "Connection lost, last known values" });
  await banner.waitFor();
  mayBegin.resolve();
  await banner.waitFor({ state: "detached" });
  await page.unroute(held);
});

describe("a hub that stands still", () => {
  it("is silent since its last contact, on each page, and not since the detection", async () => {
    await home.online();
    await page.goto(await pathOf(LAMP));
    home.agent.signal("SIGSTOP");
    const notice = page.getByRole("status").filter({ hasText: "Hub not responding" });
    await notice.waitFor();
    const { connection } = await home.api.good<{ connection: { since: string; lastSeenAt: string } }>(
      "GET",
      `/api/clients/${home.clientId}`,
    );
    expect(connection.lastSeenAt < connection.since).toBe(true);
    const timeIn = async (text: ReturnType<Page["locator"]>) =>
      (await text.getAttribute("datetime"))?.replace("T", " ");
    expect(await timeIn(notice.locator("time"))).toBe(connection.lastSeenAt);
    await page.goto(hubPath());
    await section("Connection").getByText("Last heard").waitFor();
    const heard = section("Connection").locator("dt", { hasText: "Last heard" }).locator("+ dd time");
    expect(await timeIn(heard)).toBe(connection.lastSeenAt);
  });

  it("leaves no error behind once it is back", async () => {
    await page.goto(await pathOf(LAMP));
    await page.getByRole("button", { name: "Refresh", exact: true }).click();
    const failure = section("Switch").getByText("The hub of this device is not connected");
    await failure.first().waitFor();
    await page.getByRole("switch", { name: "Switch: Power", exact: true }).locator("..").click();
    await section("Switch").getByText("Hub Offline").first().waitFor();
    home.agent.signal("SIGCONT");
    await page.getByText("Hub not responding").waitFor({ state: "detached" });
    await page.locator("main").getByText("online", { exact: true }).first().waitFor();
    await eventually("no error stands beside it", async () => (await page.getByRole("alert").count()) === 0);
    expect(await page.getByText("not connected").count()).toBe(0);
  });
});

it("the last contact of a device is no earlier than its newest confirmed value", async () => {
  await page.goto(`${await pathOf(LAMP)}?tab=developer`);
  await section("Raw JSON").waitFor();
  const fetched = (await home.device(LAMP)).connection.lastSeenAt;
  // A confirmation of the next second, at the latest.
  const item = await eventually("a newer confirmation", async () => {
    const { body } = await home.put(LAMP, "LightLevel.level", 30 + Math.floor(Math.random() * 60));
    return body.observedAt > fetched ? body : undefined;
  });
  await section("Raw JSON").getByRole("button", { name: "Show" }).click();
  const shown = async () => {
    const text = (await section("Raw JSON").locator("pre").first().textContent()) ?? "";
    return /"lastSeenAt": "([^"]+)"/.exec(text)?.[1] ?? "";
  };
  await eventually("the page says so", async () => (await shown()) >= item.observedAt);
  expect((await home.device(LAMP)).connection.lastSeenAt >= item.observedAt).toBe(true);
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
