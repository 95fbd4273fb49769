/** History in the portal, as a person reads it in a real browser: charts on the page of a device, and the dashboard; a real cloud, hub and devices. */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { BUTTON, HALL_SWITCH, LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";
import { hindrances, tooWide, unreachable } from "./looks.ts";

const stack = new AsyncDisposableStack();
let home: Home;
let chromium: Chromium;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  home = stack.use(await Home.start());
  chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await page.setViewportSize({ width: 1440, height: 1000 });
  await logIn(page, home.api.base, OWNER);
});
afterAll(() => stack.disposeAsync());

const environment = () => `${home.api.base}/environments/${home.environmentId}`;
const figure = (name: string) => page.getByRole("figure", { name: `History of ${name}`, exact: true });

/** Opens the history of a property on the page of its device. */
async function open(edgeId: string, name: string): Promise<Locator> {
  await page.goto(`${environment()}/devices/${(await home.device(edgeId)).id}`);
  await page.getByRole("button", { name: `History of ${name}`, exact: true }).click();
  const chart = figure(name);
  await chart.locator("canvas").first().waitFor();
  return chart;
}

/** What the table behind a chart has, row by row. */
const tableOf = (chart: Locator) => chart.locator("tbody tr td:last-child").allTextContents();

/** Pixels of the first canvas that have a colour. */
const coloured = () =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector("figure canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 200 && Math.abs(data[at] - data[at + 2]) > 60) count += 1;
    return count;
  })()`);

describe("the history of a value", () => {
  it("is drawn, goes on with what happens, and stands in a table as well", async () => {
    for (const level of [20, 70]) await home.put(LAMP, "LightLevel.level", level);
    const chart = await open(LAMP, "Brightness");
    await chart.getByRole("button", { name: "1 h" }).click();
    await chart.getByRole("button", { name: "Show as table" }).click();
    await eventually("the service has recorded both", async () => {
      const rows = await tableOf(chart);
      return rows.includes("70 %") && rows.includes("20 %");
    });
    expect(await coloured()).toBeGreaterThan(50);
    await home.put(LAMP, "LightLevel.level", 45);
    await eventually("the newest is on top", async () => (await tableOf(chart))[0] === "45 %");
    await chart.getByText("45 %").first().waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });

  itAtLength("has several properties together: another axis, and a timeline for what is no number", async () => {
    const chart = await open(LAMP, "Brightness");
    await chart.getByLabel("Add a property to the chart").selectOption({ label: "Switch: Power" });
    await eventually("there is a second panel", async () => (await chart.locator("canvas").count()) === 2);
    await chart.getByRole("listitem").filter({ hasText: "Switch: Power" }).waitFor();
  });

  it("is zoomed and read by the keyboard alone", async () => {
    const chart = await open(LAMP, "Brightness");
    const day = chart.getByRole("button", { name: "24 h" });
    const follow = chart.getByRole("button", { name: "Follow now" });
    expect(await day.getAttribute("aria-pressed")).toBe("true");
    await chart.getByRole("group", { name: "Chart of Brightness" }).focus();
    await page.keyboard.press("+");
    await eventually("it stands still", async () => (await follow.getAttribute("aria-pressed")) === "false");
    await page.keyboard.press("0");
    await eventually("it follows again", async () => (await follow.getAttribute("aria-pressed")) === "true");
    await page.keyboard.press("End");
    await chart
      .getByRole("status")
      .filter({ hasText: /Brightness: (45 %|unknown|nothing known)/ })
      .waitFor();
  });

  itAtLength("is zoomed by dragging and by a wheel, and reset", async () => {
    const chart = await open(LAMP, "Brightness");
    const follow = chart.getByRole("button", { name: "Follow now" });
    const box = await chart.locator(".u-over").boundingBox();
    if (!box) throw new Error("The chart is not there.");
    await page.mouse.move(box.x + box.width * 0.3, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await eventually("it stands still", async () => (await follow.getAttribute("aria-pressed")) === "false");
    await chart.getByRole("button", { name: "Reset zoom" }).click();
    await eventually("it follows", async () => (await follow.getAttribute("aria-pressed")) === "true");
    await page.mouse.move(box.x + box.width * 0.3, box.y + 50);
    await page.mouse.click(box.x + box.width * 0.3, box.y + 50);
    await page.mouse.wheel(0, -300);
    await eventually("it stands still", async () => (await follow.getAttribute("aria-pressed")) === "false");
  });

  it("is a file by one click, as the service makes it", async () => {
    const chart = await open(LAMP, "Brightness");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      chart.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    const text = readFileSync(await download.path(), "utf8");
    expect(text).toMatch(/^deviceId,service,index,property,unit,at,value,gapUntil,gapReason\r\n/);
    expect(text).toContain("LightLevel,0,level,%,");
  });

  itAtLength("of a button is a mark for each press, and their number", async () => {
    const chart = await open(BUTTON, "Button: Last press");
    await home.simulator.tell(`press ${BUTTON} Button.event double`);
    await chart.getByText(/^1 time, last: double$/).waitFor();
    await home.simulator.tell(`press ${BUTTON} Button.event long`);
    await chart.getByText(/^2 times, last: long$/).waitFor();
  });

  it("shows a gap while the hub is away, and the values once it is back", async () => {
    const chart = await open(LAMP, "Brightness");
    await chart.getByRole("button", { name: "1 h" }).click();
    await chart.getByRole("button", { name: "Show as table" }).click();
    home.agent.signal("SIGSTOP");
    const isUnknown = async () =>
      (await tableOf(chart)).some((row) => /^unknown: (hub offline|not known to this page)$/.test(row));
    await eventually("the table says so", isUnknown);
    await chart.getByText("hatched: unknown").waitFor();
    await chart
      .getByRole("listitem")
      .filter({ hasText: /unknown: / })
      .first()
      .waitFor();
    home.agent.signal("SIGCONT");
    await eventually("the value is known again", async () => {
      const entry = await chart.getByRole("listitem").first().textContent();
      return entry !== null && !/unknown/.test(entry);
    });
    // The hub ran on, so the service knows of that time afterwards: it is in what is asked for anew.
    const again = await open(LAMP, "Brightness");
    await again.getByRole("button", { name: "1 h" }).click();
    await again.getByRole("button", { name: "Show as table" }).click();
    await eventually("the service knows of that time", async () => {
      const rows = await tableOf(again);
      return rows.length > 0 && !rows.some((row) => row.startsWith("unknown"));
    });
  });

  itAtLength("asks again soon when the service has not yet recorded that the hub is back", async () => {
    // What the service answered while the hub was away, it goes on to answer for a while, as one does that records slowly.
    let away: string | undefined;
    let late = 0;
    await page.route(/\/history\?/, async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      if (body.includes('"reason":"hub_offline"')) away = body;
      const isLate = late > 0;
      if (isLate) late -= 1;
      await route.fulfill({ response, body: isLate ? (away ?? body) : body });
    });
    home.agent.signal("SIGSTOP");
    let chart = figure("Brightness");
    await eventually("the service has recorded that the hub is away", async () => {
      chart = await open(LAMP, "Brightness");
      await chart.getByRole("button", { name: "Show as table" }).click();
      return away !== undefined;
    });
    late = 2;
    home.agent.signal("SIGCONT");
    await eventually("the answers of then were given", async () => late === 0);
    await eventually("the value is known", async () => (await tableOf(chart))[0] === "45 %");
    await page.unrouteAll({ behavior: "wait" });
  });
});

describe("the dashboard", () => {
  const dashboard = () => page.goto(`${environment()}/dashboard`);
  const titles = async (of = page) =>
    (await of.locator("[data-card] h2").allTextContents()).map((each) => each.split(": ").slice(1).join(": "));

  it("is empty at first, and shows how to begin", async () => {
    await dashboard();
    await page.getByText("No cards yet").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });

  it("has what is pinned on the page of a device, and what is added there", async () => {
    const chart = await open(LAMP, "Brightness");
    await chart.getByRole("button", { name: "Pin chart" }).click();
    await chart.getByRole("link", { name: /^Pinned/ }).click();
    await page.getByRole("figure").locator("canvas").waitFor();
    await page.getByRole("button", { name: "Add card" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Device" }).selectOption({ label: "Hall switch" });
    await dialog.getByRole("checkbox", { name: /^Switch 0/ }).check();
    await dialog.getByRole("checkbox", { name: /^Switch 1/ }).check();
    await dialog.getByRole("button", { name: "Add card" }).click();
    await dialog.waitFor({ state: "detached" });
    await eventually("there are three cards", async () => (await titles()).length === 3);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });

  it("shows a value as it changes, and to everybody else what one has arranged", async () => {
    const other = await chromium.visit();
    await logIn(other.page, home.api.base, OWNER);
    await other.page.goto(`${environment()}/dashboard`);
    await eventually("the other sees them", async () => (await titles(other.page)).length === 3);
    await home.put(HALL_SWITCH, "Switch:0.on", true);
    const card = page.locator("[data-card]").filter({ hasText: "Switch 0" });
    await card.getByText("on", { exact: true }).waitFor();
    await home.put(HALL_SWITCH, "Switch:0.on", false);
    await card.getByText("off", { exact: true }).waitFor();

    const before = await titles();
    await page.getByRole("button", { name: "Arrange cards" }).click();
    await page.getByRole("button", { name: /^Move .*Brightness/ }).press("ArrowRight");
    const [first = "", second = "", ...rest] = before;
    const swapped = [second, first, ...rest];
    await eventually("it has moved", async () => JSON.stringify(await titles()) === JSON.stringify(swapped));
    await page.getByRole("status").filter({ hasText: "is now card 2 of 3." }).waitFor();
    await eventually(
      "and for the other",
      async () => JSON.stringify(await titles(other.page)) === JSON.stringify(swapped),
    );

    const grip = await page.getByRole("button", { name: /^Move .*Brightness/ }).boundingBox();
    const place = await page.locator("[data-card]").first().boundingBox();
    if (!grip || !place) throw new Error("The cards are not there.");
    await page.mouse.move(grip.x + 8, grip.y + 8);
    await page.mouse.down();
    await page.mouse.move(place.x + 30, place.y + 30, { steps: 6 });
    await page.mouse.up();
    await eventually("it is back", async () => JSON.stringify(await titles()) === JSON.stringify(before));
    expect(other.complaints).toEqual([]);
    await other.page.context().close();
  });

  itAtLength(
    "has a title and a time of a card's own, for everybody, and the time of the dashboard for all other charts",
    async () => {
      const kept = async () => {
        const { meta } = await home.api.good<{
          meta: Record<string, { length?: number; cards: Record<string, unknown>[] }>;
        }>("GET", `/api/environments/${home.environmentId}`);
        const { length, cards } = meta["portal.dashboard"] ?? { cards: [] };
        return { length, chart: cards.find(({ kind }) => kind === "chart") };
      };
      const chart = () => page.locator("[data-card]").filter({ has: page.getByRole("figure") });
      const pressed = (name: string) => chart().getByRole("button", { name, exact: true }).getAttribute("aria-pressed");
      const dialog = page.getByRole("dialog");
      const name = `<b>Kitchen</b> ${"م".repeat(40)}`;
      expect(await pressed("24 h")).toBe("true");

      await page.getByLabel("Charts show").selectOption({ label: "Last 7 days" });
      await eventually("the chart follows", async () => (await pressed("7 d")) === "true");
      await chart()
        .getByRole("button", { name: /^Edit / })
        .click();
      await dialog.getByLabel("Time shown").selectOption({ label: "Last hour" });
      expect(await accessibilityProblemsAtLength(page)).toEqual([]);
      await dialog.getByLabel("Title").fill(`  ${name} `);
      await dialog.getByRole("button", { name: "Save card" }).click();
      await dialog.waitFor({ state: "detached" });
      await chart().getByRole("heading", { name }).waitFor();
      await eventually("it has its own time", async () => (await pressed("1 h")) === "true");
      expect(await kept()).toMatchObject({ length: 604_800_000, chart: { title: name, length: 3_600_000 } });

      const other = await chromium.visit();
      await logIn(other.page, home.api.base, OWNER);
      await other.page.goto(`${environment()}/dashboard`);
      await other.page.getByRole("heading", { name }).waitFor();
      expect(other.complaints).toEqual([]);
      await other.page.context().close();

      await page.getByLabel("Charts show").selectOption({ label: "Last 30 days" });
      await eventually("it is kept", async () => (await kept()).length === 2_592_000_000);
      expect(await pressed("1 h")).toBe("true");
      expect(await hindrances(page, "the dashboard", ["light", "dark"])).toEqual([]);
      expect([...(await tooWide(page, "the dashboard")), ...(await unreachable(page, "the dashboard"))]).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 1000 });

      await chart()
        .getByRole("button", { name: /^Edit / })
        .click();
      await dialog.getByLabel("Title").fill(" ");
      await dialog.getByLabel("Time shown").selectOption({ label: "As the dashboard: last 30 days" });
      await dialog.getByRole("button", { name: "Save card" }).click();
      await chart()
        .getByRole("heading", { name: /: Brightness$/ })
        .waitFor();
      await eventually("it follows again", async () => (await pressed("30 d")) === "true");
      await eventually("nothing of its own is kept", async () => {
        const { chart: card = {} } = await kept();
        return !("title" in card) && !("length" in card);
      });
    },
  );

  it("keeps what others write into the environment meanwhile", async () => {
    const read = async () =>
      (await home.api.good<{ meta: Record<string, unknown> }>("GET", `/api/environments/${home.environmentId}`)).meta;
    await home.api.good("PUT", `/api/environments/${home.environmentId}`, { meta: { ...(await read()), floors: 2 } });
    await page.getByRole("button", { name: /^Remove .*Switch 1/ }).click();
    await eventually("it is gone", async () => (await titles()).length === 2);
    await eventually("and written", async () => JSON.stringify(await read()).includes('"index":"1"') === false);
    expect((await read()).floors).toBe(2);
  });
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});
