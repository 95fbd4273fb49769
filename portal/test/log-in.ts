/** Logging in as a person does, with the form, and beside it where a test is not about that. */
import type { Page } from "playwright-core";

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Fills in the form where it stands, and sends it, without a check of the answer. */
export async function sendLogIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Gives a page, that is still empty, the cookie which the form would get: a page is loaded in half a second of processor time. */
export async function haveLogIn(page: Page, origin: string, { email, password }: Credentials): Promise<void> {
  const data = { email, password, session: true };
  const answer = await page.context().request.post(`${origin}/api/accounts/login`, { data });
  if (!answer.ok()) throw new Error(`logging in was answered with ${answer.status()}: ${await answer.text()}`);
}

/** Ends on the first page, or where the form leads back to. */
export async function logIn(page: Page, origin: string, credentials: Credentials): Promise<void> {
  if (!page.url().startsWith(`${origin}/login`)) await page.goto(`${origin}/login`);
  await sendLogIn(page, credentials);
  await page.waitForURL((url) => url.pathname !== "/login");
}
