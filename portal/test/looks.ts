/** What is wrong with a page as people look at it, in each size and colour, one line each. */
import type { Page } from "playwright-core";
import { seriousAccessibilityProblems, settled } from "../../test/parts/chromium.ts";
import { cutNames, sideways } from "./ends.ts";
import { smallTargets } from "./touch.ts";

const SIZES = {
  phone: { width: 390, height: 844 },
  desk: { width: 1440, height: 900 },
  wall: { width: 2560, height: 1300 },
};

export type Size = keyof typeof SIZES;
const EVERY_SIZE = ["phone", "desk", "wall"] as const satisfies readonly Size[];
export type Colours = "light" | "dark";

/** Waits until nothing is being loaded any more. */
export async function loaded(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
}

/**
 * To another page of the portal as a link of it leads there: to load the portal anew takes longer than what is new on the page. Settles when
 * the page is the one that stands there.
 */
export async function followTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`(async () => {
    const router = __TSR_ROUTER__;
    await router.navigate({ href: ${JSON.stringify(address)} });
    const isThere = ({ status, location, resolvedLocation }) => status === "idle" && resolvedLocation?.href === location.href;
    while (!isThere(router.state)) await new Promise((done) => requestAnimationFrame(done));
  })()`);
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

/** What is too wide on a page, in any of the sizes. */
export async function tooWide(page: Page, route: string, sizes: readonly Size[] = EVERY_SIZE): Promise<string[]> {
  const found: string[] = [];
  for (const name of sizes) {
    await page.setViewportSize(SIZES[name]);
    const over = await excess(page);
    if (over > 0) found.push(`${route}, ${name}: ${over} px too wide`);
    found.push(...(await cutNames(page)).map((each) => `${route}, ${name}: ${each}`));
  }
  return found;
}

/** What cannot be had with a thumb: on a page, and in the dialogs that its buttons open. */
export async function unreachable(page: Page, route: string): Promise<string[]> {
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
 * What hinders a user on a page, in each of the colours; what is not of colours is the same in both, and is looked at in light.
 * @param colours the page's present ones first
 */
export async function hindrances(page: Page, route: string, colours: readonly Colours[]): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of colours) {
    await inColours(page, colorScheme);
    const problems = await seriousAccessibilityProblems(page, colorScheme === "dark" ? "colours" : "everything");
    found.push(...problems.map((problem) => `${route}, ${colorScheme}: ${problem}`));
  }
  return found;
}
