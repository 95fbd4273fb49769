/** The cloud that lacks nothing: besides live objects, deleted ones, ones that are closed to the user, and credentials that have ended. */

import type { Home } from "@porchlight/cloud/app.fixture.ts";
import { connectHub } from "../../parts/answering-hub.ts";
import type { StoreName } from "../cloud.ts";
import { type Belongings, furnish, logIn, takeAway } from "../isolation/belongings.ts";
import { HubDevices } from "./hub-devices.ts";
import { beginLogIn, beginPairing, type Waiting } from "./hubs-that-pair.ts";
import { type CallerKind, openCloud, type Stage, stageOn } from "./stages.ts";

export interface Plenty extends Stage {
  /** What has been there, in reach of every caller. */
  readonly gone: Belongings;
  /** In an environment for which the user has no entry. */
  readonly closed: Belongings;
  /** Credentials that have expired, of the kinds that expire. */
  readonly expired: Readonly<Partial<Record<CallerKind, string>>>;
  readonly revoked: Readonly<Record<CallerKind, string>>;
  /** Alias of the account's other ecosystem. */
  readonly otherEcosystem: string;
  /** A user with one ecosystem only, with tokens of that log-in. */
  readonly lone: Home & { readonly tokens: Readonly<Partial<Record<CallerKind, string>>> };
  /** A virtual device that has what cannot be set, too. */
  readonly thermometer: string;
  readonly hubs: HubDevices;
  /** Keeps the hub of its own client connected, whose drivers answer every question. */
  readonly keepHub: () => Promise<void>;
  /** A hub whose pairing was not approved in time. */
  readonly latePairing: Waiting;
  /** A program whose log-in was not approved in time. */
  readonly lateLogIn: Waiting;
  /** A browser's cookies for a log-in that lasts, and for one that is over. */
  readonly cookies: { readonly good: string; readonly expired: string };
}

/** Longer than a log-in lasts that is not kept, ms. */
const LONG = 14 * 3_600_000;
/** Longer than a pairing code is good, and much shorter than it is remembered that it was, ms. */
const TOO_LATE = 15 * 60_000;

export async function plenty(on: StoreName): Promise<Plenty> {
  const stage = await stageOn(await openCloud(on));
  const { cloud, home, own } = stage;
  const post = (path: string, body?: object) => cloud.good("POST", path, { token: home.token, ...(body && { body }) });
  const end = (path: string) => cloud.good("DELETE", path, { token: home.token });

  const expired = {
    account: (await logIn(cloud, home, {})).token,
    user: (await post(`/api/users/${home.userId}/tokens`, { expiresInSeconds: 60 })).token,
  };
  const cookie = async (more: object) => {
    const body = { email: home.email, password: home.password, session: true, ...more };
    const { cookies } = await cloud.call("POST", "/api/accounts/login", { body });
    return cookies[0]?.split(";")[0] ?? "";
  };
  const cookies = { good: await cookie({ keepMeLoggedIn: true }), expired: await cookie({}) };
  cloud.clock.jumpWall(LONG);
  const latePairing = await beginPairing(cloud);
  const lateLogIn = await beginLogIn(cloud);
  cloud.clock.jumpWall(TOO_LATE);

  const otherEcosystem = "second";
  await post("/api/ecosystems", { alias: otherEcosystem });
  const closed = await furnish(cloud, home, own.eco, "safe");
  const services = [{ service: "Switch" }, { service: "Temperature" }];
  const thermometer = (await post("/api/devices", { environmentId: own.env, services })).id;
  const other = await cloud.home();
  const lone = {
    ...other,
    tokens: { account: other.token, authentication: (await logIn(cloud, other, { console: true })).token },
  };
  return {
    ...stage,
    gone: await goneOf(stage, closed, post, end),
    closed,
    expired,
    revoked: await revokedOf(stage, post, end),
    otherEcosystem,
    lone,
    thermometer,
    hubs: await HubDevices.connect(cloud, home, own.env),
    keepHub: await connectHub(cloud, (await post(`/api/clients/${own.cli}/tokens`)).token),
    cookies,
    latePairing,
    lateLogIn,
  };
}

type Post = (path: string, body?: object) => Promise<{ readonly id: string; readonly token: string }>;
type End = (path: string) => Promise<unknown>;

/** What goes with a living user, server, client or account is gone by itself, the rest with its environment. */
async function goneOf(stage: Stage, closed: Belongings, post: Post, end: End): Promise<Belongings> {
  const { cloud, home, own, tokens } = stage;
  const what = await furnish(cloud, home, own.eco, "shed");
  const { userId } = await cloud.good("GET", "/api/token", { token: tokens.user });
  await post(`/api/users/${userId}/access`, { environmentId: what.env });
  await takeAway(cloud, home, what);
  const ended = async (path: string, body?: object) => {
    const { id } = await post(path, body);
    await end(`${path}/${id}`);
    return id;
  };
  const log = await logIn(cloud, home);
  await end(`/api/account/tokens/${log.id}`);
  return {
    ...what,
    eco: await ended("/api/ecosystems", {}),
    acs: await ended(`/api/users/${own.usr}/access`, { environmentId: closed.env }),
    usrTok: await ended(`/api/users/${own.usr}/tokens`),
    srvTok: await ended(`/api/servers/${own.srv}/tokens`),
    cliTok: await ended(`/api/clients/${own.cli}/tokens`),
    login: log.id,
    // What has been sent to another webhook is not of this one.
    dlv: (await furnish(cloud, home, own.eco, "barn")).dlv,
  };
}

async function revokedOf({ cloud, home, own }: Stage, post: Post, end: End): Promise<Plenty["revoked"]> {
  const login = async (more?: object) => {
    const { id, token } = await logIn(cloud, home, more);
    await end(`/api/account/tokens/${id}`);
    return token;
  };
  const of = async (path: string) => {
    const { id, token } = await post(path);
    await end(`${path}/${id}`);
    return token;
  };
  return {
    account: await login(),
    authentication: await login({ console: true }),
    server: await of(`/api/servers/${own.srv}/tokens`),
    user: await of(`/api/users/${own.usr}/tokens`),
  };
}
