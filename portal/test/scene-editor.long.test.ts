/** The editor of scenes in a real browser, over real processes: values for a whole zone, and a hub whose agent is too old for triggers. */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { BUTTON, LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";
import { hindrances, tooWide } from "./looks.ts";

interface Scene {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly items: readonly { readonly target: string; readonly service: string; readonly value: unknown }[];
}

/** Of a zone, with ends that are to be seen. */
const HOSTILE = `Alpha<img src=x onerror=window.carriedOut=1>${"م".repeat(150)}Omega`;

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];
let at: string;
let lamp: string;
let zone: string;
let own: string;

beforeAll(async () => {
  home = stack.use(await Home.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  const { api, environmentId } = home;
  at = `${api.base}/environments/${environmentId}`;
  lamp = (await home.device(LAMP)).id;
  const made = async (path: string, body: object) =>
    (await api.good<{ id: string }>("POST", path, { environmentId, ...body })).id;
  zone = await made("/api/zones", { alias: "kitchen", items: [lamp] });
  await made("/api/zones", { alias: "empty", meta: { "$.name": HOSTILE } });
  await home.put(LAMP, "Switch.on", true);
  await home.put(LAMP, "LightLevel.level", 40);
  const only = [{ target: lamp, service: "LightLevel:0.level", value: 70 }];
  own = await made("/api/scenes", { meta: { "$.name": "Cooking" }, items: only });
  await logIn(page, api.base, OWNER);
});
afterAll(() => stack.disposeAsync());

const region = (name: string) => page.getByRole("region", { name, exact: true });
const scene = () => home.api.good<Scene>("GET", `/api/scenes/${own}`);
const clean = async () => expect(await accessibilityProblemsAtLength(page)).toEqual([]);

describe("a whole zone", () => {
  const editor = () => region("Values");
  const save = () => page.getByRole("button", { name: "Save scene" });
  const saved = () => page.getByText("Saved.", { exact: true });
  const dialog = () => page.getByRole("dialog");

  it("is added with the current values of its devices, before single devices, and names those that keep a value of their own", async () => {
    await page.goto(`${at}/scenes/${own}`);
    await editor().getByRole("button", { name: "Add zone" }).click();
    const cutHostile = await dialog().getByLabel("Zone").locator("option").nth(1).textContent();
    await dialog()
      .getByLabel("Zone")
      .selectOption({ label: cutHostile ?? "" });
    await dialog().getByText("No device in this zone has a property that can be set.").waitFor();
    await dialog().getByLabel("Zone").selectOption({ label: "kitchen" });
    await dialog().getByText("1 device, begins with on").waitFor();
    await dialog().getByRole("checkbox", { name: "Power" }).check();
    await dialog().getByRole("checkbox", { name: "Brightness" }).check();
    expect(
      await dialog()
        .getByRole("checkbox", { name: /Identify|Find/ })
        .count(),
    ).toBe(0);
    await clean();
    await dialog().getByRole("button", { name: "Add zone" }).click();
    const shown = editor().getByRole("region", { name: "kitchen" });
    await shown.getByText("all lights of kitchen").waitFor();
    await shown.getByText("Has no effect: Porch light sets the same, and the later value counts.").waitFor();
    await clean();
  });

  it("is changed by the controls that its devices have in common, saved, and called", async () => {
    await editor().getByRole("button", { name: "Remove Porch light from the scene" }).click();
    await editor().getByRole("switch", { name: "kitchen: Power" }).click({ force: true });
    await editor()
      .getByRole("textbox", { name: /^kitchen: Brightness/ })
      .fill("55");
    await page.keyboard.press("Enter");
    await save().click();
    await saved().waitFor();
    expect((await scene()).items).toEqual([
      { target: zone, service: "Switch.on", value: false },
      { target: zone, service: "LightLevel.level", value: 55 },
    ]);
    await region("Call").getByText("all lights of kitchen off").waitFor();
    await region("Call").getByRole("button", { name: "Call scene: Cooking" }).click();
    await eventually("the lamp is off", async () => (await home.simulator.value(LAMP, "Switch.on")) === false);
    await page.goto(`${at}/scenes`);
    await page.getByRole("list", { name: "Scenes" }).getByText("all lights of kitchen off").waitFor();
    await clean();
  });

  it("is offered what it does not set yet, and is removed", async () => {
    await page.goto(`${at}/scenes/${own}`);
    await editor().getByRole("button", { name: "Add zone" }).click();
    await dialog()
      .getByRole("checkbox", { name: /^Colour temperature/ })
      .waitFor();
    expect(await dialog().getByRole("checkbox", { name: "Power" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await editor().getByRole("button", { name: "Remove kitchen: Power from the scene" }).click();
    await save().click();
    await saved().waitFor();
    expect((await scene()).items.map(({ service }) => service)).toEqual(["LightLevel.level"]);
    await editor().getByRole("button", { name: "Remove kitchen from the scene" }).click();
    await editor().getByText("A scene sets at least one value. Add a device or a zone.").waitFor();
    expect(await save().isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Discard" }).click();
  });

  it("with a name that is meant to do harm fits a phone and a wall, light and dark", async () => {
    await home.api.good("PUT", `/api/zones/${zone}`, { meta: { "$.name": HOSTILE } });
    await editor().getByText("all lights of Alpha").waitFor();
    expect(await hindrances(page, "a scene", ["light", "dark"])).toEqual([]);
    expect(await tooWide(page, "a scene")).toEqual([]);
    expect(await page.evaluate("window.carriedOut")).toBeUndefined();
  });
});

/** Writes past the API that the newest connection of the hub, which is away, came from an agent that stores no scenes, as older ones. */
function asWithOldAgent(): void {
  const db = new Sqlite(join(home.folder, "cloud", "cloud.db"));
  db.prepare("update clients set stores_scenes = 0 where id = ?").run(home.clientId);
  db.close();
}

describe("triggers", () => {
  const triggers = () => region("Triggers");
  const stored = async () =>
    (await home.api.good<{ connection: { storesScenes?: boolean } }>("GET", `/api/clients/${home.clientId}`)).connection
      .storesScenes;

  it("are not offered while the agent of the hub is too old to store scenes, with its version and what to do", async () => {
    const trigger = {
      kind: "event",
      deviceId: (await home.device(BUTTON)).id,
      service: "Button:0.event",
      value: "press",
    };
    await home.api.good("PUT", `/api/scenes/${own}`, { triggers: [trigger] });
    await page.goto(`${at}/scenes/${own}`);
    await triggers().getByRole("button", { name: "Add time" }).waitFor();
    await home.agent.stop();
    await eventually("the hub is offline", async () => (await home.hub()).state !== "online");
    expect(await stored()).toBe(true);
    asWithOldAgent();
    await page.reload();
    await triggers()
      .getByText(/^Triggers are not offered: the agent on .* \(version \S+\) is too old to store scenes\./)
      .waitFor();
    await triggers().getByText("Until then its triggers have no effect.").waitFor();
    await page.getByText("no: the agent on its hub is too old").waitFor();
    expect(await triggers().getByRole("button", { name: /^Add / }).count()).toBe(0);
    await clean();
  });

  it("are offered again once the agent reports that it stores scenes", async () => {
    home.startAgent();
    await triggers().getByRole("button", { name: "Add time" }).waitFor();
    expect(await stored()).toBe(true);
  });
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
