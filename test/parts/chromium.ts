/** A real browser: Debian's Chromium, which sees this machine and nothing else, and an accessibility check of what it shows. */
import axe from "axe-core";
import { type BrowserContext, chromium, type Page } from "playwright-core";

const PROGRAM = "/usr/bin/chromium";

export interface Visit {
  readonly page: Page;
  /** Addresses that the page asked for, in order; what is not of `origin` got no answer. */
  readonly asked: string[];
  /** What the browser complained of: errors of scripts, and what the page's own policy refused. */
  readonly complaints: string[];
}

export class Chromium implements AsyncDisposable {
  readonly #browser: Awaited<ReturnType<typeof chromium.launch>>;

  private constructor(browser: Awaited<ReturnType<typeof chromium.launch>>) {
    this.#browser = browser;
  }

  static async start(): Promise<Chromium> {
    // Its own sandbox is not to be had by root.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    return new Chromium(await chromium.launch({ executablePath: PROGRAM, args }));
  }

  /** A fresh profile with one page. */
  async visit(origin: string, colorScheme: "light" | "dark" = "light"): Promise<Visit> {
    const context: BrowserContext = await this.#browser.newContext({ colorScheme, reducedMotion: "reduce" });
    const asked: string[] = [];
    const complaints: string[] = [];
    await context.route("**/*", (route) => {
      const url = route.request().url();
      asked.push(url);
      return url.startsWith(`${origin}/`) ? route.continue() : route.abort();
    });
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      // A refused call is the API's answer, not a fault of the page.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        complaints.push(message.text());
    });
    return { page, asked, complaints };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** What axe finds wrong with a page as it stands, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
