/** What stands around every page, in a real browser: keys, the search's actions, the theme, dialogs, and the page where the service is away. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { logIn } from "./log-in.ts";

const stack = new AsyncDisposableStack();
let home: Home;
let chromium: Chromium;
let page: Page;
let at: string;

beforeAll(async () => {
  home = stack.use(await Home.start());
  chromium = stack.use(await Chromium.start());
  ({ page } = await chromium.visit());
  at = `${home.api.base}/environments/${home.environmentId}`;
  await logIn(page, home.api.base, OWNER);
  await page.waitForURL(`${at}/home`);
});
afterAll(() => stack.disposeAsync());

const heading = (name: string) => page.getByRole("heading", { level: 1, name });

it("g and a letter lead to a page, and ? lists the keys", async () => {
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await heading("Devices").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByRole("cell", { name: "Webhooks" }).waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // What is typed is typed.
  await page.getByRole("textbox", { name: "Filter devices" }).fill("");
  await page.getByRole("textbox", { name: "Filter devices" }).pressSequentially("gz");
  await page.waitForURL(/devices\?text=gz$/);
});

it("the search knows actions, and a dialog has the focus in its first field", async () => {
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search the portal" }).fill("new zone");
  await page.getByRole("option", { name: /^Create zone/ }).waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().waitFor();
  await page.waitForFunction("document.activeElement?.tagName === 'INPUT'");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(`${at}/zones`);
});

it("what was described and not made is not lost without a word", async () => {
  await page.goto(`${at}/devices/new`);
  await page.getByRole("button", { name: "Add one Switch" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Hubs", exact: true }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Create device" }).click();
  await page.getByRole("tab", { name: "Controls" }).waitFor();
});

it("the theme is the system's until a person chooses, and stays chosen", async () => {
  const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const light = await ground();
  await page.getByRole("radiogroup", { name: "Theme" }).getByText("Dark").click();
  await page.waitForFunction(`getComputedStyle(document.body).backgroundColor !== ${JSON.stringify(light)}`);
  const dark = await ground();
  await page.reload();
  await heading("").first().waitFor();
  expect(await ground()).toBe(dark);
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("nothing moves for a user who prefers reduced motion, even when all colours change", async () => {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await page.emulateMedia({ reducedMotion });
    const moved = await page.evaluate<string[]>(`(async () => {
      const root = document.documentElement;
      const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const moving = Object.assign(document.body.appendChild(document.createElement("i")), { id: "moving" });
      moving.style.cssText = "display:block;transition:opacity 1s";
      await drawn();
      const moved = new Set();
      root.addEventListener("transitionrun", ({ target, propertyName }) => moved.add(target.id + " " + propertyName));
      const theme = root.dataset.mantineColorScheme;
      for (const next of [theme === "dark" ? "light" : "dark", theme]) {
        root.dataset.mantineColorScheme = next;
        moving.style.opacity = "0.5";
        await drawn();
      }
      moving.remove();
      return [...moved];
    })()`);
    if (reducedMotion === "reduce") expect(moved).toEqual([]);
    else expect(moved).toContain("moving opacity");
  }
});

it("an ID is written as it is", async () => {
  const widths = await page.evaluate<[number, number]>(`(() => {
    const width = (text, ligatures) => {
      const span = document.createElement("span");
      span.style.cssText = "position:absolute;white-space:nowrap;" + (ligatures ? "font-variant-ligatures:normal" : "");
      span.textContent = text;
      document.body.append(span);
      const { width } = span.getBoundingClientRect();
      span.remove();
      return width;
    };
    return [width("7x9", false), width("7", false) + width("x", false) + width("9", false)];
  })()`);
  expect(widths[0]).toBeCloseTo(widths[1], 1);
});

it("a page shows that the service is unreachable, and it can be installed", async () => {
  const visit = await chromium.visit("light", undefined, "allow");
  await visit.page.goto(`${home.api.base}/login`);
  await visit.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  const manifest = await visit.page.evaluate<{ icons: { src: string }[]; display: string }>(
    `fetch(document.querySelector("link[rel=manifest]").href).then((answer) => answer.json())`,
  );
  expect(manifest.display).toBe("standalone");
  for (const { src } of manifest.icons) expect((await fetch(`${home.api.base}${src}`)).status).toBe(200);
  await visit.page.waitForFunction("navigator.serviceWorker.controller !== null");
  await visit.page.context().setOffline(true);
  await visit.page.goto(`${at}/home`);
  await visit.page.getByRole("heading", { name: "Porchlight cannot be reached" }).waitFor();
  expect(await accessibilityProblemsAtLength(visit.page)).toEqual([]);
  await visit.page.context().setOffline(false);
  await visit.page.getByRole("link", { name: "Try again" }).click();
  await visit.page.getByRole("button", { name: "Log in" }).waitFor();
});
