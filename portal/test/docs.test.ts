/** The documents in a real browser: for everybody without a script, and in the portal's frame with the reader's own names for who is logged in. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblems, accessibilityProblemsAtLength } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { casesOf } from "../../test/parts/rounds.ts";
import { enter, type Made, People } from "./people.fixture.ts";

const SET = "/docs/operations/setDeviceProperties";

let people: People;
beforeAll(async () => {
  people = await People.start();
});
afterAll(() => people[Symbol.asyncDispose]());

/** A lamp in a user's home. */
async function lampOf({ email, environmentId }: Made): Promise<string> {
  const api = await people.as(email);
  const body = { environmentId, alias: "lamp", services: [{ service: "Switch" }] };
  return (await api.good<{ id: string }>("POST", "/api/devices", body)).id;
}

const sample = (page: Page, language: string) =>
  page.locator("figure", { has: page.locator("figcaption", { hasText: language }) });

/** What a button of a sample copies. */
async function copied(page: Page, language: string): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const button = sample(page, language).locator("button.copy");
  await button.click();
  await button.filter({ hasText: "Copied" }).waitFor();
  return page.evaluate<string>("navigator.clipboard.readText()");
}

/** Addresses that a visitor sees: a page of each form, and others of the same forms. */
const ONE_OF_A_FORM = ["/docs", SET, "/docs/guide", "/docs/errors", "/docs/errors/hub-offline", "/docs/nothing"];
const OTHERS = [
  ...["/docs/operations/listEvents", "/docs/first-hour", "/docs/webhooks", "/docs/glossary", "/docs/changelog"],
  "/docs/contract/api",
];
const ALL = [...ONE_OF_A_FORM, ...OTHERS];

