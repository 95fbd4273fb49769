/** Who may ask at all: every route under every credential that is none, has ended, or is of another kind; and what a refusal leaves. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rounds } from "../../parts/rounds.ts";
import { STORES } from "../cloud.ts";
import { type Ask, askOf, OPEN, openAsk, routesRefusing } from "./asks.ts";
import type { Belongings } from "./belongings.ts";
import { type Document, namedKind, type Place, placesOf, pointsOf } from "./places.ts";
import { CALLERS } from "./population.ts";
import { type Seen, World } from "./world.ts";

/** IDs of strangers' objects, living and gone, that a refusal is asked with. */
const FOREIGN = rounds(1, Number.POSITIVE_INFINITY);

describe.each(STORES)("on %s", (store) => {
  let world: World;
  let places: Place[];
  beforeAll(async () => {
    world = await World.start(store);
    const document: Document = await world.cloud.good("GET", "/api/openapi.json");
    places = placesOf(pointsOf(document, world.cloud.app.routes));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const routeOf = (route: string) => world.cloud.app.routes.find(({ method, path }) => `${method} ${path}` === route);

  /** The row of a route with own, foreign, gone and never-issued IDs in each place of an ID. */
  function asksOf(route: string): Ask[] {
    const { own, foreign } = world.people;
    const asks = [askOf(route, own, 0)];
    for (const place of places.filter((each) => each.route === route)) {
      const kind = namedKind(place.kind);
      const theirs = Object.values<Belongings>(foreign).map((each) => each[kind]);
      for (const id of [...theirs.slice(0, FOREIGN), world.never(kind)]) asks.push(askOf(route, own, 0, place, id));
    }
    return asks;
  }

  /** What all of the asks get. @throws Error when one gets something else than the others */
  async function alike(asks: readonly Ask[], token: string | undefined): Promise<Seen> {
    const [first, ...others] = asks;
    if (!first) throw new Error("there is nothing to ask");
    const seen = await world.see(first, token);
    for (const other of others) expect(await world.see(other, token), other.url).toEqual(seen);
    return seen;
  }

  describe.each(routesRefusing(store))("%s", (route) => {
    it("refuses every credential that is none or has ended, on each route, and changes nothing", async () => {
      for (const [what, [token, title]] of Object.entries(world.people.bad)) {
        const { status, title: got, headers } = await alike(asksOf(route), token);
        expect([what, status, got, headers["www-authenticate"]]).toEqual([what, 401, title, "Bearer"]);
      }
      await world.requireUnchanged(route);
    });

    it("refuses every kind of token that it does not take, on each route, and changes nothing", async () => {
      const taken: readonly string[] = routeOf(route)?.tokens ?? [];
      const kinds = [...CALLERS, "client"] as const;
      const wrong = kinds.filter((kind) => !taken.includes(kind === "authentication" ? "account" : kind));
      for (const kind of wrong) {
        const { status, title, statements } = await alike(asksOf(route), world.people.tokens[kind]);
        expect([kind, status, title, statements]).toEqual([kind, 403, "Token Type Not Allowed", []]);
      }
      expect(wrong).toContain("client");
      await world.requireUnchanged(route);
    });
  });

  it.each(Object.keys(OPEN))("%s is the same for all callers, with any credential and with none", async (route) => {
    const ask = openAsk(route);
    const { bad, tokens } = world.people;
    // Letters go out by themselves meanwhile.
    const answer = async (token?: string) => ({ ...(await world.see(ask, token)), statements: [] });
    const anybody = await answer();
    for (const token of [...Object.values(bad).map(([each]) => each), ...Object.values(tokens)])
      expect(await answer(token)).toEqual(anybody);
    if (anybody.status !== 202) await world.requireUnchanged(route);
  });
});
