/** Another account's ID, in each place of a request, is answered as one that was never issued: the same bytes after the same look-ups. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STORES } from "../cloud.ts";
import { askOf, OPEN, ROUTES, routesRefusing } from "./asks.ts";
import { aliasOf, type Belongings, type Kind } from "./belongings.ts";
import { type Document, namedKind, type Place, placesOf, pointsOf } from "./places.ts";
import { CALLERS, type CallerName } from "./population.ts";
import { type Seen, World } from "./world.ts";

/** The answer to a never-issued ID, by kind. */
const TITLES: Readonly<Record<Place["kind"], string>> = {
  eco: "Ecosystem Invalid",
  env: "Environment Invalid",
  zon: "Zone Invalid",
  dev: "Device Invalid",
  usr: "User Invalid",
  srv: "Server Invalid",
  cli: "Client Invalid",
  cmd: "Command Invalid",
  whk: "Webhook Invalid",
  dlv: "Delivery Invalid",
  acs: "Access Entry Invalid",
  usrTok: "Token Invalid",
  srvTok: "Token Invalid",
  cliTok: "Token Invalid",
  login: "Token Invalid",
  scn: "Scene Invalid",
  item: "Zone Item Invalid",
  target: "Scene Item Invalid",
};

/** Containers from the outside in; the named object is the last. */
const CHAINS: Partial<Readonly<Record<Place["kind"], readonly (readonly (Kind | "outerZon")[])[]>>> = {
  env: [["eco", "env"]],
  zon: [
    ["eco", "env", "zon"],
    ["outerZon", "zon"],
  ],
  dev: [
    ["eco", "env", "dev"],
    ["eco", "env", "outerZon", "zon", "dev"],
  ],
  item: [
    ["eco", "env", "dev"],
    ["outerZon", "zon"],
  ],
  target: [
    ["eco", "env", "dev"],
    ["outerZon", "zon"],
  ],
  scn: [["eco", "env", "scn"]],
  usr: [["eco", "usr"]],
  srv: [["eco", "srv"]],
  cli: [
    ["eco", "env", "cli"],
    ["eco", "cli"],
  ],
};

