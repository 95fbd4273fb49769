/** The events page over a log of 25,000 events, in a real browser over a real cloud. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { type Owner, UnpairedHome } from "../../test/parts/unpaired-home.ts";
import { logIn } from "./log-in.ts";

const EVENTS = 25_000;
/** One event a minute. */
const MINUTE = 60_000;

const stack = new AsyncDisposableStack();
let home: UnpairedHome;
let owner: Owner;
let page: Page;
let complaints: string[];
let address: string;
let deviceId: string;
/** When the first event that was put in happened, ms since 1970. */
let began: number;

beforeAll(async () => {
  home = stack.use(await UnpairedHome.start());
  owner = await home.owner();
  const made = { environmentId: owner.environmentId, services: [{ service: "Switch" }] };
  deviceId = (await owner.api.good<{ id: string }>("POST", "/api/devices", made)).id;
  const { items } = await owner.api.good<{ items: { id: string }[] }>("GET", "/api/ecosystems");
  const ecosystemId = items[0]?.id ?? "";
  fill(ecosystemId);
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await logIn(page, home.url, owner);
  address = `${home.url}/ecosystems/${ecosystemId}/events`;
});
afterAll(() => stack.disposeAsync());

/** Puts events into the log up to number 25,000, as the service would have; every hundredth is of another type. */
function fill(ecosystemId: string): void {
  const database = new DatabaseSync(databasePath());
  try {
    const { sequence } = database.prepare("select sequence from counters where ecosystem_id = ?").get(ecosystemId) as {
      sequence: number;
    };
    const first = database.prepare("select max(created_at) as at from events").get() as { at: number };
    began = first.at - EVENTS * MINUTE;
    database.exec("begin immediate");
    database.prepare("update events set created_at = ? where ecosystem_id = ?").run(began, ecosystemId);
    const insert = database.prepare(
      "insert into events (ecosystem_id, sequence, id, type, environment_id, data, created_at, log_offset) values (?, ?, ?, ?, ?, ?, ?, 0)",
    );
    for (let at = sequence + 1; at <= EVENTS; at += 1) {
      const isRare = at % 100 === 0;
      const item = { id: owner.environmentId, deviceId, service: "Switch", index: "0", property: "on" };
      const data = isRare
        ? { id: "zon_1", alias: `zone ${at}`, meta: {} }
        : { item: { ...item, value: at % 2 === 0 }, cause: { kind: "device" } };
      insert.run(
        ...([ecosystemId, at, `evt_${String(at).padStart(26, "0")}`] as const),
        ...([isRare ? "zone.updated" : "property.changed", owner.environmentId] as const),
        ...([JSON.stringify(data), began + at * MINUTE - MINUTE] as const),
      );
    }
    database.prepare("update counters set sequence = ? where ecosystem_id = ?").run(EVENTS, ecosystemId);
    database.exec("commit");
  } finally {
    database.close();
  }
}

function databasePath(): string {
  return join(home.folder, "cloud", "cloud.db");
}

const lines = () => page.locator("summary");
const standing = (text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor();
const click = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
const sequences = () =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll("summary > span:first-child")].map((each) => Number(each.textContent))`,
  );
const upTo = (newest: number, oldest: number) => Array.from({ length: newest - oldest + 1 }, (_, at) => newest - at);
const happen = (alias: string) => owner.api.good("POST", "/api/zones", { environmentId: owner.environmentId, alias });

describe("a log of 25,000 events", () => {
  it("opens with the newest, and the next live event joins them without a gap", async () => {
    await page.goto(address);
    await standing("Live.");
    expect(await sequences()).toEqual(upTo(EVENTS, EVENTS - 199));
    await page
      .getByText(`${(EVENTS - 200).toLocaleString("en")} events (1 to ${EVENTS - 200}) are not loaded.`)
      .waitFor();
    await happen("porch");
    await lines().filter({ hasText: "porch" }).waitFor();
    expect(await sequences()).toEqual(upTo(EVENTS + 1, EVENTS - 199));
    await standing("Live.");
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });

  itAtLength("is paged back; what falls out of memory is marked, and the page is not live any more", async () => {
    for (let loaded = 201; loaded < 2000; loaded = Math.min(2000, loaded + 200)) {
      await click("Load older");
      await eventually("older ones", async () => {
        const [now, wanted] = [await lines().count(), Math.min(2000, loaded + 200)];
        if (now === wanted) return true;
        throw new Error(`${now} lines, not ${wanted}; ${await page.getByRole("alert").allTextContents()}`);
      });
    }
    await standing(/^Paused:/);
    expect(await page.getByRole("status").filter({ hasText: "Live." }).count()).toBe(0);
    await page.getByText("Event 25001 is not loaded.").waitFor();
    await click("Load newer");
    await page.getByText("Event 25001 is not loaded.").waitFor({ state: "detached" });
    expect(await sequences()).toEqual(upTo(EVENTS + 1, EVENTS - 1998));
  });

  it("shows from the first event on what lies between there and the live end", async () => {
    await page.goto(`${address}?after=0`);
    await page.getByText(`24,801 events (201 to ${EVENTS + 1}) are not loaded.`).waitFor();
    await page.getByText("The log starts here.").waitFor();
    expect(await sequences()).toEqual(upTo(200, 1));
    await standing(/^Paused: 0 events arrived meanwhile\. Showing events up to number 200. The newest is 25001\./);
    await happen("roof");
    await standing(/^Paused: 1 event arrived meanwhile\./);
    await click("Load newer");
    await eventually("the next page", async () => (await lines().count()) === 400);
    expect(await sequences()).toEqual(upTo(400, 1));
    await click("Go live (1 new)");
    await standing("Live.");
    await lines().filter({ hasText: "roof" }).waitFor();
    expect((await sequences())[0]).toBe(EVENTS + 2);
    expect(page.url()).not.toContain("after");
  });

  it("is shown from a time on", async () => {
    const at = new Date(began + 9_999 * MINUTE).toISOString().slice(0, 19).replace("T", " ");
    await page.goto(`${address}?at=${encodeURIComponent(`${at}Z`)}`);
    await page.getByText(/^9,999 events \(1 to 9999\) are not loaded\.$/).waitFor();
    expect(await sequences()).toEqual(upTo(10_199, 10_000));
    await page.getByLabel("Start after event number").fill("500");
    await page.getByRole("button", { name: "Go to event" }).click();
    await page.getByText(/^500 events \(1 to 500\) are not loaded\.$/).waitFor();
    expect(await sequences()).toEqual(upTo(700, 501));
  });

  it("is exported as it is filtered", async () => {
    await page.goto(`${address}?types=zone.updated`);
    await standing("Live.");
    expect(await sequences()).toEqual(upTo(250, 51).map((each) => each * 100));
    expect(await exported("NDJSON")).toEqual(upTo(250, 1).map((each) => String(each * 100)));
    expect(await exported("CSV")).toEqual(upTo(250, 1).map((each) => String(each * 100)));
  });
});

/** Sequences of the file, the newest first. */
async function exported(format: "NDJSON" | "CSV"): Promise<string[]> {
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export events" });
  await dialog.getByText(format, { exact: true }).click();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const text = readFileSync(await (await download).path(), "utf8").trim();
  await dialog.getByText("Downloaded: 250 events.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const rows = text.split(/\r?\n/);
  const of =
    format === "CSV" ? rows.slice(1).map((row) => row.split(",")[0]) : rows.map((row) => JSON.parse(row).sequence);
  return of.map(String).toReversed();
}

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
