/**
 * The first time with Porchlight, on a phone, with the clock running: from sign-up to an alert. It prints what each step took and judges none
 * of it; docs/portal.md has a table of one run. In the long run the alert waits its whole minute; else the hub's absence is made a minute longer.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Chromium } from "../parts/chromium.ts";
import { eventually } from "../parts/eventually.ts";
import type { Program } from "../parts/program.ts";
import { rounds } from "../parts/rounds.ts";
import { LAMP } from "../parts/simulator.ts";
import { UnpairedHome } from "../parts/unpaired-home.ts";

const EMAIL = "newcomer@porch.example";
/** Where a picture of each step is put; nowhere when it is not set. */
const PICTURES = process.env.PORCHLIGHT_PICTURES;
/** The service looks for alerts each half minute, after the minute that is the least that can be chosen. */
const ALERT_LIMIT = 180_000;

const stack = new AsyncDisposableStack();
const table: string[] = [];
let home: UnpairedHome;
let page: Page;
let complaints: string[];
let hub: Program;

beforeAll(async () => {
  home = stack.use(await UnpairedHome.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await page.setViewportSize({ width: 390, height: 844 });
});
afterAll(async () => {
  process.stdout.write(`| step | seconds |\n|---|---|\n${table.join("\n")}\n`);
  await stack.disposeAsync();
});

/** One step of the person: its duration is printed, and nothing on the way may be wider than the phone. */
function step(what: string, act: () => Promise<void>, timeout = 120_000): void {
  it(
    what,
    async () => {
      const begin = performance.now();
      await act();
      table.push(`| ${what} | ${((performance.now() - begin) / 1000).toFixed(1)} |`);
      if (PICTURES !== undefined) await picture(PICTURES, what);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what).toBe(true);
    },
    timeout,
  );
}

async function picture(folder: string, what: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const name = `${String(table.length).padStart(2, "0")}-${what.replaceAll(/\W+/g, "-").slice(0, 40)}`;
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.screenshot({ path: join(folder, `${name}-whole.png`), fullPage: true });
}

const shows = (text: string | RegExp) => page.locator("main").getByText(text).first().waitFor();
/** The one button that sends the form in sight. */
const send = () => page.locator('form button[type="submit"]').last().click();

/** To a page by the menu of the phone. */
async function go(name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: /^menu$/i }).click();
  await page.getByRole("navigation").getByRole("link", { name }).first().click();
}

/** The letter that has this in it, once it has been sent. */
const letter = (text: RegExp, limit?: number) =>
  eventually(
    `a letter with ${text}`,
    async () => {
      const folder = join(home.folder, "cloud", "mail");
      return readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "utf8"))
        .find((each) => each.includes(EMAIL) && text.test(each));
    },
    limit,
  );

step("sign up", async () => {
  await page.goto(`${home.url}/`);
  await page.getByRole("link", { name: /account|sign up/i }).click();
  // The form before it has fields of the same names.
  await page.getByRole("heading", { level: 1, name: /account|sign up/i }).waitFor();
  await page.getByLabel(/e-?mail/i).fill(EMAIL);
  await page.getByRole("textbox", { name: /password/i }).fill("a long and quiet password");
  await send();
  await page.getByRole("heading", { name: /connect a hub/i }).waitFor();
});

step("verify the e-mail address by the link in the e-mail", async () => {
  const text = await letter(/verify/i);
  await page.goto(/http\S+\/verify\S*/.exec(text)?.[0] ?? "");
  await send();
  await page.getByRole("link", { name: /portal/i }).click();
  await page.getByRole("heading", { name: /connect a hub/i }).waitFor();
});

