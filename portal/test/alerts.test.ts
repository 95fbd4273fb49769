/** The page of alerts, as a person uses it in a real browser: what is open, how it ends, and which notifications the account wants. */
import { join } from "node:path";
import { changeAt } from "@porchlight/cloud/store/fresh-store.fixture.ts";
import { formatTime } from "@porchlight/shared/api";
import { systemClock } from "@porchlight/shared/kernel";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { type Owner, UnpairedHome } from "../../test/parts/unpaired-home.ts";
import { logIn } from "./log-in.ts";

const MINUTE = 60_000;
const stack = new AsyncDisposableStack();
let home: UnpairedHome;
let owner: Owner;
let page: Page;
let complaints: string[];
let hub: string;

beforeAll(async () => {
  home = stack.use(await UnpairedHome.start());
  owner = await home.owner();
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  // A look of the service may be half a minute away.
  await logIn(page, home.url, owner);
});
afterAll(() => stack.disposeAsync());

const region = (name: string) => page.getByRole("region", { name, exact: true });
const open = () => page.getByRole("list", { name: "Open alerts" });
const ended = () => page.getByRole("list", { name: "Ended alerts" });

/** Past the service: what takes a hub minutes. */
const change = (made: Parameters<typeof changeAt>[1]) => changeAt(join(home.folder, "cloud", "cloud.db"), made);

it("an account without alerts sees what is watched", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "Alerts", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
  await page.getByText("No open alerts").waitFor();
  await page.getByText("No ended alerts").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("a hub that stays offline is shown with a link to it, and moves to the ended ones by itself when it is back", async () => {
  const { environmentId, api } = owner;
  const made = await api.good<{ id: string; ecosystemId: string }>("POST", "/api/clients", {
    environmentId,
    alias: "attic-hub",
  });
  hub = made.id;
  const now = systemClock.now();
  const since = now - 20 * MINUTE;
  await change((build) => build.updateTable("clients").set({ online: 0, online_since: since }).where("id", "=", hub));
  const about = { kind: "hub_offline", subject_id: hub, subject_name: "attic-hub", environment_id: environmentId };
  const text = `Hub “attic-hub” has been offline since ${formatTime(since)}.`;
  const row = {
    ...about,
    text,
    end_text: null,
    since,
    opened_at: now - 10 * MINUTE,
    ended_at: null,
    mail: null,
    told: 0,
  };
  const id = "alt_01h455vb4pex5vsknk084sn02q";
  await change((build) => build.insertInto("alerts").values({ ecosystem_id: made.ecosystemId, id, ...row }));
  await page.reload();
  await open().getByText("has been offline since").waitFor();
  await open().getByText("Hub offline").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await open().getByRole("link", { name: "Show hub" }).click();
  await page.getByRole("heading", { level: 1, name: "attic-hub" }).waitFor();
  await page.goBack();
  await open().getByText("has been offline since").waitFor();
  await change((build) =>
    build.updateTable("clients").set({ online: 1, online_since: systemClock.now() }).where("id", "=", hub),
  );
  await ended().getByText("has been online again since").waitFor();
  await page.getByText("No open alerts").waitFor();
});

it("the settings are changed in one form, kept, and asked about before they are lost", async () => {
  const settings = region("Settings");
  await settings.getByText(/is not verified/).waitFor();
  await settings.getByRole("textbox", { name: "Minutes offline" }).fill("30");
  await settings.getByRole("switch", { name: "Battery low" }).click();
  await settings.getByRole("switch", { name: "Quiet hours" }).click();
  await settings.getByLabel("From").fill("21:30");
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await page.getByRole("navigation").getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("dialog").getByText("not saved").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await settings.getByRole("button", { name: "Save" }).click();
  await eventually("the settings are stored", async () => {
    const stored = await owner.api.good<Record<string, unknown>>("GET", "/api/account/alerts");
    expect(stored).toMatchObject({
      hubOffline: { enabled: true, minutes: 30 },
      batteryLow: { enabled: false, percent: 15 },
      quietHours: { start: "21:30", end: "07:00" },
    });
    return stored;
  });
  await page.reload();
  await eventually("the form has them", async () => {
    return (await settings.getByRole("textbox", { name: "Minutes offline" }).inputValue()) === "30";
  });
});

it("a test shows its result", async () => {
  await region("Settings").getByRole("button", { name: "Send test alert" }).click();
  await page.getByText("No e-mail was sent, because your address is not verified.").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("a phone shows all of it without scrolling sideways, and the browser has complained of nothing", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(complaints).toEqual([]);
});
