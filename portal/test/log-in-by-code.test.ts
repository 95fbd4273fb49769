/** A program that logs in by a code, approved by a person in a real browser; and the text that an empty Hubs page gives them to paste. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityProblemsAtLength } from "../../test/parts/chromium.ts";
import { People } from "./people.fixture.ts";

interface Started {
  readonly userCode: string;
  readonly deviceCode: string;
  readonly verificationUriComplete: string;
}

const PATH = "/api/accounts/login/code";
const LINK = /^http:\/\/.*\/log-in-by-code\?code=[A-Z]{4}-[A-Z]{4}$/;
/** Pictures are taken into this folder when it is named. */
const PICTURES = process.env.PICTURES;

let people: People;
beforeAll(async () => {
  people = await People.start();
});
afterAll(() => people[Symbol.asyncDispose]());

const begin = () => people.api.good<Started>("POST", PATH);
const poll = (deviceCode: string) => people.api.call("POST", `${PATH}/poll`, { deviceCode });

it("asks for a log-in first, shows who asks, and approves only what the person confirms to have started", async () => {
  const { userCode, deviceCode, verificationUriComplete: link } = await begin();
  expect(link).toMatch(LINK);
  const { page, email, complaints } = await people.arrives(() => link.slice(people.origin.length));
  await page.getByText("This program asks to log in to your account").waitFor();
  await page.getByText(userCode, { exact: true }).waitFor();
  await page.getByText("127.0.0.1", { exact: true }).waitFor();
  await page.getByText("If somebody sent you this code or a link to this page, choose Deny").waitFor();
  const approve = page.getByRole("button", { name: "Approve" });
  expect(await approve.isDisabled()).toBe(true);
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/answer.png`, fullPage: true });
  await page.getByLabel("I started this log-in").check();
  await approve.click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  const { status, body } = await poll(deviceCode);
  expect(status).toBe(201);
  const mine = people.api.as((body as { token: string }).token);
  expect(await mine.good("GET", "/api/account")).toMatchObject({ email });
  expect(complaints).toEqual([]);
});

it("takes a typed code, denies it, and confirms that; a wrong code is named", async () => {
  const { userCode, deviceCode } = await begin();
  const { page } = await people.arrives(() => "/log-in-by-code");
  const code = page.getByRole("textbox", { name: "Code" });
  await code.fill("bcdf");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("4 letters missing.").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/form.png`, fullPage: true });
  await code.fill("BBBB-BBBB");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Login Code Invalid").waitFor();
  await page.getByRole("button", { name: "Enter another code" }).click();
  await code.fill(userCode.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Denied" }).waitFor();
  expect(await poll(deviceCode)).toMatchObject({ status: 400, body: { title: "Login Denied" } });
});

it("an empty Hubs page shows how to connect a hub to this service, and to no other", async () => {
  const { page } = await people.arrives(({ environmentId }) => `/environments/${environmentId}/hubs`);
  await page.getByText("No hubs yet").waitFor();
  const commands = await page.locator("pre").allTextContents();
  expect(commands.join("\n")).toContain(`porchlight-agent pair --cloud ${people.origin}`);
  expect(commands.join("\n")).toContain(`porchlight-agent run --cloud ${people.origin}`);
  expect(commands.join("\n")).not.toMatch(/npm start|porchlight-cloud/);
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/hubs.png`, fullPage: true });
});
