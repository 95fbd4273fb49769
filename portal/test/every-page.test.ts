/** Every page of the portal, full and empty, in a real browser: nothing harmful is carried out, nothing breaks, everybody can use it. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../test/parts/api.ts";
import { Chromium } from "../../test/parts/chromium.ts";
import { Program } from "../../test/parts/program.ts";
import { casesOf, IS_AT_LENGTH } from "../../test/parts/rounds.ts";
import { logIn } from "./log-in.ts";
import { type Colours, followTo, hindrances, loaded, type Size, tooWide, unreachable } from "./looks.ts";
import { addressOf, declaredRoutes, emptyOwner, fullOwner, type Owner } from "./tour.ts";

/** All pages, on a machine that has other things to do, ms. */
const PATIENCE = 900_000;

/** In every run each page once, as the account that has all has it on a phone and a desk, in light. At length all sizes and colours, and what has nothing. */
const SIZES: readonly Size[] = casesOf<Size>(["phone", "desk"], ["wall"]);
const COLOURS: readonly Colours[] = casesOf<Colours>(["light"], ["dark"]);
const KINDS = casesOf<"full" | "empty">(["full"], ["empty"]);

/** Without a log-in, or leading away from where one is. */
const OUTSIDE = ["/login", "/signup", "/reset", "/verify"];

const stack = new AsyncDisposableStack();
let chromium: Chromium;
let origin: string;
let owners: Record<"full" | "empty", Owner>;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-tour-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  // Answers with what a receiver that means harm would say.
  const receiver = createServer((_, response) =>
    response.writeHead(500).end("<script>window.carriedOut=1</script>".repeat(100)),
  );
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  stack.defer(() => void receiver.close());
  const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const args = ["serve", "--port", "0", "--data", folder, "--rate-limit", "off", "--webhook-allow", "127.0.0.0/8"];
  const cloud = stack.use(new Program("cloud", "cloud/src/main.ts", args));
  origin = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  const open = new Api(origin);
  owners = { full: await fullOwner(open, "full", callback), empty: await emptyOwner(open, "empty") };
  chromium = stack.use(await Chromium.start());
});
afterAll(() => stack.disposeAsync());

/** Pages that an owner has, under the routes that they are. */
function pagesOf({ parameters }: Owner): { readonly route: string; readonly address: string }[] {
  return declaredRoutes().flatMap((route) => {
    const address = addressOf(route, parameters);
    return address === undefined || OUTSIDE.includes(route) ? [] : [{ route, address }];
  });
}

it("every route is looked at", () => {
  const { full } = owners;
  const missed = declaredRoutes().filter((route) => addressOf(route, full.parameters) === undefined);
  expect(declaredRoutes().length).toBeGreaterThan(20);
  expect(missed).toEqual([]);
});

/** The primary buttons of a page, where there are more than the one that it may have. */
async function rivals(page: Page, route: string): Promise<string[]> {
  const names = await page
    .locator('main .mantine-Button-root:is([data-variant="filled"], :not([data-variant]))')
    .allInnerTexts();
  return names.length > 1 ? [`${route}: ${names.join(", ")} are all primary`] : [];
}

/** Side by side: a browser has a process for each. At length each page is loaded by its address, in every run the first one. */
describe.concurrent.each(KINDS)("for an account that is %s", (kind) => {
  it(`nothing is carried out, every page fits a thumb and a ${SIZES.join(", a ")}, and everybody can use it, ${COLOURS.join(" and ")}`, {
    timeout: PATIENCE,
  }, async () => {
    const { page, complaints } = await chromium.visit();
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await logIn(page, origin, owners[kind]);
    const problems: string[] = [];
    // Each page begins in the colours in which the one before it ended: to change them is work for the browser.
    const colours = [...COLOURS];
    for (const [at, { route, address }] of pagesOf(owners[kind]).entries()) {
      if (at > 0 && !IS_AT_LENGTH) await followTo(page, address);
      else await page.goto(`${origin}${address}`);
      await loaded(page);
      problems.push(...(await unreachable(page, route)), ...(await tooWide(page, route, SIZES)));
      problems.push(...(await hindrances(page, route, colours)));
      problems.push(...(await rivals(page, route)));
      colours.reverse();
      expect(await page.evaluate("window.carriedOut"), route).toBeUndefined();
    }
    expect(problems).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
