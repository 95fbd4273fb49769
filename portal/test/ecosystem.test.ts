/** The page of an ecosystem: how long history is kept, and the sink, as its owner sets them in a real browser; a real home, and a receiver on a socket. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { LAMP } from "../../test/parts/simulator.ts";
import { logIn } from "./log-in.ts";
import { hindrances, tooWide } from "./looks.ts";

const TOKEN = "a-token-that-nobody-is-to-see";
/** What a receiver that means harm says. */
const HOSTILE = `<img src=x onerror=window.carriedOut=1>\u202E${"W".repeat(400)}`;

interface Posted {
  readonly authorization: string | undefined;
  readonly text: string;
}

const stack = new AsyncDisposableStack();
const posted: Posted[] = [];
/** What it answers; 401 to what it refuses, no matter what else it answers. */
const receiver: { status: number; body: string; url: string; refuses?: RegExp } = { status: 204, body: "", url: "" };
let home: Home;
let page: Page;
let asked: string[];
let complaints: string[];
let path: string;

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const whole = Buffer.concat(parts);
    const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(whole).toString() : whole.toString();
    posted.push({ authorization: request.headers.authorization, text });
    response.writeHead(receiver.refuses?.test(text) ? 401 : receiver.status).end(receiver.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/write?db=home`;
  const env = { PORCHLIGHT_WEBHOOK_ALLOW: "127.0.0.0/8", PORCHLIGHT_HISTORY_RAW_DAYS_LIMIT: "60" };
  home = stack.use(await Home.start({ env }));
  const chromium = stack.use(await Chromium.start());
  ({ page, asked, complaints } = await chromium.visit());
  await logIn(page, home.api.base, OWNER);
  const { items } = await home.api.good<{ items: { id: string }[] }>("GET", "/api/ecosystems");
  path = `/api/ecosystems/${items[0]?.id}`;
  await page.goto(`${home.api.base}/ecosystems/${items[0]?.id}`);
});
afterAll(() => stack.disposeAsync());

const region = (name: string) => page.getByRole("region", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const clean = async () => expect(await accessibilityProblemsAtLength(page)).toEqual([]);

describe("history", () => {
  const raw = () => page.getByRole("textbox", { name: "Days for which every change is kept" });
  const statistics = () => page.getByRole("textbox", { name: "Days for which statistics are kept" });
  const save = () => region("History").getByRole("button", { name: "Save history settings" });
  const saved = () => region("History").getByText("Saved.", { exact: true });
  const settings = () => home.api.good<Record<string, unknown>>("GET", `${path}/history-settings`);

  it("is shown as it is, with what the operator allows", async () => {
    await raw().waitFor();
    expect([await raw().inputValue(), await statistics().inputValue()]).toEqual(["10", "730"]);
    await region("History").getByText("1 to 60 days: the operator of the service keeps no more.").waitFor();
    expect(await save().isDisabled()).toBe(true);
    await clean();
  });

  it("is kept for longer at once, and nothing that cannot be is sent", async () => {
    await raw().fill("61");
    await region("History").getByText("1 to 60", { exact: true }).waitFor();
    expect(await save().isDisabled()).toBe(true);
    await raw().fill("");
    await region("History").getByText("Enter a number of days.").waitFor();
    await raw().fill("30");
    await save().click();
    await saved().waitFor();
    expect(await settings()).toMatchObject({ enabled: true, rawDays: 30, statisticsDays: 730 });
  });

  it("is asked for before a shorter time deletes data, and lists the data", async () => {
    await raw().fill("2");
    await statistics().fill("365");
    await statistics().press("Enter");
    await dialog().getByText("Every change that is older than 2 days is deleted within two hours.").waitFor();
    await dialog().getByText("All statistics that are older than 365 days are deleted").waitFor();
    await dialog().getByText("This cannot be undone.").waitFor();
    await clean();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await settings()).toMatchObject({ rawDays: 30, statisticsDays: 730 });
    await save().click();
    await dialog().getByRole("button", { name: "Save history settings" }).click();
    await saved().waitFor();
    expect(await settings()).toMatchObject({ enabled: true, rawDays: 2, statisticsDays: 365 });
  });

  it("is turned off with a word about the gap, and on again without one; others' changes stay", async () => {
    const on = page.getByRole("switch", { name: "Keep history" });
    await on.click({ force: true });
    await home.api.good("PUT", `${path}/history-settings`, { rawDays: 5 });
    await save().click();
    await dialog().getByText("From now on nothing is recorded.").waitFor();
    await dialog().getByRole("button", { name: "Save history settings" }).click();
    await saved().waitFor();
    expect(await settings()).toMatchObject({ enabled: false, rawDays: 5 });
    await on.click({ force: true });
    await save().click();
    await saved().waitFor();
    expect(await settings()).toMatchObject({ enabled: true, rawDays: 5 });
  });

  it("is asked for by the current setting, when another user has made it longer meanwhile", async () => {
    await raw().fill("40");
    await home.api.good("PUT", `${path}/history-settings`, { rawDays: 60 });
    await save().click();
    await dialog().getByText("Every change that is older than 40 days is deleted within two hours.").waitFor();
    await dialog().getByRole("button", { name: "Save history settings" }).click();
    await saved().waitFor();
    expect(await settings()).toMatchObject({ enabled: true, rawDays: 40, statisticsDays: 365 });
  });
});

describe("the sink", () => {
  const sink = () => region("Sink");
  const stored = () => home.api.call<Record<string, unknown>>("GET", `${path}/sink`);

  it("is none at first, and explains its purpose", async () => {
    await sink().getByText("No sink", { exact: true }).waitFor();
    await clean();
  });

  it("is refused with the reason at the field, then made, and its token is never seen again", async () => {
    await button("Create sink").click();
    const create = dialog().getByRole("button", { name: "Create sink" });
    expect(await create.isDisabled()).toBe(true);
    await dialog().getByLabel("URL").fill(`${receiver.url}&p=secret`);
    await create.click();
    await dialog().getByText("The URL must not contain a password").first().waitFor();
    await clean();
    await dialog().getByLabel("URL").fill(receiver.url);
    await dialog().getByRole("textbox", { name: "Token" }).fill(TOKEN);
    await dialog().getByLabel("Prefix of measurements").fill("home_");
    await create.click();
    await sink().getByText("nothing written yet").waitFor();
    await sink().getByText("stored, never shown").waitFor();
    await clean();
    await button("Edit sink").click();
    await dialog().getByText("One is stored, and never shown.").waitFor();
    expect(await dialog().getByRole("textbox", { name: "Token" }).inputValue()).toBe("");
    await clean();
    await page.keyboard.press("Escape");
    expect(await page.content()).not.toContain(TOKEN);
  });

  it("is written to when a lamp changes, with its token, and the page shows it", async () => {
    await home.put(LAMP, "LightLevel.level", 33);
    await eventually("a line has come", async () =>
      posted.some(({ text }) => /^home_LightLevel,.*level=33/m.test(text)),
    );
    expect(posted.at(-1)?.authorization).toBe(`Token ${TOKEN}`);
    await sink().getByText("writing", { exact: true }).waitFor();
    await sink().getByText("up to date").waitFor();
    await sink()
      .getByText(/, status 204$/)
      .waitFor();
  });

  it("is tested, and the receiver's answer is shown as text only", async () => {
    await button("Test sink").click();
    await sink()
      .getByText(/^The receiver takes writes \(.*, status 204\)\.$/)
      .waitFor();
    Object.assign(receiver, { status: 401, body: HOSTILE });
    await button("Test sink").click();
    await sink().getByText("The receiver did not take it, status 401.").waitFor();
    await sink().getByText("Set the token again.").waitFor();
    expect(await page.evaluate("window.carriedOut")).toBeUndefined();
    await clean();
  });

  it("that fails shows since when, why, its backlog and the next attempt", async () => {
    await home.put(LAMP, "LightLevel.level", 44);
    await sink().getByText("failing, tried again").waitFor();
    await sink()
      .getByText(/^the receiver answered 401: <img/)
      .first()
      .waitFor();
    await sink()
      .getByText(/^\d+ events?$/)
      .waitFor();
    await sink().getByText("Next attempt", { exact: true }).waitFor();
    expect(await hindrances(page, "the sink", ["light", "dark"])).toEqual([]);
    expect(await tooWide(page, "the sink")).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("wants its token again for another host, keeps what is not changed, and tries at once", async () => {
    // What is tried again before the change would come with the prefix of before.
    Object.assign(receiver, { status: 204, body: "", refuses: /^home_/m });
    await button("Edit sink").click();
    const save = dialog().getByRole("button", { name: "Save sink" });
    expect(await save.isDisabled()).toBe(true);
    await dialog().getByLabel("URL").fill(receiver.url.replace("127.0.0.1", "127.0.0.2"));
    await dialog().getByText("The stored token was given for another host.").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await dialog().getByLabel("URL").fill(receiver.url);
    await dialog().getByLabel("Prefix of measurements").fill("");
    await save.click();
    await sink().getByText("writing", { exact: true }).waitFor();
    expect((await stored()).body).toMatchObject({ url: receiver.url, measurementPrefix: "", hasToken: true });
    await eventually("what failed has come", async () =>
      posted.some(({ text }) => /^LightLevel,.*level=44/m.test(text)),
    );
  });

  it("is paused after a question, resumed, and deleted", async () => {
    await button("Pause sink").click();
    await dialog().getByText("Nothing is written until you resume it.").waitFor();
    await dialog().getByRole("button", { name: "Pause sink" }).click();
    await sink().getByText("paused: nothing is written").waitFor();
    expect((await stored()).body).toMatchObject({ enabled: false });
    await button("Resume sink").click();
    await button("Pause sink").waitFor();
    expect((await stored()).body).toMatchObject({ enabled: true });
    await button("Delete sink").click();
    await dialog().getByText("What was written stays in the database.").waitFor();
    await dialog().getByRole("button", { name: "Delete sink" }).click();
    await sink().getByText("No sink", { exact: true }).waitFor();
    expect((await stored()).status).toBe(404);
  });
});

it("nothing was asked for elsewhere, and the browser had nothing to complain of", () => {
  expect(asked.filter((url) => !url.startsWith(home.api.base))).toEqual([]);
  expect(complaints).toEqual([]);
});
