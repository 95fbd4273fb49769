/** Scenes in the portal, as somebody who lives there uses them in a real browser, over real processes and simulated devices. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblems, Chromium } from "../parts/chromium.ts";
import { eventually } from "../parts/eventually.ts";
import { Home, OWNER } from "../parts/home.ts";
import { LAMP } from "../parts/simulator.ts";
import { logIn } from "./portal/log-in.ts";

interface Scene {
  readonly id: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly items: readonly { readonly target: string; readonly service: string; readonly value: unknown }[];
}

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];
let at: string;
let lamp: string;
let blind: string;

beforeAll(async () => {
  home = stack.use(await Home.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  at = `${home.api.base}/environments/${home.environmentId}`;
  lamp = (await home.device(LAMP)).id;
  const { environmentId } = home;
  const cover = { services: [{ service: "Cover", properties: [{ property: "position", value: 10 }] }] };
  const made = { environmentId, alias: "blind", meta: { "$.name": "Blind" }, ...cover };
  blind = (await home.api.good<{ id: string }>("POST", "/api/devices", made)).id;
  await home.api.good("POST", "/api/zones", { environmentId, alias: "kitchen", items: [lamp, blind] });
  await logIn(page, home.api.base, OWNER);
  await page.waitForURL(`${at}/home`);
});
afterAll(() => stack.disposeAsync());

const region = (name: string) => page.getByRole("region", { name, exact: true });
const card = (name: string) =>
  page.getByRole("list", { name: "Scenes" }).getByRole("listitem").filter({ hasText: name });
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const call = (name: string) => page.getByRole("button", { name: `Call scene: ${name}` });
const scenes = async () => (await home.api.good<{ items: Scene[] }>("GET", "/api/scenes")).items;
const named = async (name: string) => (await scenes()).find(({ meta }) => meta["$.name"] === name);
const simulated = (edgeId: string, property: string, value: unknown) =>
  eventually(
    `${property} of the device is ${value}`,
    async () => (await home.simulator.value(edgeId, property)) === value,
  );
const clean = async () => expect(await accessibilityProblems(page)).toEqual([]);

describe("a home without scenes", () => {
  it("says what a scene is for, and leads to the first one", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Scenes", exact: true }).click();
    await page.getByText("No scenes yet").waitFor();
    await clean();
    await page.getByRole("link", { name: "Create scene" }).click();
    await heading("Create scene").waitFor();
  });

  it("makes one of what is so now, without what was left out", async () => {
    await home.put(LAMP, "Switch.on", true);
    await home.put(LAMP, "LightLevel.level", 40);
    await page.getByRole("checkbox", { name: "All of kitchen" }).check();
    const values = region("Values");
    await values.getByRole("checkbox", { name: /^Power: on$/ }).waitFor();
    for (const box of await values.getByRole("checkbox", { name: /^Light colour|^Colour/ }).all()) await box.uncheck();
    await clean();
    const create = page.getByRole("button", { name: "Create scene" });
    expect(await create.isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "Name" }).fill("Evening");
    await create.click();
    await heading("Evening").waitFor();
    const made = await named("Evening");
    expect(made?.items).toContainEqual({ target: lamp, service: "LightLevel:0.level", value: 40 });
    expect(made?.items).toContainEqual({ target: blind, service: "Cover:0.position", value: 10 });
    expect(made?.items.filter(({ service }) => service.startsWith("LightColor"))).toEqual([]);
  });
});

describe("the list of scenes", () => {
  it("says in plain words what a scene sets, and calls it", async () => {
    await home.put(LAMP, "Switch.on", false);
    await page.goto(`${at}/scenes`);
    await card("Evening").getByText("Porch light on at 40 %, Blind at 10 %").waitFor();
    await call("Evening").click();
    await card("Evening").getByText("Confirmed by all 2 devices.").waitFor();
    expect(await home.simulator.value(LAMP, "Switch.on")).toBe(true);
    await clean();
  });

  it("says nothing of a result before the answer, then which device did not follow, and tries only that one again", async () => {
    await home.put(LAMP, "Switch.on", false);
    await home.simulator.tell(`fault ${LAMP} slow 1500`);
    await call("Evening").click();
    const status = card("Evening").getByRole("status");
    await status.getByText("Setting the devices… Waiting for their answer.").waitFor();
    expect(await status.getByText(/confirmed/i).count()).toBe(0);
    await status.getByText("Confirmed by all 2 devices.").waitFor();
    await home.simulator.tell(`fault ${LAMP} none`);

    await home.agent.stop();
    await eventually("the hub is offline", async () => (await home.hub()).state !== "online");
    await call("Evening").click();
    await status.getByText(/^Confirmed: 1 of \d values\.$/).waitFor();
    const failed = status.getByRole("list", { name: "Not confirmed" });
    expect(await failed.getByRole("listitem").first().textContent()).toMatch(
      /^Porch light \(Power, Brightness.*\): not sent\. Hub Offline\./,
    );
    await clean();

    home.startAgent();
    await eventually("the lamp is online", async () => (await home.connection(LAMP)) === "online");
    const asked = page.waitForRequest(/\/call$/);
    await status.getByRole("button", { name: "Try those again" }).click();
    expect((await asked).postDataJSON()).toEqual({ only: [lamp] });
    await status.getByText("Confirmed by all 2 devices.").waitFor();
    await simulated(LAMP, "Switch.on", true);
  });
});

describe("elsewhere", () => {
  it("the home has the scenes as buttons, with what became of the last call", async () => {
    await home.put(LAMP, "Switch.on", false);
    await page.goto(`${at}/home`);
    await call("Evening").click();
    await region("Scenes").getByText("Confirmed by all 2 devices.").waitFor();
    await simulated(LAMP, "Switch.on", true);
    await clean();
  });

  it("the search finds scenes by name, and how to make one", async () => {
    await page.keyboard.press("/");
    const search = page.getByRole("textbox", { name: "Search the portal" });
    await search.fill("new scene");
    await page.getByRole("option", { name: /^Create scene/ }).waitFor();
    await search.fill("even");
    await page.getByRole("option", { name: /^Evening/ }).click();
    await heading("Evening").waitFor();
  });
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
