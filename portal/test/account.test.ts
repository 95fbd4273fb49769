/** The ways into the portal, its first page, the account, server keys and users, as a person uses them in a real browser. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { unzipped } from "@porchlight/cloud/exports/zip.fixture.ts";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblems, accessibilityProblemsAtLength } from "../../test/parts/chromium.ts";
import { sideways } from "./ends.ts";
import { enter, PASSWORD, People } from "./people.fixture.ts";

let people: People;
beforeAll(async () => {
  people = await People.start();
});
afterAll(() => people[Symbol.asyncDispose]());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const confirm = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name }).click();
const textOf = async (part: Locator) => (await part.textContent()) ?? "";
const secretIn = (part: Locator | Page, label: string) =>
  textOf(part.getByRole("region", { name: label, exact: true }));

describe("the ways in", () => {
  it("make an account, say what was wrong at its field, and lead inside", async () => {
    const { page, complaints } = await people.visit();
    await page.goto(`${people.origin}/signup`);
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("The password must have at least 10 characters.").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, "First steps").waitFor();
    expect(complaints).toEqual([]);
  });

  it("lead back to the very page that was asked for, and again after the log-in has ended", async () => {
    const { page, email, accountId, complaints } = await people.arrives(
      ({ ecosystemId }) => `/ecosystems/${ecosystemId}/users`,
    );
    await heading(page, "Users").waitFor();
    const at = page.url();
    const mine = await people.as(email);
    const { items } = await mine.good<{ items: { id: string; userAgent: string }[] }>("GET", "/api/account/tokens");
    for (const { id, userAgent } of items)
      if (userAgent.includes("Chrome")) await mine.good("DELETE", `/api/account/tokens/${id}`);
    await page.getByText("Your session has ended.").waitFor();
    await enter(page, email);
    await page.getByRole("link", { name: accountId }).waitFor();
    expect(page.url()).toBe(at);
    expect(complaints).toEqual([]);
  });

  it("set a forgotten password with the code of the letter, and prove the address", async () => {
    const { page, email } = await people.arrives();
    await heading(page, "First steps").waitFor();
    const { page: other } = await people.visit();
    await other.goto(`${people.origin}/login`);
    await other.getByRole("link", { name: "Forgot password?" }).click();
    await heading(other, "Reset password").waitFor();
    await other.getByLabel("E-mail address").fill(email);
    await other.getByRole("button", { name: "Send code" }).click();
    await other.getByLabel("New password").fill("another sentence of hers");
    await other.getByLabel("Code from the e-mail").fill("wrong");
    await other.getByRole("button", { name: "Change password" }).click();
    await other.getByText("The code is wrong, already used or expired.").waitFor();
    const code = await people.codeTo(email, "Set a new password");
    await other.goto(`${people.origin}/reset?code=${code}`);
    await other.getByLabel("New password").fill("another sentence of hers");
    await other.getByRole("button", { name: "Change password" }).click();
    await other.getByText("Password changed.").waitFor();
    await page.getByText("Your session has ended.").waitFor();
    await enter(page, email);
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    await enter(page, email, "another sentence of hers");
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await page.getByText("verified", { exact: true }).waitFor();
  });

  it("lead, after a reset, to what still has access, since a log-in that the person recognizes, and end it", async () => {
    const { page, email, complaints } = await people.arrives();
    const mine = await people.as(email);
    await mine.good("POST", "/api/accounts/verify", { code: await people.codeTo(email, "Verify your e-mail address") });
    await mine.good("POST", "/api/servers", { alias: "intruder" });
    await mine.good("POST", "/api/webhooks", { url: "https://receiver.example/", disabled: true });
    await people.api.good("POST", "/api/accounts/password-reset", { email });
    const code = await people.codeTo(email, "Set a new password");
    await page.goto(`${people.origin}/reset?code=${code}`);
    await page.getByLabel("New password").fill("another sentence of hers");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("2 tokens, hubs, webhooks and sinks still have access").waitFor();
    await page.getByRole("link", { name: "Log in and review access" }).click();
    await enter(page, email, "another sentence of hers");
    await heading(page, "Access").waitFor();
    const list = page.getByRole("region", { name: "Tokens, hubs, webhooks and sinks" });
    await list.getByText("intruder").waitFor();
    await list.getByText("Webhook", { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sideways(page)).toEqual([]);
    const since = page.getByRole("combobox", { name: "Show what was created or changed since" });
    await since.click();
    await page
      .getByRole("option", { name: /^the log-in on/ })
      .first()
      .click();
    await list.getByText("Nothing since then").waitFor();
    await since.click();
    await page.getByRole("option", { name: "the account was created" }).click();
    await list.getByText("intruder").waitFor();
    await list
      .getByRole("row", { name: /Webhook/ })
      .getByRole("button", { name: "End" })
      .click();
    await confirm(page, "End");
    await list.getByText("Webhook", { exact: true }).waitFor({ state: "detached" });
    await list.getByRole("button", { name: "End all" }).click();
    await confirm(page, "End all");
    await list.getByText("Nothing else has access").waitFor();
    expect(complaints).toEqual([]);
  });

  itAtLength("verify a new address by the letter's link, and not before the click", async () => {
    const { page, email } = await people.arrives(() => "/account");
    await page.getByText("not verified").waitFor();
    const code = await people.codeTo(email, "Verify your e-mail address");
    await page.goto(`${people.origin}/verify?code=${code}`);
    await heading(page, "Verify e-mail address").waitFor();
    await page.getByRole("button", { name: "Verify e-mail address" }).click();
    await page.getByText("E-mail address verified.").waitFor();
    await page.getByRole("link", { name: "Go to the portal" }).click();
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await page.getByText("verified", { exact: true }).waitFor();
  });
});

it("a form counts down what a refusal asks to wait, and is open again after it", async () => {
  const { page, complaints } = await people.visit("light", false);
  const problem = {
    type: `${people.origin}/docs/errors/rate-limit-exceeded`,
    title: "Rate Limit Exceeded",
    status: 429,
  };
  await page.route("**/api/accounts/login", (route) =>
    route.fulfill({
      status: 429,
      headers: { "content-type": "application/problem+json", "retry-after": "2" },
      body: JSON.stringify({ ...problem, detail: "Come back in 2 s.", instance: "mine-1", retryable: true }),
    }),
  );
  await page.goto(`${people.origin}/login`);
  await enter(page, "ada@example.com");
  await page.getByRole("button", { name: /^Try again in [12] s$/ }).waitFor();
  await page.getByText("Come back in 2 s.").waitFor();
  await page.getByRole("button", { name: "Log in" }).waitFor();
  expect(complaints).toEqual([]);
});

