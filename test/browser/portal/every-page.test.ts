/** Every page of the portal, full and empty, in a real browser: nothing harmful is carried out, nothing breaks, everybody can use it. */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../parts/api.ts";
import { Chromium, seriousAccessibilityProblems, settled } from "../../parts/chromium.ts";
import { Program } from "../../parts/program.ts";
import { cutNames, sideways } from "./ends.ts";
import { logIn } from "./log-in.ts";
import { smallTargets } from "./touch.ts";
import { addressOf, declaredRoutes, emptyOwner, fullOwner, type Owner } from "./tour.ts";

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1440, height: 900 },
  wall: { width: 2560, height: 1300 },
};
/** All pages, on a machine that has other things to do, ms. */
const PATIENCE = 900_000;
type Colours = "light" | "dark";

/** Without a log-in, or leading away from where one is. */
const OUTSIDE = ["/login", "/signup", "/reset", "/verify"];

/** Pages that show a new account its first steps. */
const STEPS = ["/", "/overview"];

const stack = new AsyncDisposableStack();
let chromium: Chromium;
let origin: string;
let owners: Record<"full" | "empty", Owner>;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-tour-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  // Answers with what a receiver that means harm would say.
  const receiver = createServer((_, response) =>
    response.writeHead(500).end("<script>window.carriedOut=1</script>".repeat(100)),
  );
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void receiver.close());
  const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const args = ["serve", "--port", "0", "--data", folder, "--rate-limit", "off", "--webhook-allow", "127.0.0.0/8"];
  const cloud = stack.use(new Program("cloud", "cloud/src/main.ts", args));
  origin = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  const open = new Api(origin);
  owners = { full: await fullOwner(open, "full", callback), empty: await emptyOwner(open, "empty") };
  chromium = stack.use(await Chromium.start());
});
afterAll(() => stack.disposeAsync());

/** Pages that an owner has, under the routes that they are. */
function pagesOf({ parameters }: Owner): { readonly route: string; readonly address: string }[] {
  return declaredRoutes().flatMap((route) => {
    const address = addressOf(route, parameters);
    return address === undefined || OUTSIDE.includes(route) ? [] : [{ route, address }];
  });
}

/** Waits until nothing is being loaded any more. */
async function loaded(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
}

/** As the system says light or dark, once the page has followed. */
async function inColours(page: Page, colorScheme: Colours): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: "attached" });
  await drawn(page);
}

/** Parts that are laid out or coloured by script follow a frame later. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
  await settled(page);
}

/** Pixels by which the page is wider than what it is looked at in. */
async function excess(page: Page): Promise<number> {
  await drawn(page);
  return page.evaluate<number>("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth");
}

it("every route is looked at", () => {
  const { full } = owners;
  const missed = declaredRoutes().filter((route) => addressOf(route, full.parameters) === undefined);
  expect(declaredRoutes().length).toBeGreaterThan(20);
  expect(missed).toEqual([]);
});

/** What is too wide on a page, in any of the sizes. */
async function tooWide(page: Page, route: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    const over = await excess(page);
    if (over > 0) found.push(`${route}, ${name}: ${over} px too wide`);
    found.push(...(await cutNames(page)).map((each) => `${route}, ${name}: ${each}`));
  }
  return found;
}

/** The primary buttons of a page, where there are more than the one that it may have. */
async function rivals(page: Page, route: string): Promise<string[]> {
  // The first steps stand beside each other, each with its own.
  if (STEPS.includes(route)) return [];
  const names = await page
    .locator('main .mantine-Button-root:is([data-variant="filled"], :not([data-variant]))')
    .allInnerTexts();
  return names.length > 1 ? [`${route}: ${names.join(", ")} are all primary`] : [];
}

/** What cannot be had with a thumb: on a page, and in the dialogs that its buttons open. */
async function unreachable(page: Page, route: string): Promise<string[]> {
  await page.setViewportSize(SIZES.phone);
  await drawn(page);
  const found = [...(await sideways(page)), ...(await smallTargets(page))];
  const openers = page.locator('main button[aria-haspopup="dialog"]:enabled');
  for (let at = 0; at < (await openers.count()); at++) {
    const opener = openers.nth(at);
    await opener.click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await drawn(page);
    const problems = [...(await smallTargets(page)), ...(await cutNames(page))];
    found.push(...problems.map((each) => `in a dialog, ${each}`));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  return found.map((each) => `${route}, phone: ${each}`);
}

/**
 * What hinders somebody on a page, in both colours; what is not of colours is the same in both.
 * @param colours the page's present ones first
 */
async function hindrances(page: Page, route: string, colours: readonly Colours[]): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of colours) {
    await inColours(page, colorScheme);
    const problems = await seriousAccessibilityProblems(page, colorScheme === "dark" ? "colours" : "everything");
    found.push(...problems.map((problem) => `${route}, ${colorScheme}: ${problem}`));
  }
  return found;
}

/** Side by side: a browser has a process for each. Every page is loaded once, for that takes longer than to look at it. */
describe.concurrent.each(["full", "empty"] as const)("for an account that is %s", (kind) => {
  it("nothing is carried out, every page fits a phone, a thumb, a desk and a wall, and everybody can use it, light and dark", {
    timeout: PATIENCE,
  }, async () => {
    const { page, complaints } = await chromium.visit();
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await logIn(page, origin, owners[kind]);
    const problems: string[] = [];
    // Each page begins in the colours in which the one before it ended: to change them is work for the browser.
    const colours: Colours[] = ["light", "dark"];
    for (const { route, address } of pagesOf(owners[kind])) {
      await page.goto(`${origin}${address}`);
      await loaded(page);
      problems.push(...(await unreachable(page, route)), ...(await tooWide(page, route)));
      problems.push(...(await hindrances(page, route, colours)));
      problems.push(...(await rivals(page, route)));
      colours.reverse();
      expect(await page.evaluate("window.carriedOut"), route).toBeUndefined();
    }
    expect(problems).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
