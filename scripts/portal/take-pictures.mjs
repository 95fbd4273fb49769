// What the pictures show: pages of a furnished home, as Debian's Chromium draws them.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** The size of a desk's window, pixels. */
const WINDOW = { width: 1440, height: 900 };

/** The demonstration's own steps are not those of a newcomer, so these are of an account that was just made. */
const NEWCOMER = { email: "newcomer@porchlight.example", password: "a lamp under a gable" };

/** Gives the files. @param facts of the demonstration @param made by `furnish` @param folder where they go */
export async function takePictures(facts, made, folder) {
  const { chromium } = await import("playwright-core");
  mkdirSync(folder, { recursive: true });
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args });
  const environment = `/environments/${facts.environmentId}`;
  const files = [];
  const picture = async (what, name) => {
    await ("page" in what ? what.page() : what).waitForTimeout(700);
    const path = join(folder, `portal-${name}.png`);
    await what.screenshot({ path });
    files.push(path);
  };
  try {
    const light = await openAs(browser, facts, "light");
    await light.goto(`${facts.apiUrl}${environment}/home`);
    await light.getByRole("link", { name: "Porch light", exact: true }).first().waitFor();
    await picture(light, "home");
    await light.goto(`${facts.apiUrl}${environment}/devices`);
    await light.getByRole("link", { name: "Weather at the gate", exact: true }).waitFor();
    await picture(light, "devices");
    await light.goto(`${facts.apiUrl}${environment}/devices/${made.lamp}`);
    await light.getByRole("heading", { name: "Colour", exact: true }).waitFor();
    await picture(light, "device");
    await light.goto(`${facts.apiUrl}/ecosystems/${facts.ecosystemId}/webhooks/${made.webhook}`);
    await light.getByText("succeeded").first().waitFor();
    await picture(light, "webhook");

    await light.goto(`${facts.apiUrl}${environment}/hubs/${facts.hub.clientId}`);
    await light.getByRole("img", { name: "QR code" }).waitFor();
    // The section alone: around it are names of lines that are of this machine.
    await picture(light.getByRole("region", { name: "Matter", exact: true }), "matter-code");

    const dark = await openAs(browser, facts, "dark");
    await dark.goto(`${facts.apiUrl}${environment}/zones`);
    await dark.getByText("Ground floor").first().waitFor();
    await picture(dark, "zones");

    await fetch(`${facts.apiUrl}/api/accounts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(NEWCOMER),
    });
    const first = await openAs(browser, { ...facts, ...NEWCOMER }, "light");
    await first.getByRole("heading", { name: "First steps" }).waitFor();
    await picture(first, "first-steps");

    // Last, since the home is not the same afterwards: the hub falls silent, and the page shows it.
    await light.goto(`${facts.apiUrl}${environment}/hubs/${facts.hub.clientId}`);
    await light.getByText("online", { exact: true }).first().waitFor();
    process.kill(facts.pids.agent, "SIGSTOP");
    try {
      await light
        .getByText(/offline for \d+ s/)
        .first()
        .waitFor({ timeout: 60_000 });
      await picture(light, "hub-away");
    } finally {
      process.kill(facts.pids.agent, "SIGCONT");
    }
  } finally {
    await browser.close();
  }
  return files;
}

/** A window of a user who has logged in with the form. */
export async function openAs(browser, { apiUrl, email, password }, colorScheme) {
  const context = await browser.newContext({ colorScheme, reducedMotion: "reduce", viewport: WINDOW });
  const page = await context.newPage();
  await page.goto(`${apiUrl}/login`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
  return page;
}