describe("without a log-in", () => {
  it("each operation has samples in three languages before anything is pressed, and they can be copied", async () => {
    const { page, asked, complaints } = await people.visit();
    await page.goto(`${people.origin}/docs`);
    await page.getByRole("link", { name: /^Set a property; wait/ }).click();
    await page.waitForURL(`${people.origin}${SET}`);
    for (const language of ["curl", "TypeScript", "Python"])
      expect(await sample(page, language).locator("pre").textContent()).toContain("DEVICE_ID");
    const curl = await copied(page, "curl");
    expect(curl).toBe(await sample(page, "curl").locator("pre").textContent());
    expect(curl).toContain(`curl -X PUT '${people.origin}/api/devices/DEVICE_ID/services/Switch.on'`);
    expect(await page.getByRole("region", { name: "Try it" }).count()).toBe(0);
    expect(asked.every((url) => url.startsWith(`${people.origin}/`))).toBe(true);
    expect(complaints).toEqual([]);
  });

  it.each(casesOf<"light" | "dark">(["light"], ["dark"]))("every page can be used by everybody, %s", async (scheme) => {
    const { page, complaints } = await people.visit(scheme);
    const about = scheme === "dark" ? "colours" : "everything";
    for (const path of casesOf(ONE_OF_A_FORM, OTHERS)) {
      await page.goto(`${people.origin}${path}`);
      expect(await accessibilityProblems(page, about), path).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it("every page is as wide as a telephone when it is read on one", async () => {
    const { page } = await people.visit();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ALL) {
      await page.goto(`${people.origin}${path}`);
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(360);
    }
  });

  it("pages say all that they say without a script", async () => {
    for (const path of ALL) {
      const answer = await fetch(`${people.origin}${path}`, { headers: { accept: "text/html" } });
      const text = await answer.text();
      expect(text, path).toContain("<h1>");
      expect(text, path).not.toContain('<div id="root">');
    }
  });
});

describe("with a log-in", () => {
  it("documents stand in the portal's frame, with the reader's names in each sample and the token only in what is copied", async () => {
    const made = await people.arrives();
    const deviceId = await lampOf(made);
    const { page, complaints } = made;
    await page.goto(`${people.origin}${SET}`);
    await page.getByRole("navigation", { name: "Portal" }).waitFor();
    for (const language of ["curl", "TypeScript", "Python"])
      await sample(page, language).locator("pre", { hasText: deviceId }).waitFor();
    const shown = await sample(page, "curl").locator("pre").textContent();
    expect(shown).toContain("Bearer plt_acc_••••••••");

    const curl = await copied(page, "curl");
    const [, token = ""] = /Bearer (plt_acc_\w+)'/.exec(curl) ?? [];
    expect(token.length).toBeGreaterThan(20);
    expect(await page.content()).not.toContain(token);
    expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(token);
    const url = /'(http[^']+)'/.exec(curl)?.[1] ?? "";
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(url, { method: "PUT", headers, body: '{"value":true}' });
    expect(await answer.json()).toMatchObject({ deviceId, value: true });
    expect(complaints).toEqual([]);
  });

  it("an operation is sent from its page as it stands, and its answer shown", async () => {
    const made = await people.arrives();
    const deviceId = await lampOf(made);
    const { page } = made;
    await page.goto(`${people.origin}${SET}`);
    const form = page.getByRole("region", { name: "Try it" });
    await form
      .getByRole("textbox", { name: "id" })
      .and(page.locator(`[value="${deviceId}"]`))
      .waitFor();
    await form.getByRole("button", { name: "Send PUT" }).click();
    await form.getByText(/^200 OK/).waitFor();
    expect(await form.locator("pre").textContent()).toContain('"value": true');
    expect(await form.locator("dl").textContent()).toContain("x-command-id");
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);

    await form.getByRole("textbox", { name: "Body" }).fill("{");
    await form.getByRole("button", { name: "Send PUT" }).click();
    await form
      .getByRole("alert")
      .getByText(/^The body is not valid JSON/)
      .waitFor();
    await form.getByRole("textbox", { name: "Body" }).fill('{ "value": 7 }');
    await form.getByRole("button", { name: "Send PUT" }).click();
    await form.getByText(/^400 Bad Request/).waitFor();
  });

  itAtLength(
    "what was typed and answered stays when the live stream begins late and everything is asked for anew",
    async () => {
      const made = await people.arrives();
      const deviceId = await lampOf(made);
      const { page } = made;
      const mayBegin = Promise.withResolvers<void>();
      await page.route(/\/api\/events(\?|$)/, async (route) => {
        await mayBegin.promise;
        await route.continue();
      });
      await page.goto(`${people.origin}${SET}`);
      const form = page.getByRole("region", { name: "Try it" });
      await form.getByRole("textbox", { name: "Body" }).fill('{ "value": 7 }');
      await form.getByRole("button", { name: "Send PUT" }).click();
      await form.getByText(/^400 Bad Request/).waitFor();
      const renewed = page.waitForResponse((response) => new URL(response.url()).pathname === SET);
      mayBegin.resolve();
      await (await renewed).finished();
      await page.getByRole("status").filter({ hasText: "Connection lost" }).waitFor({ state: "detached" });
      expect(await form.getByRole("textbox", { name: "Body" }).inputValue()).toBe('{ "value": 7 }');
      expect(await form.getByText(/^400 Bad Request/).count()).toBe(1);
      expect(await sample(page, "curl").locator("pre").textContent()).toContain(deviceId);
    },
  );

  itAtLength("the frame stays, and can be used, while the style of a document is fetched", async () => {
    const { page } = await people.arrives();
    const mayCome = Promise.withResolvers<void>();
    await page.route(/\/document\.css$/, async (route) => {
      await mayCome.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/document\.css$/);
    const frame = page.getByRole("navigation", { name: "Portal" });
    await frame.getByRole("link", { name: "Changelog" }).click();
    await asked;
    await page.getByRole("main").getByRole("status", { name: "Loading" }).waitFor();
    expect(await frame.isVisible()).toBe(true);
    mayCome.resolve();
    await page.getByRole("heading", { level: 1, name: "Changelog" }).waitFor();
  });

  it("what deletes asks first, and another token may be used in place of the log-in's", async () => {
    const made = await people.arrives();
    const deviceId = await lampOf(made);
    const { page } = made;
    await page.goto(`${people.origin}/docs/operations/deleteDevice`);
    const form = page.getByRole("region", { name: "Try it" });
    await form.getByRole("textbox", { name: "Another token" }).fill("plt_usr_of_nobody");
    await form.getByRole("button", { name: "Send DELETE" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`DELETE /api/devices/${deviceId}`).waitFor();
    await dialog.getByRole("button", { name: "Send DELETE" }).click();
    await form.getByText(/^401 Unauthorized/).waitFor();
    const api = await people.as(made.email);
    expect(await api.good("GET", `/api/devices/${deviceId}`)).toMatchObject({ id: deviceId });
  });

  it("a stream is shown as it comes, until it is stopped", async () => {
    const made = await people.arrives();
    const deviceId = await lampOf(made);
    const { page } = made;
    await page.goto(`${people.origin}/docs/operations/listEvents`);
    const form = page.getByRole("region", { name: "Try it" });
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.getByText(/^200 OK/).waitFor();
    const api = await people.as(made.email);
    await api.good("PUT", `/api/devices/${deviceId}/services/Switch.on`, { value: true });
    await form.locator("pre", { hasText: "property.changed" }).waitFor();
    await form.getByRole("button", { name: "Stop" }).click();
    await form.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  });

  it("the search finds operations, headings, errors and words, and leads into the page", async () => {
    const { page } = await people.arrives();
    const find = async (text: string, name: RegExp, url: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Search" }).getByRole("textbox").fill(text);
      await page.getByRole("option", { name }).first().click();
      await page.waitForURL(`${people.origin}${url}`);
    };
    await page.getByRole("navigation", { name: "Portal" }).waitFor();
    await find("setDeviceProperties", /^Set a property; wait/, SET);
    await find("hub offline", /^Hub Offline/, "/docs/errors/hub-offline");
    await find("edgeId", /^edgeId/, "/docs/glossary#edgeid");
    await find("Pairing a hub", /^Pairing a hub/, "/docs/guide#pairing-a-hub");
    const isSeen = () =>
      page.evaluate<boolean>("document.getElementById('pairing-a-hub')?.getBoundingClientRect().top < innerHeight");
    await eventually("the heading in sight", async () => (await isSeen()) || undefined);
    await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Changelog" }).click();
    await page.getByRole("heading", { level: 1, name: "Changelog" }).waitFor();
  });

  it("a log-in that has ended leads to the same page for everybody, and not to a form", async () => {
    const made = await people.arrives();
    const { page } = made;
    const api = await people.as(made.email);
    const { items } = await api.good<{ items: { id: string }[] }>("GET", "/api/account/tokens");
    for (const { id } of items) await api.call("DELETE", `/api/account/tokens/${id}`);
    await page.goto(`${people.origin}/docs/guide`);
    await page.waitForURL(`${people.origin}/docs/guide?plain`);
    expect(await page.getByRole("navigation", { name: "Documents" }).count()).toBe(1);
    await page.goto(`${people.origin}/login?next=${encodeURIComponent("/docs/guide")}`);
    await enter(page, made.email);
    await page.getByRole("navigation", { name: "Portal" }).waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
  });

  itAtLength("a word is explained where it stands", async () => {
    const made = await people.arrives();
    const api = await people.as(made.email);
    const hub = await api.good<{ id: string }>("POST", "/api/clients", { environmentId: made.environmentId });
    const { page } = made;
    await page.goto(`${people.origin}/environments/${made.environmentId}/hubs/${hub.id}`);
    await page.getByRole("button", { name: "Edge ID" }).click();
    await page.getByText("Edge ID: the permanent identity of a hub or a physical device").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });
});
