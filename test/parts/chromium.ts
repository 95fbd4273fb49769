/** A real browser: Debian's Chromium, which sees this machine and nothing else, and an accessibility check of its pages. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page, type Response } from "playwright-core";
import type { Judge } from "./judge.ts";
import { WAIT_MS } from "./limits.ts";
import { foundAtLength } from "./rounds.ts";

/**
 * Chromium without its own windows, menus and services, where Debian's package of it is installed: it shows pages as Chromium does, for half
 * of the processor time.
 */
const PROGRAM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));

/** Asks for nothing outside this machine, also when a page refers to it. */
const ONLY_HERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";

/** A third of the work for a page to read; in characters of one byte it is sent, and kept, in half the bytes. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8").replace(
  /[^\0-\x7f]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
);

export interface Visit {
  readonly page: Page;
  /** Addresses that the page asked for, in order; those outside this machine got no answer. */
  readonly asked: string[];
  /** What the browser complained of: errors of scripts, and what the page's own policy refused. */
  readonly complaints: string[];
}

export class Chromium implements AsyncDisposable {
  readonly #browser: Awaited<ReturnType<typeof chromium.launch>>;

  private constructor(browser: Awaited<ReturnType<typeof chromium.launch>>) {
    this.#browser = browser;
  }

  /** @throws when no Chromium is installed */
  static async start(): Promise<Chromium> {
    if (!PROGRAM) throw new Error("No Chromium is installed: apt-get install chromium-headless-shell");
    // Its own sandbox must not be had by root.
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    return new Chromium(await chromium.launch({ executablePath: PROGRAM, args: [...sandbox, ONLY_HERE] }));
  }

  /**
   * A fresh profile with one page.
   * @param judge of what the API answers it
   * @param serviceWorkers blocked unless they are what is tried: a page that is shown where the service is away would stand between a
   * test and what it breaks
   */
  async visit(
    colorScheme: "light" | "dark" = "light",
    judge?: Judge,
    serviceWorkers: "allow" | "block" = "block",
  ): Promise<Visit> {
    const context: BrowserContext = await this.#browser.newContext({
      ...{ colorScheme, reducedMotion: "reduce" },
      serviceWorkers,
    });
    context.setDefaultTimeout(WAIT_MS);
    const asked: string[] = [];
    const complaints: string[] = [];
    context.on("request", (request) => asked.push(request.url()));
    if (judge) {
      await judge.ready();
      context.on("response", (response) => void judged(response, judge));
    }
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

/** Of a page that has gone there is nothing left to be read. */
async function judged(response: Response, judge: Judge): Promise<void> {
  const { pathname, search } = new URL(response.url());
  if (!/^\/(?:v\d+\/)?api\//.test(pathname)) return;
  const text = await response.text().catch(() => undefined);
  const headers = await response.allHeaders().catch(() => undefined);
  if (text === undefined || headers === undefined) return;
  const answer = { method: response.request().method(), url: pathname + search, status: response.status(), text };
  try {
    judge.judge({ ...answer, headers });
  } catch {
    // The judge throws it at the end: here it would be lost.
  }
}

/** Settles when nothing that has an end is on its way from one look to another: halfway, no contrast is right. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().iterations !== Infinity).map((each) => each.finished))
  .then(() => undefined)`;

/** Waits until the page stands still. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(SETTLED);
}

/**
 * What axe finds wrong with a page as it stands, one line each.
 * @param about only colours, where all else has been looked at in others
 */
export async function accessibilityProblems(page: Page, about: About = "everything"): Promise<string[]> {
  return (await violations(page, about)).flatMap(lines);
}

/** The same of a state on the way of a test, at length only: every run looks at every page in `portal/test/every-page.test.ts`. */
export async function accessibilityProblemsAtLength(page: Page): Promise<readonly string[]> {
  await settled(page);
  return foundAtLength(() => accessibilityProblems(page));
}

/** The same, without what axe calls minor or moderate. */
export async function seriousAccessibilityProblems(page: Page, about: About = "everything"): Promise<string[]> {
  const serious = (await violations(page, about)).filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.flatMap(lines);
}

type About = "everything" | "colours";

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

const lines = ({ id, nodes }: Violation) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`);

/** It gets failures only: of what is right there is a hundred times as much. */
async function violations(page: Page, about: About): Promise<readonly Violation[]> {
  await settled(page);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = JSON.stringify({
    resultTypes: ["violations"],
    ...(about === "colours" && { runOnly: ["cat.color"] }),
  });
  return page.evaluate<Violation[]>(`axe.run(${options}).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`);
}
