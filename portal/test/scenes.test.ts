/** Scenes in the portal, as a resident uses them in a real browser, over real processes and simulated devices. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { BUTTON, HALL_SWITCH, LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";

interface Scene {
  readonly id: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly items: readonly { readonly target: string; readonly service: string; readonly value: unknown }[];
  readonly triggers: readonly object[];
}

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];
let at: string;
let lamp: string;
let hall: string;
let blind: string;

beforeAll(async () => {
  home = stack.use(await Home.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  at = `${home.api.base}/environments/${home.environmentId}`;
  [lamp = "", hall = ""] = await Promise.all([LAMP, HALL_SWITCH].map(async (edgeId) => (await home.device(edgeId)).id));
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
const clean = async () => expect(await accessibilityProblemsAtLength(page)).toEqual([]);

describe("a home without scenes", () => {
  it("explains scenes, and leads to the first one", async () => {
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
  it("describes in plain words what a scene sets, and calls it", async () => {
    await home.put(LAMP, "Switch.on", false);
    await page.goto(`${at}/scenes`);
    await card("Evening").getByText("Porch light on at 40 %, Blind at 10 %").waitFor();
    await call("Evening").click();
    await card("Evening").getByText("Confirmed by all 2 devices.").waitFor();
    expect(await home.simulator.value(LAMP, "Switch.on")).toBe(true);
    await clean();
  });

  it("shows no result before the answer, then the device that failed, and retries only that one", async () => {
    await home.put(LAMP, "Switch.on", false);
    await home.simulator.tell(`fault ${LAMP} slow 3600000`);
    await call("Evening").click();
    const status = card("Evening").getByRole("status");
    await status.getByText("Setting the devices… Waiting for their answer.").waitFor();
    expect(await status.getByText(/confirmed/i).count()).toBe(0);
    await home.simulator.tell(`fault ${LAMP} none`);
    await status.getByText("Confirmed by all 2 devices.").waitFor();

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

describe("triggers", () => {
  const triggers = () => region("Triggers");

  it("are not offered where no single hub can set everything, with the reason", async () => {
    await triggers()
      .getByText(/^Triggers are not offered: the scene also sets a device/)
      .waitFor();
    expect(await triggers().getByRole("button").count()).toBe(0);
    await region("Values").getByRole("button", { name: "Remove Blind from the scene" }).click();
    await triggers().getByRole("button", { name: "Add time" }).waitFor();
  });

  it("are a button, a time and the sun, by the clock and at the place of the home", async () => {
    const save = page.getByRole("button", { name: "Save scene" });
    await triggers().getByRole("button", { name: "Add button" }).click();
    await triggers().getByLabel("Button", { exact: true }).selectOption({ label: "Bedside button" });
    await triggers().getByLabel("When it").selectOption({ label: "is pressed twice" });
    await triggers().getByText("when Bedside button is pressed twice").waitFor();

    await triggers().getByRole("button", { name: "Add time" }).click();
    await triggers().getByLabel(/^At/).fill("22:30");
    for (const day of ["Saturday", "Sunday"]) await triggers().getByRole("checkbox", { name: day }).uncheck();
    await triggers().getByText("at 22:30 on weekdays").waitFor();
    await triggers().getByText("Set the time zone of the home first.").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await triggers().getByRole("button", { name: "Set time zone" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Suggested: /).waitFor();
    await dialog.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berl");
    await page.getByRole("option", { name: "Europe/Berlin" }).click();
    await dialog.getByRole("button", { name: "Save time zone" }).click();
    await triggers().getByText("Times are by the clock of Europe/Berlin.").waitFor();

    await triggers().getByRole("button", { name: "Add sunrise or sunset" }).click();
    await triggers().getByLabel("Before or after").selectOption("before");
    await triggers().getByLabel("Minutes").fill("20");
    await triggers().getByText("20 min before sunset every day").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await triggers().getByRole("button", { name: "Set location" }).click();
    await dialog.getByLabel("Latitude").fill("91");
    await dialog.getByText("At most 90").waitFor();
    await dialog.getByLabel("Latitude").fill("52,5");
    await dialog.getByLabel("Longitude").fill("13.4");
    await clean();
    await dialog.getByRole("button", { name: "Save location" }).click();
    await triggers().getByText("The home is at 52.5°, 13.4°.").waitFor();
    await clean();
    await save.click();
    await page.getByText("Saved.", { exact: true }).waitFor();

    const button = (await home.device(BUTTON)).id;
    expect((await named("Evening"))?.triggers).toEqual([
      { kind: "event", deviceId: button, service: "Button:0.event", value: "double" },
      { kind: "time", at: "22:30", days: ["mon", "tue", "wed", "thu", "fri"] },
      { kind: "sun", event: "sunset", offsetMinutes: -20 },
    ]);
    const facts = { timeZone: "Europe/Berlin", location: { latitude: 52.5, longitude: 13.4 } };
    expect(await home.api.good("GET", `/api/environments/${home.environmentId}`)).toMatchObject(facts);
    await page.goto(`${at}/scenes`);
    await card("Evening").getByText("20 min before sunset every day").waitFor();
  });

  it("end, and may set again what is at no hub", async () => {
    await page.goto(`${at}/scenes/${(await named("Evening"))?.id}`);
    for (let left = 3; left > 0; left -= 1)
      await triggers()
        .getByRole("button", { name: /^Remove trigger/ })
        .first()
        .click();
    await region("Values").getByRole("button", { name: "Add devices" }).click();
    await page.getByRole("dialog").getByRole("checkbox", { name: "Blind", exact: true }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Add devices" }).click();
    await page.getByRole("button", { name: "Save scene" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect((await named("Evening"))?.triggers).toEqual([]);
  });
});

describe("the page of a scene", () => {
  const editor = () => region("Values");
  const save = () => page.getByRole("button", { name: "Save scene" });
  const saved = () => page.getByText("Saved.", { exact: true });

  it("changes values with the controls of the device, removes and adds, and renames, all saved together", async () => {
    await page.goto(`${at}/scenes/${(await named("Evening"))?.id}`);
    await heading("Evening").waitFor();
    await editor()
      .getByRole("textbox", { name: /^Blind: .*number$/ })
      .fill("65");
    await page.keyboard.press("Enter");
    await editor().getByRole("button", { name: "Remove Porch light from the scene" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Late evening");
    await editor().getByRole("button", { name: "Add devices" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: "Hall switch" }).check();
    await clean();
    await dialog.getByRole("button", { name: "Add devices" }).click();
    await editor().getByRole("region", { name: "Hall switch" }).waitFor();
    await clean();
    expect((await named("Evening"))?.items.length).toBeGreaterThan(1);
    await save().click();
    await saved().waitFor();
    await heading("Late evening").waitFor();
    const items = (await named("Late evening"))?.items ?? [];
    expect(items).toContainEqual({ target: blind, service: "Cover:0.position", value: 65 });
    expect(new Set(items.map(({ target }) => target))).toEqual(new Set([blind, hall]));
  });

  it("asks before changes are lost, and does not overwrite those of another user", async () => {
    const scene = await named("Late evening");
    await editor().getByRole("button", { name: "Remove Blind from the scene" }).click();
    await page.getByRole("link", { name: "All scenes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    const items = [{ target: lamp, service: "Switch.on", value: true }];
    await home.api.good("PUT", `/api/scenes/${scene?.id}`, { items });
    await save().click();
    await page.getByRole("alert").getByText("Somebody else has changed this scene meanwhile").waitFor();
    await clean();
    expect((await named("Late evening"))?.items).toEqual(items);
    await page.getByRole("button", { name: "Discard" }).click();
    await editor().getByRole("region", { name: "Porch light" }).waitFor();
  });

  it("shows at a value why it was refused", async () => {
    await editor().getByRole("button", { name: "Add devices" }).click();
    await page.getByRole("dialog").getByRole("checkbox", { name: "Blind", exact: true }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Add devices" }).click();
    await home.api.good("DELETE", `/api/devices/${blind}`);
    await save().click();
    await page.getByRole("alert").getByText("Scene Item Not Found").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
  });

  it("deletes the scene after a confirmation", async () => {
    await page.getByRole("button", { name: "Delete scene" }).click();
    await page.getByRole("dialog").getByText("Devices stay as they are.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete scene" }).click();
    await page.getByText("No scenes yet").waitFor();
    expect(await scenes()).toEqual([]);
  });
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
