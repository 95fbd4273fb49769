/**
 * Each malformed request: never a 5xx, never an error that is no problem of the document's, and no other caller is kept
 * waiting. Every route, from a good request in which one to three things are changed.
 */
import type { TestCloud, Wire } from "@porchlight/cloud/app.fixture.ts";
import { AnswerCheck } from "@porchlight/cloud/http/answer-check.fixture.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectHub } from "../../parts/answering-hub.ts";
import { rounds } from "../../parts/rounds.ts";
import { STORES_AT_LENGTH, type StoreName } from "../cloud.ts";
import { OPEN, ROUTES } from "../isolation/asks.ts";
import { aliasOf } from "../isolation/belongings.ts";
import { World } from "../isolation/world.ts";
import { mutated } from "./mutation.ts";
import { longestStretch } from "./stretch.ts";
import { routeOf, templateOf, tokenFor } from "./templates.ts";

/** What the loop may be kept busy with one request, ms. */
const MOST_MS = 50;
const RUNS: Readonly<Record<StoreName, number>> = { SQLite: rounds(30, 3_000), PostgreSQL: rounds(20, 600) };
/** The same mutations in every `npm test`, others in every long run. */
const SEED = rounds(1, 0) === 1 ? { seed: 20_260_101 } : {};

describe.each(STORES_AT_LENGTH)("on %s", (store) => {
  let world: World;
  let check: AnswerCheck;
  let keepHub: () => Promise<void>;
  beforeAll(async () => {
    world = await World.start(store);
    check = AnswerCheck.of(world.cloud.app.routes);
    const { cloud, people } = world;
    const path = `/api/clients/${people.own.cli}/tokens`;
    const { token } = await cloud.good("POST", path, { token: people.tokens.account });
    // Requests for a hub go to a hub that is there.
    keepHub = await connectHub(cloud, token);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each([...ROUTES, ...Object.keys(OPEN)])("%s takes any input", async (route) => {
    const { cloud, people } = world;
    const { own, foreign } = people;
    await keepHub();
    // A log-out ends no other caller's session.
    const token = route.endsWith("/logout")
      ? (await cloud.home()).token
      : tokenFor(routeOf(cloud, route), people.tokens);
    const all = [own, ...Object.values(foreign)].flatMap((each) => Object.values(each));
    const words = [...all, aliasOf("hall", "dev"), aliasOf("hall", "zon"), people.home.id, token, "Switch.on"];
    const request = mutated(templateOf(cloud, route, world, token), words);
    await fc.assert(
      fc.asyncProperty(request, (wire) => answered(cloud, check, wire)),
      { numRuns: RUNS[store], ...SEED },
    );
  });
});

/** @throws Error that names what is wrong with the answer */
async function answered(cloud: TestCloud, check: AnswerCheck, wire: Wire): Promise<void> {
  const { method, url } = wire;
  const ask = () => cloud.send(wire);
  const { result, longestMs } = await longestStretch(ask);
  const { status, text, headers } = result;
  expect(status, text).toBeLessThan(500);
  // What calls the server here takes `..` out of a path, as every client does.
  const { pathname, search } = new URL(url, "http://localhost");
  const isPage = status < 400 && !/^\/(api\/|v\d|healthz|readyz)/.test(pathname);
  if (!isPage) check.check({ method, url: pathname + search, status, headers, text });
  if (longestMs <= MOST_MS) return;
  // Once, a compiler or a collector may have been at work; a slow request is slow every time.
  const again = [await longestStretch(ask), await longestStretch(ask), await longestStretch(ask)];
  expect(Math.min(...again.map((each) => each.longestMs)), "ms in which no other caller is served").toBeLessThanOrEqual(
    MOST_MS,
  );
}
