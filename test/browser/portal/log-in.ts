/** Logging in as a person does: with the form. */
import type { Page } from "playwright-core";

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Fills in the form where it stands, and sends it, whatever the answer is. */
export async function sendLogIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Ends on the first page, or where the form leads back to. */
export async function logIn(page: Page, origin: string, credentials: Credentials): Promise<void> {
  if (!page.url().startsWith(`${origin}/login`)) await page.goto(`${origin}/login`);
  await sendLogIn(page, credentials);
  await page.waitForURL((url) => url.pathname !== "/login");
}
