/** Devices in the portal, as a person looks at and turns them in a real browser: a real cloud, hub and simulated devices. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { BUTTON, HALL_SWITCH, LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";

const KETTLE = "02-50-4C-52-00-06";

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  home = stack.use(await Home.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await logIn(page, home.api.base, OWNER);
  await page.getByRole("link", { name: "Devices", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
});
afterAll(() => stack.disposeAsync());

/** Goes to the page of a device, or of all of them. */
async function open(edgeId?: string): Promise<void> {
  const device = edgeId === undefined ? "" : `/${(await home.device(edgeId)).id}`;
  await page.goto(`${home.api.base}/environments/${home.environmentId}/devices${device}`);
  const what =
    edgeId === undefined ? page.getByRole("table") : page.getByRole("button", { name: "Refresh", exact: true });
  await what.waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
}

const wheel = () => page.getByRole("slider", { name: /^Colour wheel/ });
const toggle = (name: string) => page.getByRole("switch", { name, exact: true });
const section = (name: string) => page.getByRole("region", { name, exact: true });
const says = (part: Locator | Page, text: string | RegExp) => part.getByText(text).first().waitFor();
/** No write is on its way any more, of however many properties, and none was refused. */
const settled = async (part: Locator) => {
  await eventually("no write is on its way", async () => (await part.getByText(/^setting to/).count()) === 0);
  expect(await part.getByRole("alert").count()).toBe(0);
};
const simulated = (edgeId: string, property: string, value: unknown) =>
  eventually(
    `${property} of the device is ${value}`,
    async () => (await home.simulator.value(edgeId, property)) === value,
  );

/** Keeps the page's writes of properties back until `release` is called. */
async function holdWrites(): Promise<{ release: () => Promise<void>; held: () => number }> {
  const waiting: (() => Promise<void>)[] = [];
  await page.route("**/services/**", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    await new Promise<void>((resolve) => waiting.push(async () => resolve(await route.continue())));
  });
  const release = async () => {
    for (const go of waiting) await go();
    await page.unroute("**/services/**");
  };
  return { release, held: () => waiting.length };
}

describe("the colour wheel", () => {
  it("turns the lamp where it is pressed, and by the arrow keys", async () => {
    await open(LAMP);
    const disc = wheel().locator("..");
    const { width, height } = (await disc.boundingBox()) ?? { width: 0, height: 0 };
    await disc.click({ position: { x: width * 0.95, y: height / 2 } });
    await simulated(LAMP, "LightColor.hue", 90);
    await wheel().press("ArrowRight");
    await wheel().press("Shift+ArrowLeft");
    await simulated(LAMP, "LightColor.hue", 81);
    await settled(section("Colour"));
  });

  it("sends while it is dragged, fewer times than the hand moves, and the last place always", async () => {
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT" && decodeURIComponent(request.url()).endsWith("LightColor:0.hue"))
        sent.push((request.postDataJSON() as { value: unknown }).value);
    });
    const box = await wheel().locator("..").boundingBox();
    if (!box) throw new Error("the wheel is not there");
    const at = (degrees: number) => {
      const angle = (degrees * Math.PI) / 180;
      const x = box.x + (box.width / 2) * (1 + 0.9 * Math.sin(angle));
      return [x, box.y + (box.height / 2) * (1 - 0.9 * Math.cos(angle))] as const;
    };
    await page.mouse.move(...at(90));
    await page.mouse.down();
    for (let degrees = 92; degrees <= 270; degrees += 2) await page.mouse.move(...at(degrees));
    await page.mouse.up();
    const last = Number(await wheel().getAttribute("aria-valuenow"));
    expect(last).toBeGreaterThan(265);
    await simulated(LAMP, "LightColor.hue", last);
    // The browser reports its requests when it can.
    await eventually("the last place is sent last", async () => sent.at(-1) === last);
    expect(sent.length).toBeLessThan(60);
  });
});

describe("a value that was asked for", () => {
  it("is shown as pending until the device confirms it, and an event in between does not make it jump", async () => {
    await open(HALL_SWITCH);
    await home.put(HALL_SWITCH, "Switch:0.on", false);
    const gate = toggle("Switch 0: Power");
    await eventually("the switch is off", async () => !(await gate.isChecked()));
    const writes = await holdWrites();
    await gate.locator("..").click();
    await says(section("Switch 0"), "setting to on");
    await says(section("Switch 0"), "last known: off");
    await page.evaluate(`{
      window.seen = [];
      const box = document.querySelector('[aria-label="Switch 0: Power"]');
      const look = () => window.seen.at(-1) === box.checked || window.seen.push(box.checked);
      new MutationObserver(look).observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    }`);
    // Another client turns it on and off meanwhile: two events.
    await home.put(HALL_SWITCH, "Switch:0.on", true);
    await says(section("Switch 0"), "last known: on");
    await home.put(HALL_SWITCH, "Switch:0.on", false);
    await says(section("Switch 0"), "last known: off");
    expect(writes.held()).toBe(1);
    await writes.release();
    await settled(section("Switch 0"));
    await simulated(HALL_SWITCH, "Switch:0.on", true);
    expect(await page.evaluate("window.seen")).toEqual([true]);
  });

  it("snaps back when it is refused, with the reason in words", async () => {
    await open(KETTLE);
    const field = page.getByRole("textbox", { name: "Kettle: Target, number" });
    const before = await field.inputValue();
    await field.fill("62");
    await field.press("Enter");
    const refusal = page.getByRole("alert").filter({ hasText: "Property Value Invalid" });
    await says(refusal, /62 °C was asked for/);
    await says(refusal, /Nothing was sent/);
    expect(await field.inputValue()).toBe(before);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await refusal.getByRole("button", { name: "Dismiss" }).click();
    await refusal.waitFor({ state: "detached" });
  });
});

