/** Why a lamp is off, as a new user finds it out with one click in a real browser: the five cases; and its log book. */
import type { Why } from "@porchlight/shared/api";
import { whySentences } from "@porchlight/shared/presentation";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";

const ON = "Switch.on";

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];
beforeAll(async () => {
  home = stack.use(await Home.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await logIn(page, home.api.base, OWNER);
  expect((await home.put(LAMP, ON, true)).status).toBe(200);
  await open();
});
afterAll(() => stack.disposeAsync());

async function open(search = ""): Promise<void> {
  const { id } = await home.device(LAMP);
  await page.goto(`${home.api.base}/environments/${home.environmentId}/devices/${id}${search}`);
  await page.getByRole("button", { name: "Refresh", exact: true }).waitFor();
}
const dialog = () => page.getByRole("dialog");
/** Asks why with one click, and returns the text; the console prints the same, but for the words of the property and of times. */
async function why(): Promise<string> {
  await page.getByRole("button", { name: /^Why is .*Power as it is\?$/ }).click();
  await dialog().locator('[aria-busy="true"]').waitFor({ state: "detached" });
  await dialog()
    .getByText(/Power is (on|off)/)
    .waitFor();
  const text = (await dialog().textContent()) ?? "";
  const found = await home.api.good<Why>("GET", `${home.path(LAMP, ON)}/why`);
  const cause = whySentences(found, { time: (at) => at }).find(({ about }) => about === "cause");
  expect(text).toContain(cause?.text);
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  return text;
}
const isNow = (value: boolean) =>
  eventually("the cloud has it", async () => (await home.cached(LAMP, ON))?.value === value);

describe("why the lamp is off", () => {
  it("another user's token: who it was, from where, and the time of each hop", async () => {
    const body = { key: "anna", meta: { "$.name": "Anna's phone" } };
    const { id } = await home.api.good<{ id: string }>("POST", "/api/users", body);
    await home.api.good("POST", `/api/users/${id}/access`, { environmentId: home.environmentId });
    const { token } = await home.api.good<{ token: string }>("POST", `/api/users/${id}/tokens`, {});
    const put = await home.api.as(token).call("PUT", home.path(LAMP, ON), { value: false });
    expect(put.status).toBe(200);
    const text = await why();
    expect(text).toMatch(/Power is off since .*It was on before\./);
    expect(text).toMatch(/The user Anna's phone \(from 127\.0\.0\.1\) set it, and it was confirmed in [\d.]+ m?s\./);
    for (const hop of ["service (API)", "tunnel, both ways", "hub", "driver and device", "in all"])
      expect(text).toContain(hop);
    expect(text).toContain(put.headers.get("x-command-id"));
    expect(text).toMatch(/Frames of the command.*to the deviceWRITE \d+: device 0, Switch:0\.on = falsec0 /);
    expect(text).toMatch(/from the deviceWRITTEN \d+: falsec0 /);
    expect(text).not.toContain("Unknown:");
  });

  it("by hand at the device", async () => {
    await home.put(LAMP, ON, true);
    await home.simulator.tell(`set ${LAMP} ${ON} false`);
    await isNow(false);
    const text = await why();
    expect(text).toContain("The device itself reported the change");
    expect(text).toMatch(/The account .*asked for on at .*: it was confirmed, and the value was changed afterwards\./);
    expect(text).toMatch(/Frames of the report.*from the deviceREPORT \d+: device 0, Switch:0\.on = false/);
  });

  it("a scene: which one, and who called it", async () => {
    await home.put(LAMP, ON, true);
    const items = [{ target: (await home.device(LAMP)).id, service: "Switch:0.on", value: false }];
    const body = { environmentId: home.environmentId, alias: "night", meta: { "$.name": "Good night" }, items };
    const scene = await home.api.good<{ id: string }>("POST", "/api/scenes", body);
    await home.api.good("POST", `/api/scenes/${scene.id}/call`, {});
    await isNow(false);
    const text = await why();
    expect(text).toMatch(/Power is off since .*It was on before\./);
    expect(text).toMatch(/The scene Good night set it, called by the account .*, and it was confirmed in [\d.]+ m?s\./);
  });

  it("the device refused to be switched on, in its own words", async () => {
    await home.simulator.tell(`fault ${LAMP} refuse`);
    expect((await home.put(LAMP, ON, true)).status).toBe(422);
    await home.simulator.tell(`fault ${LAMP} none`);
    expect(await why()).toMatch(/asked for on at .*: rejected by the device\. .*This value is refused\./);
  });

  it("its page with the dialog has no problem for who cannot see it", async () => {
    await page.getByRole("button", { name: /^Why is .*Power as it is\?$/ }).click();
    await dialog()
      .getByText(/Power is off/)
      .waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });
});

describe("the log book of the lamp", () => {
  it("describes in sentences who switched it, and shows one kind of event on request", async () => {
    await page.getByRole("tab", { name: "Log book" }).click();
    const lines = page.getByRole("list", { name: "Log book" }).getByRole("listitem");
    await lines.getByText(/turned off by the user Anna's phone, confirmed in [\d.]+ m?s\.$/).waitFor();
    await lines
      .getByText(/turned off, as the device reported\.$/)
      .first()
      .waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("connections");
    await eventually("only what came and went", async () => {
      const texts = await lines.allTextContents();
      return texts.length > 0 && texts.every((text) => /came online|offline|was added/.test(text));
    });
    await page.getByLabel("Show", { exact: true }).selectOption("");
  });

  it("names a command that failed while its sender waited, the cause and the sender: once, also on its own", async () => {
    const lines = page.getByRole("list", { name: "Log book" }).getByRole("listitem");
    await page.getByLabel("Show", { exact: true }).selectOption("commands");
    const refused = /was not turned on: rejected by the device, asked by the account\. .*This value is refused\./;
    await lines.getByText(refused).waitFor();
    expect(await lines.allTextContents()).toHaveLength(1);
    await home.simulator.tell(`fault ${LAMP} refuse`);
    await home.put(LAMP, ON, true);
    await home.simulator.tell(`fault ${LAMP} none`);
    await eventually("it is there without being asked for", async () => (await lines.count()) === 2);
    await page.getByLabel("Show", { exact: true }).selectOption("");
  });

  it("goes on by what happens, and is that of the home as well", async () => {
    await home.put(LAMP, ON, true);
    await page
      .getByText(/turned on by the account, confirmed in [\d.]+ m?s\.$/)
      .first()
      .waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.goto(`${home.api.base}/environments/${home.environmentId}`);
    const section = page.getByRole("region", { name: "Log book" });
    await section.getByRole("button", { name: "Show" }).click();
    await section
      .getByText(/^Hub .* (came online|was added)\.$/)
      .first()
      .waitFor();
  });
});

it("a hub that is offline is named, and since when; nothing went wrong on the pages meanwhile", async () => {
  await home.put(LAMP, ON, false);
  await home.agent.stop();
  await eventually("the hub is offline", async () => (await home.hub()).state === "offline");
  await open();
  const text = await why();
  expect(text).toMatch(/The hub .* is offline since .*: the value is the last known one\. Its agent was stopped/);
  expect(text).toContain("Unknown: The hub is not connected, so its journal cannot be read.");
  expect(complaints).toEqual([]);
});
