/**
 * Every error that a route lists is provoked, with every kind of credential that it can befall: on the real service, on either
 * store. A pair without a known cause fails, and so does one that is answered with anything else.
 */
import type { Reply } from "@porchlight/cloud/app.fixture.ts";
import type { Route } from "@porchlight/cloud/http/routing/route.ts";
import type { ErrorName } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STORES_AT_LENGTH, type StoreName } from "../cloud.ts";
import { type Document, type Place, placesOf, pointsOf } from "../isolation/places.ts";
import { Attempt } from "./attempt.ts";
import { CAUSES_OF_PAIRING } from "./causes-of-pairing.ts";
import { CAUSES_OF_REFERENCES } from "./causes-of-references.ts";
import { all, CAUSES_OF_REQUESTS, type Cause } from "./causes-of-requests.ts";
import { CAUSES_OF_ROUTES, CAUSES_OF_THE_COOKIE, NO_EDGE_ID, REFUSED_BY_HUB } from "./causes-of-routes.ts";
import { CONTRACT } from "./contract.ts";
import { documentedRoutes } from "./document.ts";
import { beginFor, NEVER } from "./hubs-that-pair.ts";
import { type Pair, pairsOf } from "./pairs.ts";
import { type Plenty, plenty } from "./plenty.ts";
import { type Full, full, type Stage, type Storeless, storeless, stuffed, unverified, usedUp } from "./stages.ts";

const CAUSES: Partial<Readonly<Record<ErrorName, Cause>>> = {
  ...CAUSES_OF_REQUESTS,
  ...CAUSES_OF_REFERENCES,
  ...CAUSES_OF_ROUTES,
  ...CAUSES_OF_PAIRING,
};

/** Routes of things that are counted. */
const COUNTED = [
  /^POST .api.[a-z]+(?:.capture|.:id.tokens|.:id.access|.:userCode.approve)?$/,
  /^PUT .api.zones.:id$/,
  /^PUT .api.devices.:id.services.:selector$/,
];

/** Requests within which a reserve is used up. */
const MORE_THAN_THE_RESERVE = 1_000;

interface Clouds {
  readonly plenty: Plenty;
  readonly usedUp: Stage;
  readonly full: Full;
  readonly stuffed: Stage;
  readonly storeless: Storeless;
  readonly unverified: Stage;
}

async function open(on: StoreName): Promise<Clouds> {
  const [lacksNothing, isUsedUp, isFull, isStuffed, isStoreless, isUnverified] = await Promise.all([
    plenty(on),
    usedUp(on),
    full(on),
    stuffed(on),
    storeless(on),
    unverified(on),
  ]);
  return {
    ...{ plenty: lacksNothing, usedUp: isUsedUp, full: isFull, stuffed: isStuffed, storeless: isStoreless },
    unverified: isUnverified,
  };
}

