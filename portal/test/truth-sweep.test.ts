/**
 * A sweep: each part of a home stands still, and is killed, while every kind of page is open. Nothing that a page says may contradict the API
 * or the clock by more than docs/portal.md allows. `npm run test:long` takes every part every way.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { OWNER } from "../../test/parts/home.ts";
import { casesOf } from "../../test/parts/rounds.ts";
import { logIn } from "./log-in.ts";
import { ApiRecord } from "./truth/api-record.ts";
import { type Claims, claimsOf } from "./truth/claims.ts";
import {
  type Absence,
  type Bounds,
  type Contradiction,
  contradictions,
  PUBLISHED,
  type Write,
} from "./truth/contradictions.ts";
import { readPage } from "./truth/read-page.ts";
import { type PartName, WatchedHome } from "./truth/watched-home.ts";

/** The last is a restart so quick that it does not count as an absence. */
type Way = "SIGSTOP" | "SIGKILL" | "SIGKILL, and a start at once";

/** A part whose absence is found out and one whose absence does not count; a service that stands still is in `portal-truth.test.ts`, too. */
const ALWAYS: readonly (readonly [PartName, Way])[] = [
  ["hub", "SIGKILL, and a start at once"],
  ["device", "SIGSTOP"],
];
const AT_LENGTH_TOO: readonly (readonly [PartName, Way])[] = [
  ["service", "SIGSTOP"],
  ["receiver", "SIGKILL"],
  ["service", "SIGKILL"],
  ["hub", "SIGSTOP"],
  ["hub", "SIGKILL"],
  ["device", "SIGKILL"],
  ["receiver", "SIGSTOP"],
  ["service", "SIGKILL, and a start at once"],
  ["device", "SIGKILL, and a start at once"],
];
const COMBINATIONS = casesOf(ALWAYS, AT_LENGTH_TOO);

/** The bounds of a page that shows the newest of all answers of the API, ms. */
const AT_ONCE: Bounds = { lost: 0, back: 2000, state: 0, heard: 20_000, value: 0, sending: 0, age: 5000 };
/** Ends a round in which pages never come to agree: longer than any bound, ms. */
const TOO_LONG = Math.max(...Object.values(PUBLISHED)) + 5000;

const stack = new AsyncDisposableStack();
let watched: WatchedHome;
let record: ApiRecord;
const tabs = new Map<string, Page>();
const complaints: string[] = [];
/** Of all claims that were read. */
const kinds = new Set<string>();
const absences: Absence[] = [];
const writes: Write[] = [];

beforeAll(async () => {
  watched = stack.use(await WatchedHome.start());
  const { home, zoneId, lampId, webhookId, ecosystemId } = watched;
  const { token } = await home.api.good<{ token: string }>("POST", "/api/accounts/login", OWNER);
  record = stack.use(new ApiRecord(watched, token));
  const chromium = stack.use(await Chromium.start());
  const first = await chromium.visit();
  await logIn(first.page, home.api.base, OWNER);
  await first.page.evaluate(`localStorage.setItem("porchlight-first-steps-${ecosystemId}", "away")`);
  const here = `/environments/${home.environmentId}`;
  const there = `/ecosystems/${ecosystemId}`;
  const addresses: readonly (readonly [string, string])[] = [
    ["home", `${here}/home`],
    ["devices", `${here}/devices`],
    ["device", `${here}/devices/${lampId}`],
    ["zone", `${here}/zones/${zoneId}`],
    ["hubs", `${here}/hubs`],
    ["hub", `${here}/hubs/${home.clientId}`],
    ["events", `${there}/events`],
    ["webhooks", `${there}/webhooks`],
    ["webhook", `${there}/webhooks/${webhookId}`],
    ["overview", "/overview"],
  ];
  for (const [name, address] of addresses) {
    const page = tabs.size === 0 ? first.page : await first.page.context().newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    record.follow(page);
    await page.goto(`${home.api.base}${address}`);
    tabs.set(name, page);
  }
});
afterAll(() => stack.disposeAsync());

const tab = (name: string) => tabs.get(name) as Page;

/** What all pages say now. */
async function read(): Promise<readonly Claims[]> {
  const all: Claims[] = [];
  for (const [name, page] of tabs) all.push(claimsOf(name, await readPage(page)));
  for (const claim of all.flatMap(({ claims }) => claims)) kinds.add(kindOf(claim));
  return all;
}

/** What is claimed, in a word or two: "silent since", "sending badly". */
function kindOf(claim: Claims["claims"][number]): string {
  if (claim.kind === "moment") return claim.of;
  return claim.kind === "sending" ? `sending ${claim.goes}` : claim.kind;
}

const lies = (claims: readonly Claims[], bounds: Bounds, known: readonly Write[]) =>
  claims.flatMap((each) => contradictions(each, { facts: record.facts, absences, writes: known }, bounds));

/**
 * Reads all pages again and again, until something is so of the API and they agree with it, or should long have.
 * @returns how long that took, with what they did not agree on in the end
 */
