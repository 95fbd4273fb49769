/** What others can do to a user who is logged in, which is nothing, and what the portal costs to load. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../test/parts/api.ts";
import { Chromium, type Visit } from "../../test/parts/chromium.ts";
import { Program } from "../../test/parts/program.ts";
import { logIn } from "./log-in.ts";
import { emptyOwner, type Owner } from "./tour.ts";

/** Script that the way from the form to a device may cost, bytes as they are sent under the weaker of the two codings. */
const MOST_SCRIPT = 200_000;
const CODINGS = ["gzip", "br"] as const;

const stack = new AsyncDisposableStack();
let chromium: Chromium;
let origin: string;
let owner: Owner;
/** A foreign page, on another site than the portal's. */
let elsewhere: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-outside-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const cloud = stack.use(
    new Program("cloud", "cloud/src/main.ts", ["serve", "--port", "0", "--data", folder, "--rate-limit", "off"]),
  );
  origin = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  owner = await emptyOwner(new Api(origin), "outside");
  const server = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Elsewhere</h1>"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void server.close());
  elsewhere = `http://localhost:${(server.address() as AddressInfo).port}/`;
  chromium = stack.use(await Chromium.start());
});
afterAll(() => stack.disposeAsync());

/** A browser in which the owner is logged in, and that is now on the foreign page. */
async function lured(): Promise<Visit> {
  const visit = await chromium.visit();
  await logIn(visit.page, origin, owner);
  await visit.page.goto(elsewhere);
  return visit;
}

it("the log-in is a cookie that no script can read, and tokens are in memory only", async () => {
  const { page } = await chromium.visit();
  await logIn(page, origin, owner);
  const cookies = await page.context().cookies();
  // The log-in, and by what the browser is known the next time.
  expect(cookies.map(({ name }) => name).sort()).toEqual(["porchlight", "porchlight-known"]);
  for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])");
  expect(kept).not.toMatch(/plt_/);
});

it("a form on another site gets nothing with the cookie, and cannot log anybody in", async () => {
  const { page } = await lured();
  const before = JSON.stringify(await page.context().cookies(origin));
  for (const [path, fields] of [
    ["/api/session/token", { a: "1" }],
    ["/api/accounts/logout", { a: "1" }],
    ["/api/accounts/login", { email: owner.email, password: owner.password, session: "true" }],
  ] as const) {
    const answered = page.waitForResponse((response) => response.url() === `${origin}${path}`);
    await page.evaluate(submitForm(`${origin}${path}`, fields));
    expect([path, (await answered).status()]).toEqual([path, path.endsWith("login") ? 400 : 401]);
    await page.waitForURL(`${origin}${path}`);
    await page.goto(elsewhere);
  }
  expect(JSON.stringify(await page.context().cookies(origin))).toBe(before);
});

it("a script on another site is not given an answer that the cookie would open", async () => {
  const { page } = await lured();
  const url = JSON.stringify(`${origin}/api/session/token`);
  const ask = `fetch(${url}, { method: "POST", credentials: "include" })`;
  const answer = await page.evaluate(
    `${ask}.then((response) => "read: " + response.status, () => "refused by the browser")`,
  );
  expect(answer).toBe("refused by the browser");
});

it("no other site can frame the portal", async () => {
  const { page } = await lured();
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.evaluate(`{
    const frame = document.createElement("iframe");
    frame.src = ${JSON.stringify(`${origin}/`)};
    document.body.append(frame);
  }`);
  await refused;
  expect(page.frames().filter((frame) => frame.url().startsWith(origin))).toEqual([]);
});

it("a link leads from the form back into the portal only", async () => {
  for (const next of ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]) {
    const { page, asked } = await chromium.visit();
    await page.goto(`${origin}/login?next=${encodeURIComponent(JSON.stringify(next))}`);
    await logIn(page, origin, owner);
    expect(new URL(page.url()).origin).toBe(origin);
    expect(asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    await page.context().close();
  }
});