describe("the data of the account", () => {
  it("is exported with the password, and comes as a file that has it", async () => {
    const { page, accountId, complaints } = await people.arrives(() => "/account");
    const section = page.getByRole("region", { name: "Your data" });
    await section.getByText("There is no file to download yet.").waitFor();
    await section.getByRole("button", { name: "Export data" }).click();
    await page.getByLabel("Current password").fill("wrong");
    await confirm(page, "Export data");
    await page.getByText("`currentPassword` is wrong.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await confirm(page, "Export data");
    const download = section.getByRole("button", { name: "Download" });
    await download.waitFor();
    await section.getByText("ready", { exact: true }).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
    expect(file.suggestedFilename()).toMatch(/^porchlight-\d{4}-\d\d-\d\d\.zip$/);
    const files = unzipped(readFileSync(await file.path()));
    expect(files.get("account.ndjson")).toContain(accountId);
    expect(files.get("audit.ndjson")).toContain("export.started");
    expect(complaints).toEqual([]);
  });
});

describe("the first page", () => {
  itAtLength(
    "begins with the hub, whose command a phone shows whole, with a button that copies it, as the page of hubs does",
    async () => {
      const { page, environmentId, complaints } = await people.arrives();
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.setViewportSize({ width: 390, height: 844 });
      const command = `porchlight-agent pair --cloud ${people.origin}`;
      await page.getByRole("heading", { name: "Connect a hub (to do)" }).waitFor();
      const headings = await page.locator("main").getByRole("heading", { level: 2 }).allInnerTexts();
      expect(headings.map((each) => each.replace(/\s*\(.*\)/, ""))).toEqual([
        ...["Connect a hub", "Create a token", "Call the API", "Receive events"],
      ]);
      for (const path of ["/", `/environments/${environmentId}/hubs`]) {
        await page.goto(people.origin + path);
        const block = page.getByRole("region", { name: "command that pairs a hub" });
        expect(await textOf(block)).toBe(command);
        expect(await sideways(page)).toEqual([]);
        await page.getByRole("button", { name: "Copy command that pairs a hub" }).click();
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
        // The mouse rests on the button.
        await page.locator("[role=tooltip]").waitFor();
        expect(await accessibilityProblemsAtLength(page)).toEqual([]);
      }
      expect(complaints).toEqual([]);
    },
  );

  it("ticks each step when the service has seen it, and later shows the overview", async () => {
    const { page, environmentId, ecosystemId, email, complaints } = await people.arrives();
    const step = (title: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
    await page.getByRole("heading", { name: "Create a token (optional)" }).click();
    await step("Create a token").getByRole("button", { name: "Create user token" }).click();
    await page.getByRole("heading", { name: "Create a token (done)" }).waitFor();
    const token = await secretIn(page, "token");
    await page.getByRole("heading", { name: "Call the API (optional)" }).click();
    const line = await secretIn(page, "first call");
    expect(line).toBe(
      `curl -s -H 'authorization: Bearer ${token}' \\\n  '${people.origin}/api/devices?environmentId=${environmentId}'`,
    );
    const pasted = await promisify(execFile)("/bin/sh", ["-c", line]);
    expect(JSON.parse(pasted.stdout)).toEqual({ items: [] });
    await page.getByRole("heading", { name: "Call the API (done)" }).waitFor();
    await step("Call the API").getByText("GET /api/devices: 200").waitFor();

    await (await people.as(email)).good("POST", "/api/webhooks", { url: "https://receiver.example/hook", ecosystemId });
    await page.getByRole("heading", { name: "Receive events (done)" }).waitFor();
    await page.getByRole("heading", { name: "Connect a hub (to do)" }).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);

    await page.getByRole("button", { name: "Dismiss" }).click();
    await heading(page, "Overview").waitFor();
    await page.getByRole("region", { name: "Webhooks" }).getByText("nothing sent yet").waitFor();
    await page.reload();
    await heading(page, "Overview").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe("the account", () => {
  it("shows its ID, makes an account token for the password, and ends it among the log-ins", async () => {
    const { page, accountId, complaints } = await people.arrives(() => "/account");
    const authorization = page.getByRole("region", { name: "Authorization" });
    await authorization.getByText(accountId).waitFor();
    await authorization.getByRole("button", { name: "Create account token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password", { exact: true }).fill("a wrong one");
    await dialog.getByRole("button", { name: "Create account token" }).click();
    await dialog.getByText("The e-mail address or the password is wrong.").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Create account token" }).click();
    const mine = people.api.as(await secretIn(authorization, "account token"));
    expect(await mine.good("GET", "/api/account")).toMatchObject({ id: accountId });
    await authorization.getByRole("button", { name: "I've saved it" }).click();

    const logIns = page.getByRole("region", { name: "Sessions", exact: true });
    await logIns.getByText("This portal").waitFor();
    await logIns.getByText("Account token").waitFor();
    await logIns.getByRole("button", { name: "End session", exact: true }).click();
    await confirm(page, "End session");
    await logIns.getByRole("button", { name: "End session", exact: true }).waitFor({ state: "detached" });
    expect((await mine.call("GET", "/api/account")).status).toBe(401);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("takes a new name with the password, logs out, and is erased with all that it owns", async () => {
    const { page, email } = await people.arrives(() => "/account");
    await page.getByRole("button", { name: "Change name or e-mail" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ada \u202e<b>Love");
    await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await confirm(page, "Save");
    await page.getByRole("region", { name: "Profile" }).getByText("<b>Love").waitFor();

    await page.getByRole("navigation").getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${people.origin}/login`);
    await page.goto(`${people.origin}/account`);
    await enter(page, email);
    await page.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(PASSWORD);
    await confirm(page, "Delete account");
    await page.getByText("Account deleted, with everything that it owned.").waitFor();
    expect((await people.api.call("POST", "/api/accounts/login", { email, password: PASSWORD })).status).toBe(401);
  });
});

describe("server keys", () => {
  it("begin with a server, whose token is read from its list, used, replaced and revoked", async () => {
    const { page, ecosystemId, environmentId, complaints } = await people.arrives(
      (made) => `/ecosystems/${made.ecosystemId}/servers`,
    );
    await page.getByText("No server keys yet").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.getByRole("button", { name: "Create server key" }).first().click();
    await page.getByLabel("Alias").fill("back/end");
    await confirm(page, "Create server key");
    await page.getByRole("dialog").getByText(/alias/i).filter({ hasText: "characters" }).first().waitFor();
    await page.getByLabel("Alias").fill("backend");
    await confirm(page, "Create server key");
    await heading(page, "backend").waitFor();
    const tokens = page.getByRole("region", { name: "tokens of the server key" });
    const shown = tokens.locator("code");
    expect(await textOf(shown.first())).toBe("plt_srv_…");
    await tokens.getByRole("button", { name: "Show token" }).click();
    await tokens.getByRole("button", { name: "Hide token" }).waitFor();
    const first = await textOf(shown.first());
    expect(await people.api.as(first).good("GET", "/api/token")).toMatchObject({ type: "server", ecosystemId });

    await page.getByRole("button", { name: "Create token" }).click();
    await tokens.getByRole("row").nth(2).waitFor();
    await tokens.getByRole("row").nth(1).getByRole("button", { name: "Revoke token" }).click();
    await confirm(page, "Revoke token");
    await tokens.getByRole("row").nth(2).waitFor({ state: "detached" });
    expect((await people.api.as(first).call("GET", "/api/token")).status).toBe(401);
    await tokens.getByRole("button", { name: "Show token" }).click();
    await tokens.getByRole("button", { name: "Hide token" }).waitFor();
    const second = await textOf(shown.first());
    expect(await people.api.as(second).good("GET", `/api/environments/${environmentId}`)).toMatchObject({
      ecosystemId,
    });
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe("users", () => {
  it("are registered by key, given an environment, and get a token that works until the access is taken", async () => {
    const { page, environmentId, accountId, complaints } = await people.arrives(
      (made) => `/ecosystems/${made.ecosystemId}/users`,
    );
    await page.getByRole("button", { name: "Create user" }).click();
    await page.getByLabel("Key").fill(accountId);
    await confirm(page, "Create user");
    await page.getByText("Another user of the ecosystem has this key.").waitFor();
    await page.getByLabel("Key").fill("customer-17");
    await confirm(page, "Create user");
    await page.getByText("This user has no access to any environment").waitFor();
    await page.getByRole("button", { name: "Create token" }).click();
    await confirm(page, "Create token");
    const user = people.api.as(await secretIn(page, "token"));
    const status = async () => (await user.call("GET", `/api/environments/${environmentId}`)).status;
    expect(await status()).toBe(403);
    await page.getByRole("switch").press("Space");
    await page.getByText(/^since/).waitFor();
    expect(await status()).toBe(200);
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.getByRole("switch").press("Space");
    await page.getByText("This user has no access to any environment").waitFor();
    expect(await status()).toBe(403);

    await page.goBack();
    await page.getByRole("row", { name: "customer-17" }).getByText("no access").waitFor();
    await page.getByRole("row", { name: accountId }).getByText("you").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.getByRole("link", { name: accountId }).click();
    await page.getByText("This is you").waitFor();
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe("in the dark, on a telephone, everybody can use", () => {
  /** What is wrong with a page of 360 pixels once it shows what it has. */
  async function problemsOf(page: Page, path: string): Promise<string[]> {
    await page.goto(people.origin + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
    return [...(await accessibilityProblems(page)), ...(width > 360 ? [`it is ${width} wide`] : [])];
  }

  itAtLength("what stands inside", async () => {
    const { page, ecosystemId, userId, complaints } = await people.arrives(() => "/account", "dark");
    await heading(page, "Account").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await problemsOf(page, "/")).toEqual([]);
    expect(await problemsOf(page, "/account")).toEqual([]);
    for (const at of ["servers", "users", `users/${userId}`])
      expect(await problemsOf(page, `/ecosystems/${ecosystemId}/${at}`), at).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("the ways in", async () => {
    const { page, complaints } = await people.visit("dark");
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ["/login", "/signup", "/reset", "/reset?code=A", "/verify"])
      expect(await problemsOf(page, path), path).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