async function watch(seen: Claims[], isSo: () => boolean): Promise<string> {
  const begin = Date.now();
  let agreed = 0;
  let differs: readonly Contradiction[] = [];
  while (Date.now() < begin + TOO_LONG && agreed < 3) {
    const claims = await read();
    seen.push(...claims);
    // What the device has done with a write is asked in the end.
    differs = lies(claims, AT_ONCE, []);
    agreed = isSo() && differs.length === 0 ? agreed + 1 : 0;
  }
  const still =
    agreed >= 3 ? [] : differs.map(({ page, text, because }) => `, ${page} still says "${text}": ${because}`);
  return `${Date.now() - begin} ms${agreed >= 3 || still.length > 0 ? "" : ", and the API never reported it"}${still.join("")}`;
}

/** Switches the lamp on its page. */
async function write(): Promise<void> {
  const button = tab("device").getByRole("switch", { name: /Power$/ });
  await button.locator("..").click();
}

function isBack(): boolean {
  const { home, lampId, webhookId } = watched;
  const isOnline = [home.clientId, lampId].every((id) => record.last(id, "state") === "online");
  return isOnline && record.last(webhookId, "sending") !== "badly";
}

const isAway: Readonly<Record<PartName, () => boolean>> = {
  // Nothing is answered: pages must have reported that.
  service: () => true,
  hub: () => record.last(watched.home.clientId, "state") === "offline",
  device: () => record.last(watched.lampId, "state") === "offline",
  receiver: () => record.last(watched.webhookId, "sending") === "badly",
};

describe.each(COMBINATIONS)("while every page is open, the %s gets %s", (part, way) => {
  it("and no page contradicts the API or the clock", async () => {
    const { home, lampId } = watched;
    const subject = { service: "service", hub: home.clientId, device: lampId, receiver: "receiver" }[part];
    const seen: Claims[] = [];
    const switchedBefore = await watched.switched();
    const calm = await watch(seen, () => true);

    const from = Date.now();
    if (way === "SIGSTOP") watched.stop(part);
    else await watched.kill(part);
    absences.push({ subject, from });
    const askedAt = Date.now();
    await write();
    const away = way === "SIGKILL, and a start at once" ? "0 ms" : await watch(seen, isAway[part]);

    if (way === "SIGSTOP") watched.cont(part);
    else await watched.again(part);
    absences.splice(-1, 1, { subject, from, to: Date.now() });
    await eventually("the lamp can be asked", async () => record.last(lampId, "state") === "online", 90_000);
    // A delivery that is new: an older one may wait for minutes.
    if (part === "receiver") await home.api.good("POST", `/api/webhooks/${watched.webhookId}/test`);
    const back = await watch(seen, isBack);

    // What was written is known for certain now. A lamp that was killed has forgotten its earlier writes.
    const forgot = part === "device" && way !== "SIGSTOP";
    writes.push({ subject: lampId, at: askedAt, wasApplied: !forgot && (await watched.switched()) > switchedBefore });
    const found = lies(seen, PUBLISHED, writes);
    process.stdout.write(
      `${part} ${way}: ${seen.length} readings, ${seen.reduce((sum, { claims }) => sum + claims.length, 0)} claims, ${found.length} lies; ` +
        `agreed after ${calm}; ${away}; ${back}\n`,
    );
    expect(summed(found)).toEqual([]);
    const dismiss = tab("device").getByRole("button", { name: "Dismiss" });
    while ((await dismiss.count()) > 0) await dismiss.first().click();
  });
});

it("every kind of claim was read: pages that speak otherwise than the reader knows would never lie", () => {
  const isAway = (...parts: readonly PartName[]) =>
    COMBINATIONS.some(([part, way]) => parts.includes(part) && way !== "SIGKILL, and a start at once");
  // Only a hub that is away for a while is reported as silent.
  const moments = ["last heard", "offline since", "since", ...(isAway("hub") ? ["silent since"] : [])];
  const expected = [
    "state",
    "count",
    "lamp",
    "age",
    "value",
    "live",
    ...(isAway("service") ? ["lost"] : []),
    "outcome",
    "sending well",
    ...(isAway("receiver") ? ["sending badly"] : []),
  ];
  expect([...expected, ...moments].filter((kind) => !kinds.has(kind))).toEqual([]);
});

it("the browser had nothing to complain of", () => {
  expect(complaints).toEqual([]);
});

/** Each kind of lie once, with how long it was shown. */
function summed(found: readonly Contradiction[]): readonly string[] {
  const kinds = Map.groupBy(found, ({ page, text }) => `${page}: "${text.replaceAll(/\d+/g, "N").slice(0, 120)}"`);
  return [...kinds].map(([kind, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    return `${kind}, ${all.length} times over ${(last?.at ?? 0) - (first?.at ?? 0)} ms, first "${first?.text.slice(0, 80)}": ${first?.because}`;
  });
}
