/** A developer's first hour in the portal, in a real browser, with a real cloud, hub, simulator and receiver: from sign-up to a home that is away. */
import { spawnSync } from "node:child_process";
import { Receiver } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendLogIn } from "../../portal/test/log-in.ts";
import { Api } from "../parts/api.ts";
import { Chromium } from "../parts/chromium.ts";
import { eventually } from "../parts/eventually.ts";
import type { Program } from "../parts/program.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";
import { UnpairedHome } from "../parts/unpaired-home.ts";

const ADA = { email: "ada@porch.example", password: "a long and quiet password" };

const stack = new AsyncDisposableStack();
let home: UnpairedHome;
let receiver: Receiver;
let page: Page;
let complaints: string[];
let hub: Program;

beforeAll(async () => {
  home = stack.use(await UnpairedHome.start(["--webhook-allow", "127.0.0.0/8"]));
  receiver = stack.use(await Receiver.start());
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
});
afterAll(() => stack.disposeAsync());

const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
const section = (name: string) => page.getByRole("region", { name, exact: true });
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
const rail = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });
const secret = async (label: string) => ((await section(label).textContent()) ?? "").trim();
/** Goes to a device's page by its name in the list. */
async function openDevice(name: string): Promise<void> {
  await rail("Devices").click();
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

describe("a developer", () => {
  it("signs up, and shows what there is to do", async () => {
    await page.goto(`${home.url}/`);
    await page.getByRole("link", { name: "Create account" }).click();
    // The form before it has fields of the same names.
    await page.getByRole("heading", { level: 1, name: "Create account" }).waitFor();
    await page.getByLabel("E-mail address").fill(ADA.email);
    await page.getByLabel("Password", { exact: true }).fill(ADA.password);
    await button("Create account").click();
    await page.getByRole("heading", { name: "Connect a hub (to do)" }).waitFor();
  });

  it("pairs a hub by its code, and sees the step ticked", async () => {
    hub = home.run("hall");
    const { code, fingerprint } = await home.loggedCode(hub);
    await rail("Hubs").click();
    await page.getByRole("link", { name: "Pair hub" }).first().click();
    await page.getByRole("textbox", { name: "Code" }).fill(code);
    await button("Continue").click();
    await page.getByText(fingerprint, { exact: true }).first().waitFor({ state: "attached" });
    await button("approve hub").click();
    await page.getByRole("region", { name: "Hub online" }).waitFor();
    await rail("Overview").click();
    await page.getByRole("heading", { name: "Connect a hub (done)" }).waitFor();
  });

  it("turns the lamp's colour wheel, and the lamp has that colour", async () => {
    await openDevice("Porch light");
    const disc = page.getByRole("slider", { name: /^Colour wheel/ }).locator("..");
    const { width, height } = (await disc.boundingBox()) ?? { width: 0, height: 0 };
    await disc.click({ position: { x: width / 2, y: height * 0.95 } });
    await eventually("the lamp is cyan", async () => (await home.simulator.value(LAMP, "LightColor.hue")) === 180);
  });

  it("shows a button press at once and without a touch of the page", async () => {
    await openDevice("Bedside button");
    await home.simulator.tell(`press ${BUTTON} Button.event double`);
    await section("Button").getByText("double").first().waitFor();
  });

  it("makes a server, and curl calls with its token", async () => {
    await rail("Server keys").click();
    await button("Create server key").click();
    await page.getByLabel("Alias").fill("backend");
    await page.getByRole("dialog").getByRole("button", { name: "Create server key" }).click();
    await button("Show token").click();
    const token = /plt_srv_\w{38}/.exec((await section("tokens of the server key").textContent()) ?? "")?.[0] ?? "";
    const { stdout } = spawnSync("curl", ["-s", "-H", `authorization: Bearer ${token}`, `${home.url}/api/devices`]);
    const { items } = JSON.parse(String(stdout)) as { items: { edgeId: string }[] };
    expect(items.map(({ edgeId }) => edgeId).sort()).toEqual([...home.simulator.devices].sort());
  });

  it("registers a user, gives access and makes a token that works there", async () => {
    await rail("Users").click();
    await button("Create user").click();
    await page.getByLabel("Key").fill("customer-17");
    await page.getByRole("dialog").getByRole("button", { name: "Create user" }).click();
    await shows("This user has no access to any environment");
    await page.getByRole("switch").press("Space");
    await page.getByText(/^since/).waitFor();
    await button("Create token").click();
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await shows("This token is shown once");
    const user = new Api(home.url, await secret("token"));
    const { items } = await user.good<{ items: unknown[] }>("GET", "/api/devices");
    expect(items).toHaveLength(home.simulator.devices.length);
    await button("I've saved it").click();
  });

  it("makes a webhook, sees a delivery, and has it sent again, signed each time", async () => {
    await rail("Webhooks").click();
    await page.getByRole("link", { name: "Create webhook" }).first().click();
    await page.getByLabel("Callback URL").fill(receiver.url);
    await button("Create webhook").click();
    await shows("This secret is shown once");
    const verifier = new Webhook(await secret("secret"));
    await page.getByRole("link", { name: "Go to webhook" }).click();
    await home.simulator.tell(`press ${BUTTON} Button.event long`);
    const rows = page.getByRole("row", { name: /property\.changed.*succeeded/s });
    await rows.first().getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: /^Delivery of property\.changed/ }).waitFor();
    const before = receiver.received.length;
    await button("Resend").click();
    await receiver.until((received) => received.length > before);
    for (const { body, headers } of receiver.received) verifier.verify(body, { ...headers });
    await eventually("both are there", async () => (await rows.count()) >= 2);
  });

  it("sees the truth when the hub is unplugged, on the page that is open", async () => {
    await openDevice("Porch light");
    hub.signal("SIGSTOP");
    await shows(/hub .*offline|last known/i);
    await rail("Hubs").click();
    await page
      .getByRole("row")
      .filter({ hasText: /offline for/ })
      .waitFor();
    hub.signal("SIGCONT");
    await page.getByRole("row").filter({ hasText: "online" }).waitFor();
  });

  it("comes back to the very page when the log-in has ended meanwhile", async () => {
    await openDevice("Porch light");
    const before = page.url();
    const open = new Api(home.url);
    const { token, id } = await open.good<{ token: string; id: string }>("POST", "/api/accounts/login", ADA);
    const { items } = await open.as(token).good<{ items: { id: string }[] }>("GET", "/api/account/tokens");
    for (const each of items) if (each.id !== id) await open.as(token).good("DELETE", `/api/account/tokens/${each.id}`);
    await shows("Your session has ended.");
    await sendLogIn(page, ADA);
    await page.getByRole("heading", { level: 1, name: "Porch light" }).waitFor();
    expect(page.url()).toBe(before);
    expect(complaints).toEqual([]);
  });
});
