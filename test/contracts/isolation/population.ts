/** Who lives in the world of these tests: two accounts, what a third has left, their callers, and credentials that are none. */

import type { Home, TestCloud } from "@porchlight/cloud/app.fixture.ts";
import type { Store } from "@porchlight/cloud/store/index.ts";
import { seededRandom, settle } from "@porchlight/shared/kernel";
import { makeToken } from "@porchlight/shared/rest";
import { type Belongings, beginCodes, furnish, logIn, takeAway } from "./belongings.ts";

/** Kinds of credential that routes take. */
export const CALLERS = ["account", "authentication", "server", "user"] as const;
export type CallerName = (typeof CALLERS)[number];

export interface Population {
  readonly home: Home;
  readonly stranger: Home;
  readonly tokens: Readonly<Record<CallerName | "user without access" | "stranger" | "client", string>>;
  /** Credentials that are none, with the name of the error that each gets. */
  readonly bad: Readonly<Record<string, readonly [token: string | undefined, title: string]>>;
  /** What the callers have: the user has an entry for its environment. */
  readonly own: Belongings;
  /** In environments of the same ecosystem for which the user has no entry. */
  readonly closed: Readonly<Record<string, Belongings>>;
  /** What no caller may see. */
  readonly foreign: Readonly<Record<string, Belongings>>;
  /** In another ecosystem of the account: out of reach for a server and a user. */
  readonly beside: Readonly<Record<string, Belongings>>;
}

/** Longer than a log-in lasts that must not be kept, ms. */
const LONG = 14 * 3_600_000;

/** @param store the cloud's, seen from beside it */
export async function populate(cloud: TestCloud, store: Store): Promise<Population> {
  const [home, stranger, leaver] = [await cloud.home(), await cloud.home(), await cloud.home()];
  const ended = await endedCredentials(cloud, home);
  const erased = await furnish(cloud, leaver, leaver.ecosystemId, "attic");
  await cloud.good("DELETE", "/api/account", { token: leaver.token, body: { currentPassword: leaver.password } });
  const swept = await goneEcosystem(cloud, stranger);
  const gone = await goneObjects(cloud, stranger, stranger.ecosystemId, swept);
  cloud.clock.jumpWall(LONG);
  await sweepAll(cloud, store);

  const eco = home.ecosystemId;
  const own = await furnish(cloud, home, eco, "hall");
  const post = async (path: string, body?: object, token = home.token) =>
    cloud.good("POST", path, { token, ...(body && { body }) });
  const besideEco = (await post("/api/ecosystems", {})).id;
  const besideGone = await goneEcosystem(cloud, home);
  const beside = await furnish(cloud, home, besideEco, "barn");
  const userOf = async (environmentIds: readonly string[]) => {
    const { id } = await post("/api/users", { key: `caller ${environmentIds.length}`, ecosystemId: eco });
    for (const environmentId of environmentIds) await post(`/api/users/${id}/access`, { environmentId });
    return (await post(`/api/users/${id}/tokens`)).token as string;
  };
  const { items } = await cloud.good("GET", `/api/servers/${own.srv}/tokens`, { token: home.token });
  const tokens = {
    account: home.token,
    authentication: (await logIn(cloud, home, { console: true })).token,
    server: String(items[0].token),
    user: await userOf([own.env]),
    "user without access": await userOf([]),
    client: (await post(`/api/clients/${own.cli}/tokens`)).token as string,
    stranger: stranger.token,
  };
  const closed = {
    "living, without access": await furnish(cloud, home, eco, "safe"),
    "gone, without access": await goneEnvironment(cloud, home, eco, "cave"),
  };
  const living = await furnish(cloud, stranger, stranger.ecosystemId, "loft");
  await furnish(cloud, stranger, stranger.ecosystemId, "pier");
  await post("/api/ecosystems", {}, stranger.token);
  // What a caller has asked for is remembered: that is to make no difference to others.
  for (const path of [`environments/${living.env}`, `zones/${living.zon}`, `devices/${living.dev}`])
    await cloud.good("GET", `/api/${path}`, { token: stranger.token });
  const foreign = {
    living: living,
    gone: gone,
    "in a gone environment": await goneEnvironment(cloud, stranger, stranger.ecosystemId, "yard"),
    "in a gone ecosystem": await goneEcosystem(cloud, stranger),
    "gone and swept": swept,
    "of an account that is erased": erased,
  };
  await sweepAll(cloud, store);
  const other = { "living, of another ecosystem": beside, "gone, of another ecosystem": besideGone };
  return {
    home,
    stranger,
    tokens,
    bad: { ...ended, ...neverMade() },
    own: { ...own, ...(await beginCodes(cloud)) },
    closed,
    foreign,
    beside: other,
  };
}