describe.each(STORES_AT_LENGTH)("on %s", (on) => {
  let clouds: Clouds;
  let pairs: readonly Pair[];
  let places: readonly Place[];
  const provoked = new Set<Pair>();
  let number = 0;
  const next = () => ++number;

  beforeAll(async () => {
    clouds = await open(on);
    const { cloud } = clouds.plenty;
    const routes: readonly Route[] = cloud.app.routes;
    pairs = pairsOf(await documentedRoutes(cloud));
    const document = (await cloud.good("GET", "/api/openapi.json")) as Document;
    places = placesOf(pointsOf(document, routes)).filter((place) => place.in !== "read back");
  });
  afterAll(async () => {
    for (const { cloud } of Object.values(clouds ?? {})) {
      cloud.storeFault.error = undefined;
      await cloud[Symbol.asyncDispose]();
    }
  });

  async function repliesTo(pair: Pair): Promise<readonly Reply[]> {
    const { route, error } = pair.listed;
    const here = places.filter((place) => place.route === route);
    await clouds.plenty.keepHub();
    const on = async <S extends Stage>(stage: S) => {
      const userCode = route.includes(":userCode") ? (await beginFor(route, stage.cloud)).userCode : undefined;
      return new Attempt(stage, { ...pair, places: here, userCode }, next);
    };
    switch (error) {
      case "Rate Limit Exceeded":
        // Refused too often at one address, it would be answered late.
        return all(
          new Attempt(clouds.usedUp, { ...pair, places: here, userCode: undefined }, next).send({
            headers: { "x-forwarded-for": `2001:db8:0:${next().toString(16)}::1` },
          }),
        );
      case "Address Not Verified":
        return all((await on(clouds.unverified)).send());
      case "Quota Exceeded":
        return [...(await withoutRoom(pair, on)), ...(await withoutPlace(route, on))];
      case "Service Unavailable":
        return withoutStore(
          new Attempt(clouds.storeless, { ...pair, places: here, userCode: NEVER }, next),
          clouds.storeless,
        );
      default: {
        const ofCookie = route === "POST /api/session/token" ? CAUSES_OF_THE_COOKIE[error] : undefined;
        const ofEdgeId = error === "Device Invalid" && route.includes(":edgeId") ? NO_EDGE_ID : undefined;
        const cause = ofCookie ?? ofEdgeId ?? CAUSES[error];
        if (!cause) throw new Error(`nobody knows how to provoke "${error}"`);
        return cause(await on(clouds.plenty));
      }
    }
  }

  /** Where the data of the account takes all the bytes that it may: of each route that declares that it is refused then. */
  async function withoutRoom({ listed }: Pair, on: <S extends Stage>(stage: S) => Promise<Attempt<S>>) {
    const routes: readonly Route[] = clouds.stuffed.cloud.app.routes;
    const whenFull = routes.find(({ method, path }) => `${method} ${path}` === listed.route)?.whenFull;
    if (whenFull === "refused") return all((await on(clouds.stuffed)).send());
    if (whenFull !== "reserve") return [];
    let reply = await (await on(clouds.stuffed)).send();
    for (let tries = 1; reply.body.title !== listed.error && tries < MORE_THAN_THE_RESERVE; tries++)
      reply = await (await on(clouds.stuffed)).send();
    return [reply];
  }

  /** Where there are as many of something as there may be. */
  async function withoutPlace(route: string, on: <S extends Stage>(stage: S) => Promise<Attempt<S>>) {
    if (route.includes("/admissions/")) return REFUSED_BY_HUB(await on(clouds.plenty));
    return COUNTED.some((counted) => counted.test(route)) ? beyond(await on(clouds.full)) : [];
  }

  it.each(Object.keys(CONTRACT))("%s answers every error that it lists", async (route) => {
    const faults: string[] = [];
    for (const pair of pairs) {
      if (pair.listed.route !== route) continue;
      const { error, status } = pair.listed;
      const what = `${status} ${error}, ${pair.kind}`;
      try {
        const replies = await repliesTo(pair);
        const others = replies.filter((reply) => reply.status !== status || reply.body.title !== error);
        faults.push(...others.map((reply) => `${what}: ${reply.status} ${reply.text}`));
        if (replies.length === 0) faults.push(`${what}: nothing was asked`);
        else if (others.length === 0) provoked.add(pair);
      } catch (fault) {
        faults.push(`${what}: ${fault instanceof Error ? fault.message : fault}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it("every route, error and kind of credential was provoked", () => {
    const left = pairs.filter((pair) => !provoked.has(pair));
    expect(left.map(({ listed, kind }) => `${listed.route}: ${listed.status} ${listed.error}, ${kind}`)).toEqual([]);
    expect(pairs.length).toBeGreaterThan(2_000);
  });

  it("without its store no route calls it an internal error, for known and for unknown callers", async () => {
    const { storeless } = clouds;
    for (const pair of pairs.filter(({ listed, kind }) => listed.error === "Service Unavailable" && kind !== "none")) {
      const tried = { ...pair, places: [], userCode: NEVER };
      const { status, text } = await new Attempt(storeless, tried, next).send();
      if (status >= 300) expect([pair.listed.route, status, text]).toEqual([pair.listed.route, 503, text]);
    }
  });
});

/** As many as there may be are there. */
function beyond(to: Attempt<Full>): Promise<readonly Reply[]> {
  const { home, own, away } = to.stage;
  if (to.route.endsWith("/:selector")) {
    const params = { id: away, selector: "LightColor.hue" };
    return all(to.send({ params, body: { value: 6 }, headers: { prefer: "respond-async" } }));
  }
  if (to.route === "POST /api/users/:id/access") return all(to.send({ body: { environmentId: home.environmentId } }));
  return all(to.send({ body: to.route.startsWith("PUT ") ? { items: [own.outerZon] } : to.ask().body }));
}

function withoutStore(to: Attempt<Stage>, { unseen }: Storeless): Promise<readonly Reply[]> {
  if (to.route === "POST /api/session/token")
    return all(to.send({ headers: { cookie: `porchlight=${unseen.account}` } }));
  return all(to.send(to.kind === "none" ? {} : { token: unseen[to.kind] }));
}
