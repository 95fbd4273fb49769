/** Values that are no ID and are good for one owner only: continuation tokens, entity tags, idempotency keys. And the answers to their owner. */
import { exportIn, startExport } from "@porchlight/cloud/exports/exports.fixture.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectHub } from "../../parts/answering-hub.ts";
import { casesOf, rounds } from "../../parts/rounds.ts";
import { STORES_AT_LENGTH } from "../cloud.ts";
import { CONTRACT } from "../errors/contract.ts";
import { type Ask, askOf, ROUTES } from "./asks.ts";
import { type Belongings, beginCodes, furnish } from "./belongings.ts";
import { type Document, OWNERS_OWN, type Place, type Point, placesOf, pointsOf } from "./places.ts";
import { CALLERS, type CallerName } from "./population.ts";
import { World } from "./world.ts";

const CONTINUED = Object.keys(CONTRACT).filter((route) => CONTRACT[route]?.query?.includes("continuationToken"));
const LOG = "GET /api/event-log";
const ACTIVITY = "GET /api/activity";
/** An account with several ecosystems names the one whose events it wants. */
const OF_ONE_ECOSYSTEM = ["GET /api/events", LOG, ACTIVITY];
/** Of those that have to name it anyway. */
const FILTERS: Readonly<Record<string, string>> = { [LOG]: "types=zone.*", [ACTIVITY]: "stepMinutes=2" };
const MAKES_NOTHING = /\/(logout|approve|deny|call|webhooks\/:id|sink\/test)$/;
/** Asked of a hub. */
const OF_HUB = /\/clients\/:id\/(drivers|admissions|setups|status|doctor|logs|backups|restart)/;
const ONLY_BEGINS = /\/(test|redeliver|replay|restart|export)$/;

const TAGS = casesOf(['"1"', "*"], ['"2"', '"999"', "nonsense"]);
/** Of the tokens of other routes one in so many is tried with each route. */
const OF_OTHER_ROUTES = rounds(8, 1);