async function goneObjects(cloud: TestCloud, home: Home, eco: string, goneEco: Belongings): Promise<Belongings> {
  const what = await furnish(cloud, home, eco, "shed");
  await takeAway(cloud, home, what);
  return { ...what, eco: goneEco.eco };
}

async function goneEnvironment(cloud: TestCloud, home: Home, eco: string, word: string): Promise<Belongings> {
  const what = await furnish(cloud, home, eco, word);
  await cloud.good("DELETE", `/api/environments/${what.env}`, { token: home.token });
  return what;
}

async function goneEcosystem(cloud: TestCloud, home: Home): Promise<Belongings> {
  const { token } = home;
  const { id } = await cloud.good("POST", "/api/ecosystems", { token, body: {} });
  const what = await furnish(cloud, home, id, "barn");
  await cloud.good("DELETE", `/api/ecosystems/${id}`, { token });
  return what;
}

/** Until nothing of what has been deleted waits to be swept or erased. */
async function sweepAll({ clock }: TestCloud, { service }: Store): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    await clock.advance(30_000);
    await settle(50);
    const waiting = await Promise.all([
      service.query(service.build.selectFrom("sweeps").select("ecosystem_id")),
      service.query(service.build.selectFrom("erasures").select("account_id")),
    ]);
    if (waiting.flat().length === 0) return;
  }
  throw new Error("what is deleted is not swept");
}

/** Credentials that were good once. */
async function endedCredentials(cloud: TestCloud, home: Home): Promise<Population["bad"]> {
  const post = (path: string, body?: object) => cloud.good("POST", path, { token: home.token, ...(body && { body }) });
  const gone = (path: string) => cloud.good("DELETE", path, { token: home.token });
  const short = await logIn(cloud, home, {});
  const user = `/api/users/${(await post("/api/users", { key: "leaves" })).id}`;
  const brief = await post(`/api/users/${home.userId}/tokens`, { expiresInSeconds: 60 });
  const loggedOut = await logIn(cloud, home);
  await gone(`/api/account/tokens/${loggedOut.id}`);
  const revoked = await post(`/api/users/${home.userId}/tokens`);
  await cloud.good("GET", "/api/token", { token: revoked.token });
  await gone(`/api/users/${home.userId}/tokens/${revoked.id}`);
  const server = await post("/api/servers", {});
  const { items } = await cloud.good("GET", `/api/servers/${server.id}/tokens`, { token: home.token });
  await cloud.good("GET", "/api/token", { token: items[0].token });
  await gone(`/api/servers/${server.id}`);
  const left = await post(`${user}/tokens`);
  await gone(user);
  return {
    "an expired account token": [short.token, "Token Expired"],
    "an expired user token": [brief.token, "Token Expired"],
    "a log-in that has ended": [loggedOut.token, "Token Invalid"],
    "a revoked user token": [revoked.token, "Token Invalid"],
    "a token of a server that is gone": [items[0].token, "Token Invalid"],
    "a token of a user that is gone": [left.token, "Token Invalid"],
  };
}

function neverMade(): Population["bad"] {
  const random = seededRandom(5);
  const wrongSum = makeToken("srv", random).replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  return {
    "no token": [undefined, "Token Missing"],
    garbage: ["garbage", "Token Invalid"],
    "a token with a wrong checksum": [wrongSum, "Token Invalid"],
    "an account token that was never made": [makeToken("acc", random), "Token Invalid"],
    "a server token that was never made": [makeToken("srv", random), "Token Invalid"],
    "a user token that was never made": [makeToken("usr", random), "Token Invalid"],
  };
}
