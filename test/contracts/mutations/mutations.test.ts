/**
 * Whatever is wrong with a request: never a 5xx, never an error that is no problem of the document's, and nobody else is kept
 * waiting. Every route, from a good request in which one to three things are changed.
 */
import type { TestCloud, Wire } from "@porchlight/cloud/app.fixture.ts";
import { AnswerCheck } from "@porchlight/cloud/http/answer-check.fixture.ts";
import type { Route } from "@porchlight/cloud/http/routing/route.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectHub } from "../../parts/answering-hub.ts";
import { rounds } from "../../parts/rounds.ts";
import { STORES_AT_LENGTH, type StoreName } from "../cloud.ts";
import { askOf, OPEN, openAsk, ROUTES } from "../isolation/asks.ts";
import { aliasOf } from "../isolation/belongings.ts";
import { World } from "../isolation/world.ts";
import { mutated, type Template } from "./mutation.ts";
import { longestStretch } from "./stretch.ts";

/** What the loop may be kept busy with one request, ms. */
const MOST_MS = 50;
const RUNS: Readonly<Record<StoreName, number>> = { SQLite: rounds(30, 3_000), PostgreSQL: rounds(20, 600) };
/** The same mutations in every `npm test`, others in every long run. */
const SEED = rounds(1, 0) === 1 ? { seed: 20_260_101 } : {};

/** More to change than the least that a route takes. */
const FULL: Readonly<Record<string, object>> = {
  "POST /api/devices": {
    services: [
      {
        service: "LightColor",
        index: "0",
        properties: [{ property: "hue", type: "number", min: 0, max: 360, unit: "deg", value: 5 }, "saturation"],
      },
      {
        service: "Dial",
        properties: [{ property: "turns", type: "integer", step: 1, values: [1, 2], access: ["read", "write"] }],
      },
    ],
  },
  "PUT /api/account": { email: "new@example.com", currentPassword: "not the password" },
  "DELETE /api/account": { currentPassword: "not the password" },
};

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
    // What is asked of a hub is asked of one that is there.
    keepHub = await connectHub(cloud, token);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each([...ROUTES, ...Object.keys(OPEN)])("%s takes whatever comes", async (route) => {
    const { cloud, people } = world;
    const { own, foreign } = people;
    await keepHub();
    // What a log-out ends is nobody else's.
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

function routeOf({ app }: TestCloud, route: string): Route {
  const found = app.routes.find(({ method, path }) => `${method} ${path}` === route);
  if (!found) throw new Error(`there is no ${route}`);
  return found;
}

function tokenFor({ tokens }: Route, has: World["people"]["tokens"]): string {
  return tokens?.includes("user") ? has.user : tokens?.includes("server") ? has.server : has.account;
}

function templateOf(cloud: TestCloud, route: string, { people }: World, token: string): Template {
  const { body: rule, query } = routeOf(cloud, route);
  const ask = (count: number) => (route in OPEN ? openAsk(route) : askOf(route, people.own, count));
  const { method, url } = ask(0);
  const headers = {
    authorization: `Bearer ${token}`,
    // So that what must be mutated again is not deleted by the first request that is good after all.
    ...(method === "DELETE" && { "if-match": '"999"' }),
  };
  const fields = rule ? [...Object.keys(rule.schema.shape), ...(rule.readOnly ?? []), ...(rule.ignored ?? [])] : [];
  const body = (count: number) => ({
    ...ask(count).body,
    ...(fields.includes("alias") && { alias: `alias ${count}` }),
    ...(fields.includes("meta") && { meta: { floor: 1, "$.name": "Hall", tags: ["a", { b: null }] } }),
    ...structuredClone(FULL[route]),
  });
  return { method, path: url, headers, body: rule && body, fields, query };
}

/** @throws Error that says what is wrong with the answer */
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
  // Once, a compiler or a collector may have been at work; what is slow by itself is so every time.
  const again = [await longestStretch(ask), await longestStretch(ask), await longestStretch(ask)];
  expect(Math.min(...again.map((each) => each.longestMs)), "ms in which nobody else is served").toBeLessThanOrEqual(
    MOST_MS,
  );
}
