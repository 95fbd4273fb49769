/** An environment with many devices, 1,000 at length: the pages that list them can be used by everybody, in each size and colour. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rounds } from "../../test/parts/rounds.ts";
import { type Colours, hindrances, loaded, tooWide, unreachable } from "./looks.ts";
import { type Made, People } from "./people.fixture.ts";

/** What looks at a page looks at each row, for each of its controls at all others. */
const DEVICES = rounds(300, 1000);
const ZONES = 20;
/** At work at once: one after another they would take a minute. */
const AT_ONCE = 10;
const KINDS = [
  ["Switch", "LightLevel"],
  ["Temperature", "Battery"],
  ["Contact"],
  ["Switch", "LightLevel", "LightColor"],
];

let people: People;
let made: Made & { readonly page: Page };
let zoneId: string;
let lastId: string;
beforeAll(async () => {
  people = await People.start();
  made = await people.arrives();
  const api = await people.as(made.email);
  const { environmentId } = made;
  const ids: string[] = [];
  for (let at = 0; at < DEVICES; at += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, each) => at + each).map(async (number) => {
      const services = (KINDS[number % KINDS.length] ?? []).map((service) => ({ service }));
      const meta = { "$.name": `Device ${number + 1}` };
      return (await api.good<{ id: string }>("POST", "/api/devices", { environmentId, services, meta })).id;
    });
    ids.push(...(await Promise.all(some)));
  }
  for (let at = 0; at < ZONES; at++) {
    const items = ids.filter((_, each) => each % ZONES === at);
    const zone = { environmentId, items, meta: { "$.name": `Room ${at + 1}` } };
    zoneId = (await api.good<{ id: string }>("POST", "/api/zones", zone)).id;
  }
  lastId = ids.at(-1) ?? "";
});
afterAll(() => people[Symbol.asyncDispose]());

it("every page that lists them fits a phone, a thumb, a desk and a wall, and everybody can use it, light and dark", {
  timeout: 600_000,
}, async () => {
  const { page, complaints, environmentId } = made as typeof made & { readonly complaints: readonly string[] };
  const inside = `/environments/${environmentId}`;
  const paths = ["/home", "/devices", `/devices/${lastId}`, "/zones", `/zones/${zoneId}`, "/hubs"].map(
    (path) => `${inside}${path}`,
  );
  const problems: string[] = [];
  const colours: Colours[] = ["light", "dark"];
  for (const path of [...paths, "/overview"]) {
    await page.goto(`${people.origin}${path}`);
    await loaded(page);
    problems.push(...(await unreachable(page, path)), ...(await tooWide(page, path)));
    problems.push(...(await hindrances(page, path, colours)));
    colours.reverse();
  }
  expect(problems).toEqual([]);
  expect(complaints).toEqual([]);
});

it("the last of them is found by its name, in the list and in the search", async () => {
  const { page, environmentId } = made;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${people.origin}/environments/${environmentId}/devices`);
  await page.getByRole("main").getByText("Device 1", { exact: true }).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Search" }).getByRole("textbox").fill(`Device ${DEVICES}`);
  await page
    .getByRole("option", { name: new RegExp(`^Device ${DEVICES}`) })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: `Device ${DEVICES}` }).waitFor();
});
