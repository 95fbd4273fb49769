/** How smoothly a chart of 100,000 points is moved and zoomed in a real browser: the times of its frames are printed, and only an unusable chart fails. */
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enter, People } from "./people.fixture.ts";

const POINTS = 100_000;
const PAGE = 10_000;
const DAY = 86_400_000;
/** Frames of each movement. */
const FRAMES = 60;
/** A frame that takes longer is a chart that stands still, ms: a busy machine is far below. */
const USELESS = 2000;

let people: People;
beforeAll(async () => {
  people = await People.start();
});
afterAll(() => people[Symbol.asyncDispose]());

const timeOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;

/** Answers for the service with a change each 0.86 seconds of the last day. */
async function answer(route: Route, deviceId: string, end: number): Promise<void> {
  const asked = new URL(route.request().url()).searchParams;
  const begin = Number(asked.get("continuationToken") ?? 0);
  const points = Array.from({ length: PAGE }, (_, at) => ({
    at: timeOf(end - DAY + ((begin + at) * DAY) / POINTS),
    value: 200 + Math.round(900 * Math.abs(Math.sin((begin + at) / 97))) + ((begin + at) % 7),
  }));
  const named = { deviceId, service: "Electricity", index: "0", property: "watts", kind: "number", unit: "W" };
  const more = begin + PAGE < POINTS && { continuationToken: String(begin + PAGE) };
  const range = { from: timeOf(end - DAY), to: timeOf(end) };
  await route.fulfill({ json: { items: [{ ...named, points }], resolution: "raw", range, ...more } });
}

/** Does something once a frame. @returns ms from each frame to the next, sorted */
function frames(page: Page, deed: string): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((done) => {
    const over = document.querySelector("figure .u-over");
    const { left, top, width } = over.getBoundingClientRect();
    const times = [];
    let last;
    const wheel = (deltaX, deltaY) => over.dispatchEvent(new WheelEvent("wheel", {
      deltaX, deltaY, ctrlKey: true, bubbles: true, cancelable: true, clientX: left + width / 2, clientY: top + 50,
    }));
    const next = (now) => {
      if (last !== undefined) times.push(now - last);
      last = now;
      if (times.length === ${FRAMES}) return done(times.sort((one, other) => one - other));
      ${deed};
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
}

it("100,000 points are moved and zoomed", async () => {
  const { email, environmentId } = await people.arrives();
  // What it is answered is made up below, and not for the judge of the API.
  const { page, complaints } = await people.visit("light", false);
  await page.goto(people.origin);
  await enter(page, email);
  await page.waitForURL(({ pathname }) => pathname !== "/login");
  const services = [{ service: "Electricity", properties: [{ property: "watts", value: 300 }] }];
  const { id } = await (await people.as(email)).good<{ id: string }>("POST", "/api/devices", {
    environmentId,
    services,
  });
  const end = Math.floor(Date.now() / 1000) * 1000;
  await page.route(/\/services\/[^/]+\/history/, (route) => answer(route, id, end));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${people.origin}/environments/${environmentId}/devices/${id}`);
  await page.getByRole("button", { name: /^History of / }).click();
  await page.locator("figure .u-over").waitFor();
  const found: Record<string, readonly number[]> = {
    "moved, ": await frames(page, "wheel(times.length < 30 ? -12 : 12, 0)"),
    "zoomed,": await frames(page, "wheel(0, times.length < 30 ? -20 : 20)"),
  };
  for (const [what, times] of Object.entries(found)) {
    const at = (share: number) => `${Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)} ms`;
    console.log(
      `a chart of 100,000 points, ${what} frames: median ${at(0.5)}, 95 % within ${at(0.95)}, longest ${at(1)}`,
    );
    expect(times.at(-1)).toBeLessThan(USELESS);
  }
  expect(complaints).toEqual([]);
});