step("start the hub by the command that the portal shows", async () => {
  const shown = await page.locator("pre, code").filter({ hasText: "porchlight-agent pair" }).first().textContent();
  const address = /pair .*--cloud (\S+)/.exec(shown ?? "")?.[1] ?? "";
  const pairing = home.agent("hall", "pair", "--again", "--cloud", address);
  const code = await pairing.line((line) => /^code: (\S+)$/.exec(line)?.[1]);
  await page
    .getByRole("link", { name: /enter it|pair|code/i })
    .first()
    .click();
  await page.getByRole("textbox", { name: /code/i }).fill(code);
  await send();
  const fingerprint = await pairing.line((line) => /^\s+key\s+(\S+)$/.exec(line)?.[1]);
  await page.getByText(fingerprint, { exact: true }).first().waitFor({ state: "attached" });
  await send();
  await pairing.ended;
  hub = home.run("hall");
  await shows(/^hub online/i);
});

step("find the lamp by the name that it shows", async () => {
  await page.getByRole("button", { name: /^menu$/i }).click();
  await page.getByRole("button", { name: /^search/i }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("porch l");
  await dialog.getByRole("option", { name: /^Porch light/ }).click();
  await page.getByRole("heading", { level: 1, name: "Porch light" }).waitFor();
});

step("switch it off", async () => {
  const power = page.getByRole("switch", { name: /: Power$/ });
  await power.locator("..").click();
  await eventually("the lamp is off", async () => (await home.simulator.value(LAMP, "Switch.on")) === false);
  await page.getByRole("switch", { name: /: Power$/, checked: false }).waitFor();
});

step("see that another person has switched it on", async () => {
  await home.simulator.tell(`set ${LAMP} Switch.on true`);
  await page.getByRole("switch", { name: /: Power$/, checked: true }).waitFor();
});

step("see why the lamp cannot be reached: its plug is out", async () => {
  await home.simulator.tell(`unplug ${LAMP}`);
  await page
    .getByRole("status")
    .filter({ hasText: /does not respond/i })
    .first()
    .waitFor();
  await home.simulator.tell(`plug ${LAMP}`);
  await page.locator("main").getByText("online", { exact: true }).first().waitFor();
});

step("choose an alert for a hub that is offline for one minute, the minimum", async () => {
  await go(/alerts/i);
  await page.getByRole("textbox", { name: /minutes offline/i }).fill("1");
  await page.getByRole("button", { name: /^save/i }).click();
  await page.getByRole("button", { name: /^save/i }).and(page.locator(":disabled")).waitFor();
});

step("see why the lamp cannot be reached: the hub is off", async () => {
  await hub.kill();
  await go(/devices/i);
  await page.getByRole("link", { name: "Porch light", exact: true }).first().click();
  const notice = page.getByRole("status").filter({ hasText: /hub/i }).first();
  await notice.waitFor();
  await notice.getByRole("link").click();
  await shows(/connection was interrupted|stopped responding/i);
});

step(
  "get an alert, on its page and by e-mail",
  async () => {
    await aMinutePasses();
    await go(/alerts/i);
    await page
      .getByRole("list", { name: /open alerts/i })
      .getByText(/offline since/)
      .first()
      .waitFor({ timeout: ALERT_LIMIT });
    await letter(/offline since/i, ALERT_LIMIT);
  },
  2 * ALERT_LIMIT,
);

step(
  "see that it is over, once the hub runs again",
  async () => {
    hub = home.run("hall");
    await page
      .getByRole("list", { name: /ended alerts/i })
      .getByText(/online again/)
      .first()
      .waitFor({ timeout: ALERT_LIMIT });
  },
  2 * ALERT_LIMIT,
);

it("the browser logged no problem", () => {
  expect(complaints).toEqual([]);
});

/** The hub's absence is made a minute longer, except in the long run. */
async function aMinutePasses(): Promise<void> {
  if (rounds(0, 1) === 1) return;
  const db = new Sqlite(join(home.folder, "cloud", "cloud.db"), { timeout: 60_000 });
  const moveBack = db.prepare("update clients set online_since = online_since - 60000 where online = 0");
  await eventually("the hub is offline in the log", async () => moveBack.run().changes === 1);
  db.close();
}