describe.each(STORES_AT_LENGTH)("on %s", (store) => {
  let world: World;
  /** By the client, what keeps its hub connected. */
  const hubs = new Map<string, () => Promise<void>>();
  let points: Point[];
  let places: Place[];
  beforeAll(async () => {
    world = await World.start(store);
    const document: Document = await world.cloud.good("GET", "/api/openapi.json");
    points = pointsOf(document, world.cloud.app.routes);
    places = placesOf(points);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const routesWith = (name: (typeof OWNERS_OWN)[number]) =>
    points.filter((point) => point.name === name).map(({ route }) => route);
  const pathPlace = (route: string) => places.find((place) => place.route === route && place.in === "path");
  /** What all callers get has an entity tag too, and belongs to none. */
  const isSameForAll = (route: string) =>
    world.cloud.app.routes.some((each) => `${each.method} ${each.path}` === route && each.isSameForAll);
  const callersOf = (route: string): CallerName[] => {
    const kinds = world.cloud.app.routes.find(({ method, path }) => `${method} ${path}` === route)?.tokens ?? [];
    return CALLERS.filter((name) => kinds.some((kind) => kind === (name === "authentication" ? "account" : name)));
  };

  it("every route is tried with everything that its requests can carry", () => {
    expect(OWNERS_OWN.filter((name) => routesWith(name).length === 0)).toEqual([]);
    expect(routesWith("continuationToken").toSorted()).toEqual(CONTINUED.toSorted());
  });

  it("a continuation token is good for no other caller, no other path and no other filter, and all get the same answer", async () => {
    const { people } = world;
    const made: { readonly by: string; readonly route: string; readonly url: string; readonly token: string }[] = [];
    const owners: readonly (readonly [CallerName | "stranger", Belongings])[] = [
      ...CALLERS.map((name) => [name, people.own] as const),
      ["stranger", (people.foreign as Readonly<Record<string, Belongings>>).living ?? people.own],
    ];
    for (const route of routesWith("continuationToken")) {
      for (const [by, has] of owners) {
        if (by !== "stranger" && !callersOf(route).includes(by)) continue;
        const url = pagesOf(route, has);
        const { body } = await world.cloud.call("GET", `${url}pageSize=1`, { token: people.tokens[by] });
        if (body.continuationToken) made.push({ by, route, url, token: body.continuationToken });
      }
    }
    const isMade = (route: string, by: "stranger" | "account") =>
      made.some((each) => each.route === route && each.by === by);
    const unmade = routesWith("continuationToken").filter(
      (route) => !isMade(route, "stranger") || !isMade(route, "account"),
    );
    expect(unmade).toEqual([]);
    for (const [turn, route] of routesWith("continuationToken").entries()) {
      const tried = made.filter((each, at) => each.route === route || at % OF_OTHER_ROUTES === turn % OF_OTHER_ROUTES);
      for (const caller of callersOf(route)) {
        const url = pagesOf(route, people.own);
        const ask = (token: string): Ask => ({
          method: "GET",
          url: `${url}continuationToken=${encodeURIComponent(token)}`,
        });
        const own = made.find((each) => each.route === route && each.by === caller);
        const never = await world.see(ask("nonsense"), people.tokens[caller], ["nonsense"]);
        expect([route, caller, never.status, never.title]).toEqual([route, caller, 400, "Continuation Token Invalid"]);
        for (const { by, url: from, token } of tried) {
          // An account is one principal, with any of its tokens.
          const isMine = from === url && accountOf(by) === accountOf(caller);
          const seen = await world.see(ask(token), people.tokens[caller], [token]);
          if (isMine) expect([route, caller, by, seen.status]).toEqual([route, caller, by, 200]);
          else expect([route, caller, by, from, seen]).toEqual([route, caller, by, from, never]);
        }
        if (own && routeTakes(points, route, "ecosystemId")) {
          const filter = FILTERS[route] ?? `ecosystemId=${people.own.eco}`;
          const filtered = { method: "GET", url: `${ask(own.token).url}&${filter}` } as const;
          expect(await world.see(filtered, people.tokens[caller], [own.token])).toEqual(never);
        }
      }
    }
    await world.requireUnchanged("pages");
  });

  it("an entity tag of another account's object discloses nothing of it", async () => {
    for (const header of ["if-match", "if-none-match"] as const) {
      for (const route of routesWith(header)) {
        if (isSameForAll(route)) continue;
        const place = pathPlace(route);
        if (!place || place.kind === "item" || place.kind === "target") throw new Error(`${route} names nothing`);
        for (const caller of callersOf(route)) {
          for (const tag of TAGS) {
            const see = (id: string) =>
              world.see(
                { ...askOf(route, world.people.own, 0, place, id), headers: { [header]: tag } },
                world.people.tokens[caller],
                [id],
              );
            const never = await see(world.never(place.kind));
            expect([route, never.status]).toEqual([route, 400]);
            for (const [state, theirs] of world.outOfReach(caller))
              expect([route, state, tag, await see(theirs[place.kind])]).toEqual([route, state, tag, never]);
          }
        }
      }
    }
    await world.requireUnchanged("entity tags");
  });

  it("a write of an own object with another object's tag leaves it as it is", async () => {
    for (const route of routesWith("if-match")) {
      for (const caller of callersOf(route)) {
        const ask = { ...askOf(route, world.people.own, 0), headers: { "if-match": '"999"' } };
        const { status, title } = await world.see(ask, world.people.tokens[caller]);
        // The last ecosystem goes with no tag at all, and the tag is asked first.
        expect([route, caller, status, title]).toEqual([route, caller, 412, "Precondition Failed"]);
      }
    }
    await world.requireUnchanged("tags that do not match");
  });

  it("an idempotency key makes no ID known, and a key of one principal has no effect for another", async () => {
    for (const route of routesWith("idempotency-key")) {
      const place = places.find((each) => each.route === route && each.in !== "read back");
      for (const caller of callersOf(route)) {
        if (!place || place.kind === "item" || place.kind === "target") continue;
        const { kind } = place;
        const see = async (id: string) => {
          const ask = askOf(route, world.people.own, 0, place, id);
          const headers = { "idempotency-key": `key ${route} ${caller} ${id}` };
          const { status, text } = await world.cloud.call(ask.method, ask.url, {
            token: world.people.tokens[caller],
            ...(ask.body && { body: ask.body }),
            headers: { ...headers, "x-request-id": "isolation" },
          });
          return [status, text.replaceAll(id, "…")];
        };
        const never = await see(world.never(kind));
        expect([route, never[0]]).toEqual([route, 400]);
        for (const [state, theirs] of world.outOfReach(caller))
          expect([route, state, await see(theirs[kind])]).toEqual([route, state, never]);
      }
    }
    const key = { "idempotency-key": "the same for all" };
    const { people, cloud } = world;
    const answers = [];
    for (const name of ["stranger", "account", "server"] as const)
      answers.push(await cloud.call("POST", "/api/ecosystems", { token: people.tokens[name], body: {}, headers: key }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 403]);
    expect(answers.map(({ headers }) => headers["idempotent-replayed"])).toEqual([undefined, undefined, undefined]);
    expect(answers[0]?.body.id).not.toBe(answers[1]?.body.id);
    // The other rows are refusals under the asker's own keys.
    await world.accept();
  });

  it.each(ROUTES)("%s works for its owner", async (route) => {
    const { cloud, people } = world;
    for (const caller of callersOf(route)) {
      const token = people.tokens[caller];
      const isOver = /logout|\/api\/account$/.test(route) && !route.startsWith("GET");
      const guest = isOver && route !== "PUT /api/account" ? await cloud.home() : undefined;
      // Deletions get an object of their own.
      const isEcosystem = route === "DELETE /api/ecosystems/:id";
      const eco = isEcosystem
        ? (await cloud.good("POST", "/api/ecosystems", { token: people.tokens.account, body: {} })).id
        : people.own.eco;
      const word = `new ${world.count}`;
      const own = route.startsWith("DELETE") && !guest ? await furnish(cloud, people.home, eco, word) : people.own;
      if (caller === "user" && own !== people.own) {
        const body = { environmentId: own.env };
        const { userId } = await cloud.good("GET", "/api/token", { token });
        await cloud.good("POST", `/api/users/${userId}/access`, { token: people.tokens.account, body });
      }
      if (OF_HUB.test(route)) {
        const path = `/api/clients/${own.cli}/tokens`;
        const tokenOfHub = () => cloud.good("POST", path, { token: people.tokens.account });
        const keep = hubs.get(own.cli) ?? (await connectHub(cloud, (await tokenOfHub()).token));
        hubs.set(own.cli, keep);
        await keep();
      }
      if (route.endsWith("/export/archive")) {
        await startExport(cloud, { token, password: people.home.password });
        await exportIn(cloud, { token }, "ready");
      }
      const hub = route.includes(":userCode") && (await beginCodes(cloud));
      // An account with several ecosystems names the one whose events it wants.
      const place = places.find(
        (each) => each.route === route && each.name === "ecosystemId" && OF_ONE_ECOSYSTEM.includes(route),
      );
      const { method, url, body } = askOf(route, { ...own, ...hub }, world.count, place, own.eco);
      const reply = await cloud.call(method, url, { token: guest?.token ?? token, ...(body && { body }) });
      const made = ONLY_BEGINS.test(route) ? 202 : 201;
      const status = method === "POST" && !MAKES_NOTHING.test(route) ? made : 200;
      expect([caller, reply.status, reply.status < 300 ? "" : reply.text]).toEqual([caller, status, ""]);
    }
  });
});

/** Where a collection is, as far as its paging. */
function pagesOf(route: string, own: Belongings): string {
  // Of a class with two properties there are two series, and so a second page.
  const url = askOf(route, own, 0).url.replace(/\/Switch\.on\/history$/, "/LightColor/history");
  // A reading of tokens is recorded.
  if (route === "GET /api/servers/:id/tokens") return `${url}?reveal=false&`;
  return Object.hasOwn(FILTERS, route) ? `${url}?ecosystemId=${own.eco}&` : `${url}?`;
}

function accountOf(name: string): string {
  return name === "authentication" ? "account" : name;
}

function routeTakes(points: readonly Point[], route: string, name: string): boolean {
  return points.some((point) => point.route === route && point.in === "query" && point.name === name);
}
