/** How a person looks after a hub in a real browser: a real cloud, hub and simulator. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { logIn } from "./log-in.ts";

/** Long enough for a busy machine: that a silent hub is found out is tested elsewhere. */
const PATIENT = { PORCHLIGHT_LEASE_MS: "15000", PORCHLIGHT_HEARTBEAT_MS: "3000" };

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  home = stack.use(await Home.start({ env: PATIENT }));
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await logIn(page, home.api.base, OWNER);
  await page.goto(`${home.api.base}/environments/${home.environmentId}/hubs/${home.clientId}`);
});
afterAll(() => stack.disposeAsync());

const region = (name: string) => page.getByRole("region", { name, exact: true });
const dialog = () => page.getByRole("dialog");

it("the hub's health, log and machine are shown with the time of its report", async () => {
  const health = region("Health");
  await health.getByText(/^All \d+ checks passed\.$/).waitFor();
  await health.getByText(/^Checked (just now|\d+ s ago)/).waitFor();
  await health.getByText("cloud: ").or(health.getByText(" answers.")).first().waitFor();
  await region("Log").getByText("the agent runs").waitFor();
  await region("About this hub").getByText("Node.js").waitFor();
  await region("Backups").getByText("There are no backups on the hub.").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("the log is filtered on the hub, and what is shown is downloaded", async () => {
  const log = region("Log");
  await log.getByRole("combobox", { name: "Level" }).click();
  await page.getByRole("option", { name: "errors", exact: true }).click();
  await log.getByText("No log lines of this level in this time.").waitFor();
  await log.getByRole("combobox", { name: "Level" }).click();
  await page.getByRole("option", { name: "info and above" }).click();
  await log.getByText("the agent runs").waitFor();
  const downloading = page.waitForEvent("download");
  await log.getByRole("button", { name: "Download" }).click();
  const file = await (await downloading).path();
  expect(readFileSync(file, "utf8")).toContain("the agent runs");
});

it("a backup is made, and the page shows where it is and how to restore it", async () => {
  const backup = region("Backups");
  await backup.getByRole("button", { name: "Create backup" }).click();
  const [name = ""] =
    (await backup.getByRole("list", { name: "Backups on the hub" }).textContent())?.match(/hub-[\w-]+\.backup/) ?? [];
  const file = join(home.agentData, "backups", name);
  expect(existsSync(file)).toBe(true);
  await backup.getByText(`sudo porchlight-agent restore ${file} --replace`).waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("a restart is asked for twice, and the hub is called back only when a younger agent answers", async () => {
  const restart = region("Restart");
  await restart.getByRole("button", { name: "Restart hub" }).click();
  await dialog().getByText("Its devices cannot be reached for some seconds.").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await dialog().getByRole("button", { name: "Restart hub" }).click();
  await restart.getByText("The hub is back").waitFor();
  await home.online();
});

it("a hub that accepted a restart and does not return is not shown as back, and its reports keep their time", async () => {
  await region("Health").getByRole("button", { name: "Run checks" }).click();
  await region("Health")
    .getByText(/^Checked just now/)
    .waitFor();
  const restart = region("Restart");
  // It accepts, and dies before it can restart.
  await page.route(/\/restart$/, async (route) => {
    const response = await route.fetch();
    await home.agent.kill();
    await route.fulfill({ response });
  });
  await restart.getByRole("button", { name: "Restart hub" }).click();
  await dialog().getByRole("button", { name: "Restart hub" }).click();
  await restart.getByText("and is not back yet.").waitFor();
  await region("Health").getByText("the hub is offline now").waitFor();
  await region("Health").getByText("At its last check: all passed.").waitFor();
  expect(await region("Health").getByRole("button").count()).toBe(0);
  expect(await restart.getByText("The hub is back").count()).toBe(0);
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  home.startAgent();
  await restart.getByText("The hub is back").waitFor();
  expect(complaints).toEqual([]);
});
