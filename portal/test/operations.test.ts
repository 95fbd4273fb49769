/** Hubs, webhooks, events, the request log and the documents' frame, as a person uses them in a real browser: a real cloud, hub and receiver. */
import { Receiver } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import { eventTypes } from "@porchlight/shared/events";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import type { Program } from "../../test/parts/program.ts";
import { type Owner, UnpairedHome } from "../../test/parts/unpaired-home.ts";
import { logIn } from "./log-in.ts";

const stack = new AsyncDisposableStack();
let home: UnpairedHome;
let owner: Owner;
let receiver: Receiver;
let chromium: Chromium;
let page: Page;
let complaints: string[];
let hub: Program;

beforeAll(async () => {
  home = stack.use(await UnpairedHome.start(["--webhook-allow", "127.0.0.0/8"]));
  owner = await home.owner();
  receiver = stack.use(await Receiver.start());
  chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await logIn(page, home.url, owner);
});
afterAll(() => stack.disposeAsync());

const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const click = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
const section = (name: string) => page.getByRole("region", { name, exact: true });
const rail = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const secretShown = () => section("secret").textContent();
/** A zone more: something that happens. */
const happen = (alias: string) =>
  owner.api.good<{ id: string }>("POST", "/api/zones", { environmentId: owner.environmentId, alias });