describe.each(STORES)("on %s", (store) => {
  let world: World;
  let places: Place[];
  const of = (route: string) => places.filter((place) => place.route === route);
  const callersOf = (route: string): CallerName[] => {
    const [method, path] = route.split(" ");
    const kinds = world.cloud.app.routes.find((each) => each.method === method && each.path === path)?.tokens ?? [];
    return CALLERS.filter((name) => kinds.some((kind) => kind === (name === "authentication" ? "account" : name)));
  };
  beforeAll(async () => {
    world = await World.start(store);
    const document: Document = await world.cloud.good("GET", "/api/openapi.json");
    places = placesOf(pointsOf(document, world.cloud.app.routes));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it("every route of the document has its row here, and every row has its route", () => {
    const routes = world.cloud.app.routes;
    const closed = routes.filter(({ tokens }) => tokens !== undefined).map(({ method, path }) => `${method} ${path}`);
    const open = routes.filter(({ tokens }) => tokens === undefined).map(({ method, path }) => `${method} ${path}`);
    expect([...ROUTES].sort()).toEqual(closed.sort());
    expect(Object.keys(OPEN).sort()).toEqual(open.sort());
  });

  const ask = (caller: CallerName, place: Place, text: string, word: string): Promise<Seen> =>
    world.see(askOf(place.route, world.people.own, 0, place, text), world.people.tokens[caller], [word]);
  /** As a never-issued one is answered once the rest of the request is known without the store. */
  const settled = async (asked: () => Promise<Seen>): Promise<Seen> => {
    await asked();
    return asked();
  };

  describe.each(routesRefusing(store))("%s", (route) => {
    it("discloses nothing of another account's ID", async () => {
      const faults: string[] = [];
      for (const place of of(route)) {
        for (const caller of callersOf(route)) {
          const unknown = world.never(place.kind);
          const never = await settled(() => ask(caller, place, unknown, unknown));
          if (!isRefusal(place, never))
            faults.push(`${nameOf(place, caller)}, never issued: ${never.status} ${never.text}`);
          for (const [state, theirs] of world.outOfReach(caller)) {
            for (const id of idsAt(place, theirs)) {
              const seen = await ask(caller, place, id, id);
              faults.push(...differences(seen, never).map((each) => `${nameOf(place, caller)}, ${state}: ${each}`));
            }
          }
        }
      }
      await world.requireUnchanged(route);
      expect(faults).toEqual([]);
    });

    it("discloses nothing of another account's ID or alias in any part of a reference", async () => {
      const faults: string[] = [];
      const { own } = world.people;
      for (const place of of(route)) {
        // Written values are compared, not resolved.
        if (place.in === "read back") continue;
        for (const caller of callersOf(route).filter((name) => name !== "authentication")) {
          for (const chain of CHAINS[place.kind] ?? []) {
            const parts = chain.map((kind) => own[kind]);
            const compare = async (at: number, unknown: string, known: readonly (readonly [string, string])[]) => {
              const put = (text: string) => parts.with(at, text).join(";");
              const never = await settled(() => ask(caller, place, put(unknown), unknown));
              const where = `${nameOf(place, caller)}, part ${at} of ${chain.join(";")}`;
              if (never.status !== 400 && never.status !== 404) faults.push(`${where}: ${never.status} ${never.text}`);
              for (const [state, text] of known) {
                const seen = await ask(caller, place, put(text), text);
                faults.push(...differences(seen, never).map((each) => `${where}, ${state}: ${each}`));
              }
            };
            const theirs = world.outOfReach(caller);
            for (const [at, kind] of chain.entries()) {
              await compare(
                at,
                world.never(kind),
                theirs.map(([state, has]) => [state, has[kind]]),
              );
            }
            const named = chain.at(-1);
            if (named === undefined || named === "outerZon") continue;
            await compare(chain.length - 1, aliasOf("void", named), [
              ["alias of a stranger's", aliasOf("loft", named)],
              ["alias of what is gone", aliasOf("yard", named)],
            ]);
          }
        }
      }
      await world.requireUnchanged(route);
      expect(faults).toEqual([]);
    });

    it("denies a user every object in an environment without access, living or gone", async () => {
      const faults: string[] = [];
      if (!callersOf(route).includes("user")) return;
      const { closed, own, tokens } = world.people;
      for (const place of of(route).filter((each) => each.in !== "read back" && each.kind !== "eco")) {
        for (const [state, theirs] of Object.entries(closed)) {
          for (const id of idsAt(place, theirs)) {
            const seen = await ask("user", place, id, id);
            if (seen.title !== "Access Denied")
              faults.push(`${nameOf(place, "user")}, ${state}: ${seen.status} ${seen.text}`);
          }
        }
        const id = own[namedKind(place.kind)];
        const none = await world.see(askOf(route, own, 0, place, id), tokens["user without access"], [id]);
        if (none.title !== "Access Denied")
          faults.push(`${nameOf(place, "user without access")}: ${none.status} ${none.text}`);
      }
      await world.requireUnchanged(route);
      expect(faults).toEqual([]);
    });
  });
});

function nameOf({ in: where, name }: Place, caller: string): string {
  return `${caller}, ${where} ${name}`;
}

function idsAt({ kind }: Place, theirs: Belongings): string[] {
  return kind === "item" || kind === "target" ? [theirs.zon, theirs.dev] : [theirs[kind]];
}

/** Whether that is the contract's answer to an ID that was never issued. */
function isRefusal(place: Place, { status, title, text }: Seen): boolean {
  // A filter by token selects by the past: of a token without requests there are none.
  if (place.in === "query" && place.name === "tokenId") return status === 200 && text === '{"items":[]}';
  if (place.in === "read back") return status === 400 && title === "Body Parameters Invalid";
  return status === 400 && title === TITLES[place.kind];
}

function differences(seen: Seen, never: Seen): string[] {
  const fields = ["status", "headers", "text", "statements"] as const;
  return fields
    .filter((field) => JSON.stringify(seen[field]) !== JSON.stringify(never[field]))
    .map(
      (field) => `${field}: ${JSON.stringify(seen[field])} for a never-issued one's ${JSON.stringify(never[field])}`,
    );
}
