/** The documents in a real browser, without any network but the service itself. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../parts/api.ts";
import { accessibilityProblems, Chromium } from "../parts/chromium.ts";
import { Judge } from "../parts/judge.ts";
import { Program } from "../parts/program.ts";

const stack = new AsyncDisposableStack();
let chromium: Chromium;
let origin: string;
let token: string;
let judge: Judge;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-docs-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const cloud = stack.use(new Program("cloud", "cloud/src/main.ts", ["serve", "--port", "0", "--data", folder]));
  origin = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  judge = new Judge(origin);
  stack.defer(() => judge.close());
  const api = new Api(origin, undefined, judge);
  const login = { email: "reader@example.com", password: "a sentence of the reader" };
  await api.good("POST", "/api/accounts", login);
  token = (await api.good<{ token: string }>("POST", "/api/accounts/login", login)).token;
  chromium = stack.use(await Chromium.start());
});
afterAll(() => stack.disposeAsync());

const routeOf = (page: Page, method: string, path: string) =>
  page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });

/** Opens the form of `GET /api/devices`, sends it, and gives the status that is shown. */
async function listDevices(page: Page): Promise<string> {
  const route = routeOf(page, "get", "/api/devices");
  await route.locator(".opblock-summary-control").click();
  await route.locator("button.execute").click();
  return (await route.locator(".live-responses-table .response-col_status").last().textContent())?.trim() ?? "";
}

async function enterToken(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Enter your token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("input").fill(token);
  await dialog.getByRole("button", { name: "Authorize" }).click();
  await dialog.locator(".btn-done").click();
}

describe("the reference", () => {
  it("tries a route with the reader's own token, forgets it with the page, and asks nobody else for anything", async () => {
    const { page, asked, complaints } = await chromium.visit("light", judge);
    await page.goto(`${origin}/docs`);
    await enterToken(page);
    expect(await listDevices(page)).toMatch(/^200/);

    const kept = "[localStorage.length, sessionStorage.length, document.cookie.length, location.href]";
    expect(await page.evaluate(kept)).toEqual([0, 0, 0, `${origin}/docs`]);
    expect(await page.context().cookies()).toEqual([]);

    await page.reload();
    expect(await listDevices(page)).toMatch(/^401/);
    expect(await page.content()).not.toContain(token);
    expect(asked.filter((url) => url.startsWith(`${origin}/api/devices`))).toHaveLength(2);
    expect(asked.filter((url) => !url.startsWith(`${origin}/`) || url.includes(token))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "can be used by everybody, %s: closed, asking for a token, and with routes open",
    async (scheme) => {
      const { page } = await chromium.visit(scheme);
      const about = scheme === "dark" ? "colours" : "everything";
      await page.goto(`${origin}/docs`);
      await page.locator(".opblock").first().waitFor();
      expect(await accessibilityProblems(page, about)).toEqual([]);
      await page.getByRole("button", { name: "Enter your token" }).click();
      await page.getByRole("dialog").locator("input").fill(token);
      expect(await accessibilityProblems(page, about)).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Authorize" }).click();
      await page.getByRole("button", { name: "Logout", exact: true }).waitFor();
      expect(await accessibilityProblems(page, about)).toEqual([]);
      await page.keyboard.press("Escape");
      await listDevices(page);
      await routeOf(page, "post", "/api/accounts").locator(".opblock-summary-control").click();
      await page.locator("textarea").first().waitFor();
      expect(await accessibilityProblems(page, about)).toEqual([]);
    },
  );
});

describe("every other page", () => {
  it.each(["light", "dark"] as const)("can be used by everybody, %s, and needs no script", async (scheme) => {
    const { page, asked, complaints } = await chromium.visit(scheme);
    const about = scheme === "dark" ? "colours" : "everything";
    for (const path of [
      "/docs/first-hour",
      "/docs/guide",
      "/docs/webhooks",
      "/docs/errors",
      "/docs/errors/hub-offline",
      "/docs/nothing",
    ]) {
      await page.goto(`${origin}${path}`);
      expect(await accessibilityProblems(page, about), path).toEqual([]);
      expect(await page.locator("script").count(), path).toBe(0);
    }
    expect(asked.every((url) => url.startsWith(`${origin}/`))).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("is as wide as a telephone when it is read on one", async () => {
    const { page } = await chromium.visit();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of [
      "/docs",
      "/docs/first-hour",
      "/docs/guide",
      "/docs/webhooks",
      "/docs/errors",
      "/docs/errors/hub-offline",
    ]) {
      await page.goto(`${origin}${path}`);
      if (path === "/docs") await page.locator(".opblock").first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(360);
    }
  });
});