describe("a hub", () => {
  it("is paired by the code that it shows, however that is typed, when its key is the same", async () => {
    await rail("Hubs").click();
    await says("No hubs yet");
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    hub = home.run("hall");
    const { code, fingerprint, edgeId } = await home.loggedCode(hub);

    await page.getByRole("link", { name: "Pair hub" }).first().click();
    await page.getByRole("textbox", { name: "Code" }).fill("AAAA");
    await says("A code never contains A");
    await page.getByRole("textbox", { name: "Code" }).fill("BCDF-GHJK");
    await click("Continue");
    await says("Pairing Code Invalid");
    await click("Enter another code");
    await page.getByRole("textbox", { name: "Code" }).fill(code.toLowerCase().replace("-", " "));
    await click("Continue");
    await says("This hub asks to be paired");
    await page.getByText(fingerprint, { exact: true }).first().waitFor({ state: "attached" });
    await says(edgeId);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);

    await page.getByLabel("Name").fill("hall hub");
    await click("approve hub");
    await section("Hub online").waitFor();
    await says(/^\d devices found so far\.$/);
    await page.getByRole("link", { name: "Go to devices" }).click();
    await heading("Devices");
    await rail("Hubs").click();
    await page
      .getByRole("row", { name: /hall hub/ })
      .getByText("online")
      .waitFor();
  });

  it("gets another token, shown once, and one of them is revoked", async () => {
    await page.getByRole("link", { name: "hall hub" }).click();
    await heading("hall hub");
    await click("Create token");
    await says("This token is shown once");
    expect(await section("token").textContent()).toMatch(/^plt_cli_/);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await click("I've saved it");
    const rows = section("Tokens of the hub").getByRole("row");
    await eventually("two tokens", async () => (await rows.count()) === 3);
    // The new one: it is not known yet that the old one is used.
    await rows.nth(2).getByRole("button", { name: "Revoke token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
    await rows.nth(2).waitFor({ state: "detached" });
  });

  it("that goes away is shown, with the reason, while the page is open", async () => {
    await section("Connection").getByText("online").waitFor();
    await home.endHubs();
    await section("Connection")
      .getByText(/^offline/)
      .waitFor();
    await says("Their current state is unknown.");
    await section("Devices").getByText("unknown").first().waitFor();
  });

  it("is removed with its devices, after a warning of how many", async () => {
    await page.getByRole("button", { name: "Remove hub", exact: true }).click();
    await says(/^\d devices that it connects are deleted with it/);
    await page.getByRole("dialog").getByRole("button", { name: "Remove hub" }).click();
    await says("No hubs yet");
  });
});

describe("a webhook", () => {
  it("can be of every kind of event that there is", async () => {
    const events = eventTypes().flatMap(({ prefix, types }) => [`${prefix}.*`, ...types.map(({ type }) => type)]);
    const body = { url: receiver.url, disabled: true, events };
    const { id } = await owner.api.good<{ id: string }>("POST", "/api/webhooks", body);
    await owner.api.good("DELETE", `/api/webhooks/${id}`);
  });

  it("is made for some kinds of events, and its secret is shown once with how to verify", async () => {
    await rail("Webhooks").click();
    await says("No webhooks yet");
    await page.getByRole("link", { name: "Create webhook" }).first().click();
    await page.getByLabel("Callback URL").fill("ftp://receiver.example");
    await page.getByText("Some", { exact: true }).click();
    await page.getByRole("checkbox", { name: /^zone\.\*/ }).check();
    expect(await page.getByRole("checkbox", { name: /^zone\.created/ }).isDisabled()).toBe(true);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await click("Create webhook");
    await page.getByLabel("Callback URL").and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByLabel("Callback URL").fill(receiver.url);
    await click("Create webhook");
    await says("This secret is shown once");
    expect(await secretShown()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await says("verifyWebhook");
    await page.getByRole("link", { name: "Go to webhook" }).click();
    await says("No deliveries yet");
  });

  it("is tested, and what is sent appears as it is sent", async () => {
    await click("Send test event");
    await page.getByRole("row", { name: /webhook\.test.*succeeded/s }).waitFor();
    await happen("hall");
    await page.getByRole("row", { name: /zone\.created.*succeeded/s }).waitFor();
    expect(receiver.received.map(({ event }) => event.type)).toEqual(["webhook.test", "zone.created"]);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });

  it("shows a failure with what came back, and what is sent again arrives", async () => {
    receiver.answer((_received, response) => void response.writeHead(500).end("out of order"));
    await happen("attic");
    await page
      .getByRole("row", { name: /retrying/ })
      .getByRole("link")
      .click();
    await heading("Delivery of zone.created");
    await section("response as received").getByText("out of order").waitFor();
    await section("request as sent").getByText('"alias": "attic"').waitFor();
    const attempts = section("Attempts").getByRole("row");
    await attempts.filter({ hasText: /failed.*500, non-2xx response.*out of order/s }).waitFor();
    expect(await attempts.count()).toBe(2);
    await page.getByRole("link", { name: "All deliveries of the webhook" }).click();
    await says(/^The last 30 days, newest first. 3 in all: 2 succeeded, 1 retrying.$/);
    await page.goBack();
    await section("Attempts").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    receiver.answer((_received, response) => void response.writeHead(204).end());
    const before = receiver.received.length;
    await click("Resend");
    await receiver.until((received) => received.length > before);
    await section("Deliveries")
      .getByRole("row", { name: /zone\.created.*succeeded/s })
      .nth(1)
      .waitFor();
  });

  it("is disabled, sent what it missed when it is enabled, and takes another secret", async () => {
    await click("Disable");
    await page.getByText("Disabled", { exact: true }).first().waitFor();
    await happen("cellar");
    await click("Resend events");
    await says(/^\d events are being resent as soon as the webhook is enabled\.$/);
    const before = receiver.received.length;
    await click("Enable");
    await receiver.until((received) => received.slice(before).some(({ event }) => event.data.alias === "cellar"));
    await click("Replace secret");
    await says("This secret is shown once");
    await click("I've saved it");
  });
});

describe("events", () => {
  it("stand there as they happen; while it is paused they are counted and not lost", async () => {
    await rail("Events").click();
    await says("Live.");
    await happen("veranda");
    await page.locator("summary", { hasText: "veranda" }).waitFor();
    await click("Pause");
    await happen("roof");
    await happen("loft");
    await click("Go live (2 new)");
    await page.locator("summary", { hasText: "loft" }).waitFor();
    expect((await page.locator("summary").allTextContents()).slice(0, 3)).toEqual([
      expect.stringContaining("loft"),
      expect.stringContaining("roof"),
      expect.stringContaining("veranda"),
    ]);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  });

  itAtLength("are looked into, filtered by the address, and come from a sequence on", async () => {
    await page.locator("summary", { hasText: "roof" }).click();
    await page
      .getByRole("region", { name: /^event \d+ as JSON$/ })
      .getByText('"alias": "roof"')
      .waitFor();
    await says(/^Paused: 0 events arrived meanwhile\./);
    await page.goto(`${page.url().split("?")[0]}?types=hub.*&after=0`);
    await page.locator("summary", { hasText: "hub.added" }).waitFor();
    expect(await page.locator("summary", { hasText: "zone." }).count()).toBe(0);
  });
});

describe("the request log", () => {
  it("has a call of a program with its error, which leads to what the error means", async () => {
    const { headers } = await owner.api.call("GET", "/api/devices/dev_x");
    const id = headers.get("x-request-id") ?? "";
    await rail("Requests").click();
    await heading("Requests");
    await page.getByLabel("Request ID").fill(id);
    await page.getByLabel("Request ID").press("Enter");
    await section("GET /api/devices/:id").getByText("Device Invalid").first().waitFor();
    expect(page.url()).toContain(`request=${id}`);
    await page.getByRole("link", { name: "All requests" }).click();
    const row = page.getByRole("row", { name: new RegExp(id) });
    await row.getByRole("link", { name: "Device Invalid" }).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await row.getByRole("link", { name: "Device Invalid" }).click();
    await heading("Device Invalid");
  });

  itAtLength(
    "is filtered by class, method and path, and a request shows its problem and leads to its command",
    async () => {
      const device = await owner.api.good<{ id: string }>("POST", "/api/devices", {
        environmentId: owner.environmentId,
        services: [{ service: "Switch" }],
      });
      const path = `/api/devices/${device.id}/services/Switch.on`;
      await owner.api.good("PUT", path, { value: true });
      await owner.api.call("PUT", path, { value: 7 });
      await page.goto(home.url);
      await rail("Requests").click();
      await heading("Requests");
      await page.getByRole("combobox", { name: "Status" }).click();
      await page.getByRole("option", { name: "4xx client error" }).click();
      await page.waitForURL(/status=4xx/);
      await page.getByLabel("Path").fill("Switch.on");
      await page.getByLabel("Path").press("Enter");
      await page.waitForURL(/path=Switch\.on/);
      const refused = page.getByRole("row", { name: /400.*Property Value Invalid/s });
      await refused.waitFor();
      expect(await page.getByRole("row").count()).toBe(2);
      await refused.getByRole("link").last().click();
      await section("response body").getByText('"title": "Property Value Invalid"').waitFor();
      await page.goBack();
      await page.getByRole("combobox", { name: "Status" }).click();
      await page.getByRole("option", { name: "2xx succeeded" }).click();
      await page.waitForURL(/status=2xx/);
      await page
        .getByRole("row", { name: /200.*PUT/s })
        .getByRole("link")
        .last()
        .click();
      await says(/^confirmed$/);
      expect(await accessibilityProblemsAtLength(page)).toEqual([]);
      await page.getByRole("link", { name: device.id }).click();
      await page.getByRole("button", { name: "Refresh", exact: true }).waitFor();
    },
  );

  it("is where the request ID of a failure leads", async () => {
    await page.goto(`${home.url}/environments/${owner.environmentId}/hubs/cli_x`);
    const failure = page.getByRole("alert");
    await failure.getByText("Client Invalid").waitFor();
    await failure.getByRole("link", { name: /^[0-9a-f]{12}-/ }).click();
    await section("GET /api/clients/:id").getByText("Client Invalid").first().waitFor();
  });
});

it("the audit shows who changed what, and is filtered by kind", async () => {
  await owner.api.good("POST", "/api/users", { key: "audited" });
  await rail("Audit").click();
  await heading("Audit");
  await page
    .getByRole("row", { name: /user\.created.*Account.*127\.0\.0\.1/s })
    .first()
    .waitFor();
  await page.getByRole("combobox", { name: "Changed object" }).click();
  await page.getByRole("option", { name: "Webhooks" }).click();
  await page.waitForURL(/kind=webhook/);
  await page
    .getByRole("row", { name: /webhook\.created/ })
    .first()
    .waitFor();
  expect(await page.getByRole("row", { name: /user\.created/ }).count()).toBe(0);
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("the about page shows the running versions, and the licence of each package in the build", async () => {
  await rail("About").click();
  await heading("About");
  await section("Versions").getByText("v0", { exact: true }).waitFor();
  await page.getByRole("row", { name: /^react \d+\.\d+\.\d+ MIT/ }).waitFor();
  await page.getByRole("row", { name: /@fontsource-variable\/inter .* OFL-1\.1/ }).waitFor();
  expect(await page.getByRole("row", { name: /typescript|vitest/ }).count()).toBe(0);
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

it("the usage page shows how full the quotas are, and which API version a token requests", async () => {
  const user = await owner.api.good<{ id: string }>("POST", "/api/users", { key: "asks" });
  const made = await owner.api.good<{ token: string }>("POST", `/api/users/${user.id}/tokens`, {});
  await owner.api.as(made.token).call("GET", "/v0/api/devices");
  await eventually("the version is known", async () => {
    const { items } = await owner.api.good<{ items: { versions?: unknown[] }[] }>(
      "GET",
      `/api/users/${user.id}/tokens`,
    );
    return items[0]?.versions !== undefined;
  });
  // What was asked before is kept for ten seconds.
  await page.goto(home.url);
  await rail("Usage").click();
  await page.getByRole("row", { name: /Webhooks per ecosystem/ }).waitFor();
  await page.getByRole("row", { name: /Objects and their metadata/ }).waitFor();
  await page.getByRole("row", { name: /user asks.*v0.*path/s }).waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
});

itAtLength(
  "the documents stand in the same frame, and plain ones have a menu on a telephone without a script",
  async () => {
    await rail("Guide").click();
    await heading("Using the API");
    expect(await page.getByRole("link", { name: "Guide", exact: true }).first().getAttribute("aria-current")).toBe(
      "page",
    );
    expect(
      await page.getByRole("link", { name: "Reference", exact: true }).first().getAttribute("aria-current"),
    ).toBeNull();
    await rail("Hubs").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${home.url}/docs/errors/hub-offline?plain`);
    await page.locator("summary").click();
    await page.getByRole("link", { name: "First hour" }).click();
    await heading("The first hour");
    expect(complaints).toEqual([]);
  },
);