it("a press of a button is seen at once, with its time, and stands in its history", async () => {
  await open(BUTTON);
  await page.getByRole("button", { name: "History of Button: Last press" }).click();
  await home.simulator.tell(`press ${BUTTON} Button.event double`);
  await says(section("Button"), "1 time, last: double");
  await home.simulator.tell(`press ${BUTTON} Button.event long`);
  await says(section("Button"), "2 times, last: long");
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("the list shows what is, as it changes, and finds by text and state", async () => {
  await open();
  const row = page.getByRole("row", { name: /Hall switch/ });
  await home.put(HALL_SWITCH, "Switch:1.on", true);
  await row.getByRole("switch", { name: "Hall switch: Power 1", checked: true }).waitFor();

  await page.getByRole("textbox", { name: "Filter devices" }).fill("kettle");
  await says(page, /^1 of \d+$/);
  await page.getByRole("textbox", { name: "Filter devices" }).fill("");
  await page.getByRole("combobox", { name: "State" }).selectOption("offline");
  await page.waitForURL(/state=offline/);
  await eventually("no device is left", async () => (await page.getByRole("row").count()) === 1);
});

describe("while the hub is away", () => {
  it("a change is refused with what it means, or waits until the hub is back", async () => {
    await open(LAMP);
    await home.put(LAMP, "Switch.on", false);
    await eventually("the lamp is off", async () => !(await toggle("Switch: Power").isChecked()));
    await home.agent.stop();
    await says(page, "Hub not responding");
    await toggle("Switch: Power").locator("..").click();
    const refusal = page.getByRole("alert").filter({ hasText: "Hub Offline" });
    await says(refusal, /Nothing was sent/);
    await says(refusal, "not sent");
    expect(await toggle("Switch: Power").isChecked()).toBe(false);
    await refusal.getByRole("button", { name: "Set when the hub is back (within 1 h)" }).click();
    await says(section("Switch"), /^on waits for the hub until/);
    expect(await toggle("Switch: Power").isChecked()).toBe(true);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    home.startAgent();
    await section("Switch")
      .getByText(/^on waits for the hub until/)
      .waitFor({ state: "detached" });
    expect(await section("Switch").getByRole("alert").allTextContents()).toEqual([]);
    await simulated(LAMP, "Switch.on", true);
    // The end of the command may be there before the news of the value.
    await page.getByRole("switch", { name: "Switch: Power", exact: true, checked: true }).waitFor();
  });
});

itAtLength("the notice that the hub is away disappears when the hub is back", async () => {
  await open(LAMP);
  await home.agent.stop();
  await says(page, "Hub not responding");
  const before = await toggle("Switch: Power").isChecked();
  await toggle("Switch: Power").locator("..").click();
  const refusal = page.getByRole("alert").filter({ hasText: "Hub Offline" });
  await refusal.first().waitFor();
  home.startAgent();
  await refusal.first().waitFor({ state: "detached" });
  expect(await toggle("Switch: Power").isChecked()).toBe(before);
});

it("each outcome has a word and a look of its own", async () => {
  const looks = new Set<string>();
  const colours = new Map<string, unknown>();
  for (const [outcome, word] of [
    ["not_sent", "not sent"],
    ["not_applied", "not applied"],
    ["rejected", "rejected by the device"],
    ["unknown", "unknown: may have happened"],
  ] as const) {
    await open(LAMP);
    await page.route("**/services/**", async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      const problem = { status: 504, title: "Hub Timeout", detail: "It did not answer.", outcome };
      await route.fulfill({ status: 504, contentType: "application/problem+json", body: JSON.stringify(problem) });
    });
    await toggle("Switch: Power").locator("..").click();
    const notice = page.getByRole("alert").getByText(word, { exact: true });
    await notice.waitFor();
    const icon = (await notice.locator("path").getAttribute("d")) ?? "";
    looks.add(icon);
    const colour = await page.evaluate("getComputedStyle(document.querySelector('strong[data-outcome]')).color");
    colours.set(outcome, colour);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.unroute("**/services/**");
  }
  expect(looks.size).toBe(4);
  // What may have happened is not drawn as a refusal.
  expect(new Set(colours.values()).size).toBe(4);
});

it("a virtual device is made of classes and simulates the reports of its sensors", async () => {
  await open();
  await page.getByRole("link", { name: "Create virtual device" }).click();
  await page.getByRole("button", { name: "Add one Button" }).click();
  await page.getByRole("button", { name: "Add one Contact" }).click();
  await page.getByRole("textbox", { name: "Alias" }).fill("play");
  await page.getByRole("button", { name: "Create device" }).click();
  await page.getByRole("heading", { level: 1, name: "play" }).waitFor();
  await page.getByRole("button", { name: "press", exact: true }).click();
  await says(section("Button"), "press");
  await toggle("Contact").locator("..").click();
  await settled(section("Contact"));
  expect(await toggle("Contact").isChecked()).toBe(true);
  await page.getByRole("button", { name: "Delete device" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete device" }).click();
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  await page.getByRole("link", { name: "play", exact: true }).waitFor({ state: "detached" });
});

it("a setting that the device never reports is marked as such", async () => {
  const properties = [{ property: "speed", type: "number", access: ["write"] }];
  const { id } = await home.api.good<{ id: string }>("POST", "/api/devices", {
    environmentId: home.environmentId,
    services: [{ service: "Settings", properties }],
  });
  await page.goto(`${home.api.base}/environments/${home.environmentId}/devices/${id}`);
  await says(section("Settings"), "not reported by the device");
  await home.api.good("DELETE", `/api/devices/${id}`);
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
