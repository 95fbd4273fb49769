/**
 * Text that no store keeps and numbers that a double changes, in every place of a request that a client chooses: a field, a key, a query
 * parameter, a part of the path. The places are those of the routes and their schemas; each is refused by name, on both stores.
 */
import { AnswerCheck } from "@porchlight/cloud/http/answer-check.fixture.ts";
import { isStorable } from "@porchlight/shared/model";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectHub } from "../../parts/answering-hub.ts";
import { STORES } from "../cloud.ts";
import { OPEN, ROUTES } from "../isolation/asks.ts";
import { World } from "../isolation/world.ts";
import { type At, placesIn, type Template, variable } from "./mutation.ts";
import { routeOf, templateOf, tokenFor } from "./templates.ts";

const BAD_TEXTS = [String.raw`"a\u0000b"`, String.raw`"\ud800"`, String.raw`"\udfee\ud83c"`];
const BAD_NUMBERS = ["9007199254740993", "-9007199254740993", "1e400", "1e-400"];
/** Some fields take them; where they do, they are kept. */
const EXTREME_NUMBERS = ["9007199254740992", "1.7976931348623157e308", "-1.7976931348623157e308", "1e-323"];
const BAD_MEMBERS = [String.raw`"\u0000":1`, String.raw`"\ud800":{}`];
const IN_URL = ["%00", "a%00b", "%ED%A0%80", "%F0%9F%8F"];
const NAMES = ["Body Parameters Invalid", "Metadata Format Invalid", "Alias Invalid"];

describe.each(STORES)("on %s", (store) => {
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
  beforeEach(() => keepHub());
  afterAll(() => world[Symbol.asyncDispose]());

  /** @param path of the template, unless it is another @throws when the answer is no answer of the document */
  async function send(of: Template, body: string | undefined, path = of.path) {
    const headers = { ...of.headers, ...(body !== undefined && { "content-type": "application/json" }) };
    const wire = { method: of.method, url: path, headers, ...(body !== undefined && { body }) };
    const { status, text, headers: received } = await world.cloud.send(wire);
    expect(status, `${of.method} ${path} ${body} ${text}`).toBeLessThan(500);
    check.check({ method: of.method, url: path, status, headers: received, text });
    return { status, body: text === "" ? {} : JSON.parse(text) };
  }

  function template(route: string): Template {
    const { cloud, people } = world;
    return templateOf(cloud, route, world, tokenFor(routeOf(cloud, route), people.tokens));
  }

  it.each([...ROUTES, ...Object.keys(OPEN)])("%s refuses every value that it could not keep", async (route) => {
    const of = template(route);
    const fields = of.fields.map((field): At => [field]);
    for (const at of of.body ? [...fields, ...placesIn(of.body(0), [])] : []) {
      for (const raw of [...BAD_TEXTS, ...BAD_NUMBERS]) {
        const { status, body } = await send(of, withValue(of, at, raw));
        expect([status, NAMES.includes(body.title)], `${at.join("/")} ${raw} ${body.title}`).toEqual([400, true]);
        expect(body.errors[0].pointer).toBe(`/${at.join("/")}`);
      }
    }
    for (const member of of.body ? BAD_MEMBERS : []) {
      const { status, body } = await send(of, withMember(of, member));
      expect([status, body.title]).toEqual([400, "Body Parameters Invalid"]);
      expect(isStorable(JSON.stringify(body))).toBe(true);
    }
    for (const name of of.query) {
      for (const text of IN_URL) {
        const { status, body } = await send(of, bodyOf(of), `${of.path}?${name}=${text}`);
        if (text.includes("%00")) expect([status, body.title]).toEqual([400, "Query Parameter Invalid"]);
      }
    }
    for (const at of variable(of.path)) {
      for (const text of IN_URL) await send(of, bodyOf(of), of.path.split("/").with(at, text).join("/"));
    }
  });

  it.each([...ROUTES, ...Object.keys(OPEN)].filter((route) => !route.startsWith("DELETE")))(
    "%s takes the largest and the smallest numbers, or refuses them by name",
    async (route) => {
      const of = template(route);
      for (const at of of.body ? placesIn(of.body(0), []) : [])
        for (const raw of EXTREME_NUMBERS) await send(of, withValue(of, at, raw));
    },
  );
});

const bodyOf = (of: Template) => (of.body ? JSON.stringify(of.body(0)) : undefined);

/** The body with this JSON at that place. */
function withValue(of: Template, at: At, raw: string): string {
  const body = structuredClone(of.body?.(0) ?? {});
  const parent = at.slice(0, -1).reduce<unknown>((value, step) => Reflect.get(Object(value), step), body);
  Reflect.set(Object(parent), at.at(-1) ?? "", "HERE");
  return JSON.stringify(body).replace('"HERE"', () => raw);
}

/** The body with this member before all others. */
function withMember(of: Template, member: string): string {
  const json = JSON.stringify(of.body?.(0) ?? {});
  return json.replace("{", () => `{${member}${json === "{}" ? "" : ","}`);
}