describe.each([
  ["the home", "home", undefined],
  ["the list of devices", "devices", "Devices"],
])("the way from the form to a device over %s", (_, path, link) => {
  it("costs less script than it may, and nothing comes from elsewhere", async () => {
    const newcomer = await emptyOwner(new Api(origin), `on-the-way-${path}`);
    const { environmentId } = newcomer.parameters;
    await newcomer.api.good("POST", "/api/clients", { environmentId, alias: "hub" });
    const services = ["Switch", "LightColor", "LightTemperature", "Thermostat"].map((service) => ({ service }));
    const { id } = await newcomer.api.good<{ id: string }>("POST", "/api/devices", {
      ...{ environmentId, alias: "lamp", services },
    });
    await newcomer.api.good("POST", "/api/zones", { environmentId, alias: "kitchen", items: [id] });

    const { page, asked, complaints } = await chromium.visit();
    await logIn(page, origin, newcomer);
    await page.waitForURL(`${origin}/environments/${environmentId}/home`);
    if (link !== undefined) {
      await page.getByRole("link", { name: link, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: link }).waitFor();
    }
    await page.getByRole("link", { name: "lamp", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "lamp" }).waitFor();
    await page.getByRole("tab", { name: "Controls" }).waitFor();
    const scripts = [...new Set(asked.filter((url) => url.endsWith(".js")))];
    const sums = await Promise.all(
      CODINGS.map(async (coding) => {
        const sizes = await Promise.all(scripts.map((url) => compressedSize(url, coding)));
        return sizes.reduce((all, size) => all + size, 0);
      }),
    );
    console.info(
      `${scripts.length} scripts, bytes: ${CODINGS.map((coding, at) => `${coding} ${sums[at]}`).join(", ")}`,
    );
    expect(scripts.length).toBeGreaterThan(1);
    for (const sum of sums) expect(sum).toBeLessThanOrEqual(MOST_SCRIPT);
    expect(asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it("a tab from before an upgrade, whose files are gone, loads the new page once, and shows an error when that does not help", async () => {
  const { page } = await chromium.visit();
  await logIn(page, origin, owner);
  await page.locator("main h1").waitFor();
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  // As the service answers for what it no longer has, as long as the tab is the old one: to the pointer above a link, too, which asks beforehand.
  const gone = `${origin}/assets/account-0ld.js`;
  let isOld = true;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) isOld = false;
  });
  await page.route("**/assets/account-*.js", async (route) =>
    isOld ? route.fulfill({ response: await route.fetch({ url: gone }) }) : route.continue(),
  );
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
  expect([loads, new URL(page.url()).pathname]).toEqual([1, "/account"]);

  await page.route("**/assets/places-*.js", async (route) =>
    route.fulfill({ response: await route.fetch({ url: gone }) }),
  );
  await page.getByRole("link", { name: "Ecosystems", exact: true }).click();
  await page.getByRole("alert").getByText("Part of this page could not be loaded.").waitFor();
  expect([loads, new URL(page.url()).pathname]).toEqual([2, "/places"]);
  await page.unroute("**/assets/places-*.js");
  await page.getByRole("button", { name: "Reload page" }).click();
  await page.getByRole("table").first().waitFor();
  // Single pages have no style sheets of their own, of which the router does not know when they are missing.
  expect(await page.locator('link[rel="stylesheet"]').count()).toBe(1);
});

/** For the browser: a form with these fields is sent, as a page that means harm would. */
function submitForm(action: string, fields: Readonly<Record<string, string>>): string {
  return `{
    const form = document.createElement("form");
    Object.assign(form, ${JSON.stringify({ action, method: "post", enctype: "text/plain" })});
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const input = document.createElement("input");
      Object.assign(input, { name, value });
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }`;
}

/** Bytes of the answer as they go over the wire. */
function compressedSize(url: string, coding: (typeof CODINGS)[number]): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": coding } }, (response) => {
      expect(response.headers["content-encoding"]).toBe(coding);
      let size = 0;
      response.on("data", (data: Buffer) => {
        size += data.length;
      });
      response.on("end", () => resolve(size));
    }).on("error", reject);
  });
}
