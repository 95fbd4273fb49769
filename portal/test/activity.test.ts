/** The overview's activity, as a person sees it in a real browser: empty, with commands and incidents, of an hour and of a day. */
import { join } from "node:path";
import { changeAt } from "@porchlight/cloud/store/fresh-store.fixture.ts";
import { firstIdOf, systemClock } from "@porchlight/shared/kernel";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { type Owner, UnpairedHome } from "../../test/parts/unpaired-home.ts";
import { logIn } from "./log-in.ts";

const MINUTE = 60_000;
const stack = new AsyncDisposableStack();
let home: UnpairedHome;
let owner: Owner;
let page: Page;
let complaints: string[];
let ecosystemId: string;

beforeAll(async () => {
  home = stack.use(await UnpairedHome.start());
  owner = await home.owner();
  const environment = await owner.api.good<{ ecosystemId: string }>("GET", `/api/environments/${owner.environmentId}`);
  ({ ecosystemId } = environment);
  // Three days ago it was there already.
  const created_at = systemClock.now() - 3 * 1440 * MINUTE;
  await change((build) => build.updateTable("objects").set({ created_at }).where("ecosystem_id", "=", ecosystemId));
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await logIn(page, home.url, owner);
});
afterAll(() => stack.disposeAsync());

/** Past the service: what has happened in hours. */
const change = (made: Parameters<typeof changeAt>[1]) => changeAt(join(home.folder, "cloud", "cloud.db"), made);
const activity = () => page.getByRole("region", { name: "Activity", exact: true });
const figure = (name: string) =>
  activity().getByText(name, { exact: true }).locator("xpath=following-sibling::dd[1]").first();
let made = 0;
function commands(count: number, outcome: string, at: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    ...{ ecosystem_id: ecosystemId, environment_id: owner.environmentId, device_id: "dev_1", client_id: null },
    id: `${firstIdOf("cmd", at).slice(0, -5)}${String(++made).padStart(5, "0")}`,
    ...{ service: "Switch", idx: "0", property: "on", value: "true", state: "failed", outcome, error: null },
    ...{ created_at: at, expires_at: at, completed_at: at, token_id: null, deferred: null, origin: null, hops: null },
    ...{ scene_id: null, scene_command_id: null, confirmed_value: null },
  }));
  return change((build) => build.insertInto("commands").values(rows));
}

it("shows that nothing failed in a quiet hour, and what will appear there", async () => {
  await page.goto(`${home.url}/overview`);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await activity().getByText("None in the last hour").waitFor();
  await activity().getByText("No commands in the last hour").waitFor();
  await activity().getByRole("link", { name: "Events" }).waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("shows commands by outcome, and comes up to date by itself", async () => {
  const now = systemClock.now();
  await commands(7, "confirmed", now - 20 * MINUTE);
  await commands(2, "rejected", now - 20 * MINUTE);
  await commands(1, "unknown", now - 12 * MINUTE);
  await expect.poll(() => figure("Commands").textContent()).toBe("10");
  expect(await figure("Not confirmed").textContent()).toBe("3");
  await activity().getByText("1 with outcome unknown").waitFor();
  await activity()
    .getByRole("img", { name: /^Commands a minute in the last hour, at most 9/ })
    .waitFor();
  await activity().getByText("As a table").click();
  await activity()
    .getByRole("row", { name: /7 2 0 0/ })
    .waitFor();
  // The service has run for seconds: of the rest of the hour nothing is known, and nothing is drawn as nothing.
  await activity()
    .getByRole("row", { name: /nothing known/ })
    .first()
    .waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("shows the day when that is chosen, in the address, also after a reload", async () => {
  await commands(5, "not_sent", systemClock.now() - 600 * MINUTE);
  await activity().getByText("Last day", { exact: true }).click();
  await page.waitForURL(/period=day/);
  await expect.poll(() => figure("Commands").textContent()).toBe("15");
  await page.reload();
  await expect.poll(() => figure("Commands").textContent()).toBe("15");
  await activity()
    .getByRole("img", { name: /^Commands in 15 minutes in the last day/ })
    .waitFor();
});

it("shows the share of requests that failed, and leads to them", async () => {
  for (let each = 0; each < 3; each++) await owner.api.call("GET", "/api/devices/dev_x");
  await activity()
    .getByRole("link", { name: /^\d+ of \d+ requests$/ })
    .click();
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  await page.goBack();
});

it("shows incidents with a way to what they are about", async () => {
  const hub = await owner.api.good<{ id: string }>("POST", "/api/clients", {
    environmentId: owner.environmentId,
    alias: "attic-hub",
  });
  const data = JSON.stringify({ id: hub.id, alias: "attic-hub" });
  await change((build) =>
    build.insertInto("events").values({
      ...{ ecosystem_id: ecosystemId, sequence: 1_000_000, id: "evt_01h455vb4pex5vsknk084sn02q", type: "hub.offline" },
      ...{ environment_id: owner.environmentId, data, created_at: systemClock.now() - MINUTE, log_offset: null },
    }),
  );
  await change((build) =>
    build.updateTable("counters").set({ sequence: 1_000_000 }).where("ecosystem_id", "=", ecosystemId),
  );
  const incidents = activity().getByRole("region", { name: "Incidents" });
  await incidents.getByText("Hub offline").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await incidents.getByRole("link", { name: "attic-hub" }).click();
  await page.getByRole("heading", { level: 1, name: "attic-hub" }).waitFor();
  expect(complaints).toEqual([]);
});
