/** Every page of the portal, full and empty, in a real browser: nothing harmful is carried out, nothing breaks, everybody can use it. */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../parts/api.ts";
import { Chromium, seriousAccessibilityProblems } from "../../parts/chromium.ts";
import { Program } from "../../parts/program.ts";
import { logIn } from "./log-in.ts";
import { addressOf, declaredRoutes, emptyOwner, fullOwner, type Owner } from "./tour.ts";

const SIZES = {
  phone: { width: 360, height: 740 },
  desk: { width: 1440, height: 900 },
  wall: { width: 2560, height: 1300 },
};
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

/** Goes there and waits until nothing is being loaded any more. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto(`${origin}${address}`);
  await page.locator("main h1").first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
}

it("every route is looked at", () => {
  const { full } = owners;
  const missed = declaredRoutes().filter((route) => addressOf(route, full.parameters) === undefined);
  expect(declaredRoutes().length).toBeGreaterThan(20);
  expect(missed).toEqual([]);
});

describe.each(["full", "empty"] as const)("for an account that is %s", (kind) => {
  it.each(["phone", "desk", "wall"] as const)("nothing is carried out, and every page fits: %s", async (size) => {
    const { page, complaints } = await chromium.visit(origin, "light");
    await page.setViewportSize(SIZES[size]);
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await logIn(page, origin, owners[kind]);
    const wide: string[] = [];
    for (const { route, address } of pagesOf(owners[kind])) {
      await visit(page, address);
      expect(await page.evaluate("window.carriedOut"), route).toBeUndefined();
      const over = await page.evaluate<number>(
        "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth",
      );
      if (over > 0) wide.push(`${route}: ${over} px too wide`);
    }
    expect(wide).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each(["light", "dark"] as const)("everybody can use every page, %s", async (scheme) => {
    const { page } = await chromium.visit(origin, scheme);
    await logIn(page, origin, owners[kind]);
    const problems: string[] = [];
    for (const { route, address } of pagesOf(owners[kind])) {
      await visit(page, address);
      for (const problem of await seriousAccessibilityProblems(page)) problems.push(`${route}: ${problem}`);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
