/** A home on the screen, in a real browser over real processes: its rooms, its devices many at a time, and a thumb on a phone. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { BUTTON, HALL_SWITCH, LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];
let at: string;
let kitchen: string;

beforeAll(async () => {
  home = stack.use(await Home.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  at = `${home.api.base}/environments/${home.environmentId}`;
  const items = await Promise.all([LAMP, HALL_SWITCH].map(async (edgeId) => (await home.device(edgeId)).id));
  const { environmentId } = home;
  kitchen = (await home.api.good<{ id: string }>("POST", "/api/zones", { environmentId, alias: "kitchen", items })).id;
  const lock = { services: [{ service: "Lock", properties: [{ property: "locked", value: true }] }] };
  await home.api.good("POST", "/api/devices", { environmentId, alias: "back-door", ...lock });
  await home.api.good("POST", "/api/devices", {
    ...{ environmentId, alias: "cellar", meta: { "$.name": "Cellar thermometer" } },
    services: [
      { service: "Temperature", properties: [{ property: "celsius", value: 8.4 }] },
      { service: "Battery", properties: [{ property: "percent", value: 7 }] },
    ],
  });
});
afterAll(() => stack.disposeAsync());

const region = (name: string) => page.getByRole("region", { name, exact: true });
const toggle = (name: string, within: Page | Locator = page) => within.getByRole("switch", { name, exact: true });
const row = (name: string | RegExp) => page.getByRole("row", { name });
const simulated = (edgeId: string, property: string, value: unknown) =>
  eventually(
    `${property} of the device is ${value}`,
    async () => (await home.simulator.value(edgeId, property)) === value,
  );

it("is the first page after the log-in once a hub is there", async () => {
  await logIn(page, home.api.base, OWNER);
  await page.waitForURL(`${at}/home`);
  await region("kitchen").getByRole("link", { name: "Porch light" }).waitFor();
});

describe("the page of a home", () => {
  it("shows each room with its controls, and what is in none", async () => {
    await region("Not in a zone").getByRole("link", { name: "Front door" }).waitFor();
    await home.put(LAMP, "Switch.on", true);
    await region("kitchen").getByText("Light on", { exact: true }).waitFor();
    await toggle("Porch light: Power", region("kitchen")).locator("..").click();
    await simulated(LAMP, "Switch.on", false);
    await region("kitchen").getByText("Light off", { exact: true }).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });

  it("shows what needs attention", async () => {
    const attention = region("Needs attention");
    await attention.getByText("battery low, 7 %").waitFor();
    expect(await attention.getByRole("link").allTextContents()).toEqual(["Cellar thermometer"]);
  });

  it("asks before a lock is opened, and locks without a question", async () => {
    const tile = region("Not in a zone").getByRole("listitem").filter({ hasText: "back-door" });
    await tile.getByRole("button", { name: /^back-door: Lock, locked: unlock$/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await tile.getByRole("button", { name: /unlock$/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unlock" }).click();
    await tile.getByRole("button", { name: /^back-door: Lock, unlocked: lock$/ }).click();
    await tile.getByRole("button", { name: /^back-door: Lock, locked: unlock$/ }).waitFor();
  });
});

describe("the list of devices", () => {
  it("is narrowed and sorted by its address, and by hand", async () => {
    await page.goto(`${at}/devices?capability=light`);
    await page
      .getByText(/^1 of \d+$/)
      .or(row(/Porch light/))
      .first()
      .waitFor();
    await eventually("one row is left", async () => (await page.getByRole("row").count()) === 2);
    await page.goto(`${at}/devices?sort=-device`);
    const names = async () => (await page.getByRole("row").locator("a").first().textContent()) ?? "";
    await eventually("Reversed", async () => (await names()) === "Porch light");
    await page.getByRole("button", { name: "Device", exact: true }).click();
    await page.waitForURL(/sort=device/);
    await eventually("By name", async () => (await names()) === "back-door");
  });

  it("finds a device by the name that it shows, and by its alias", async () => {
    for (const text of ["Cellar thermo", "cellar"]) {
      await page.goto(`${at}/devices?text=${encodeURIComponent(text)}`);
      await eventually(text, async () => (await page.getByRole("row").count()) === 2);
      await row(/Cellar thermometer/).waitFor();
    }
  });

  it("switches, places and renames several at once", async () => {
    await home.put(LAMP, "Switch.on", true);
    await home.put(HALL_SWITCH, "Switch:0.on", true);
    await page.goto(`${at}/devices`);
    for (const name of ["Porch light", "Hall switch", "Bedside button"])
      await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    const selected = region("Selected devices");
    await selected.getByText("3 devices selected").waitFor();
    await selected.getByRole("button", { name: "Turn off (2)" }).click();
    await simulated(LAMP, "Switch.on", false);
    await simulated(HALL_SWITCH, "Switch:0.on", false);

    await selected.getByRole("button", { name: "Add to zone" }).click();
    await page.getByRole("menuitem", { name: "kitchen" }).click();
    await selected.getByText("3 devices added to kitchen.").waitFor();
    const { items } = await home.api.good<{ items: string[] }>("GET", `/api/zones/${kitchen}`);
    expect(items).toContain((await home.device(BUTTON)).id);

    await selected.getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Bedside button").fill("Night bell");
    await dialog.getByRole("button", { name: "Rename all" }).click();
    await row(/Night bell/).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });
});

describe("on a phone", () => {
  it("rows are cards of which nothing is cut, and what is touched is large enough", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["/home", "/devices", `/zones/${kitchen}`]) {
      await page.goto(`${at}${path}`);
      await page.getByRole("link", { name: "Porch light" }).first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    }
  });
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
