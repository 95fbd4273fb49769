/** The clouds on which errors are provoked: a complete one, one that counts requests, a full one, and one that loses its store. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Home, TestCloud } from "@porchlight/cloud/app.fixture.ts";
import type { CloudSettings } from "@porchlight/cloud/config/settings.ts";
import { freshAt } from "@porchlight/cloud/store/fresh-store.fixture.ts";
import { freshDatabase } from "../../parts/postgres.ts";
import type { StoreName } from "../cloud.ts";
import { type Belongings, furnish, logIn } from "../isolation/belongings.ts";
import { HubDevices } from "./hub-devices.ts";

/** Kinds of credential, and none. */
export type Kind = "account" | "authentication" | "server" | "user" | "client" | "none";
/** A kind that some route takes. */
export type CallerKind = Exclude<Kind, "client" | "none">;
export const CALLERS: readonly CallerKind[] = ["account", "authentication", "server", "user"];

export type Tokens = Readonly<Record<CallerKind | "client", string>>;

/** A cloud with an account, its objects, and credentials of every kind that may touch those. */
export interface Stage {
  readonly cloud: TestCloud;
  readonly home: Home;
  readonly own: Belongings;
  readonly tokens: Tokens;
}

/** With this header an unforeseen failure occurs. */
export const BREAK = "x-break";

/** @param more settings */
export async function openCloud(
  on: StoreName,
  more: Partial<CloudSettings> = {},
  processorTime?: () => number,
): Promise<TestCloud> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-errors-"));
  const postgres = on === "PostgreSQL" ? await freshDatabase("tables") : undefined;
  const location = postgres?.url ?? join(folder, "cloud.db");
  const end = async () => {
    await postgres?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  const fresh = freshAt(location, end);
  const cloud = await TestCloud.start(more, fresh, undefined, undefined, processorTime);
  cloud.app.fastify.addHook("preHandler", async ({ headers }) => {
    if (headers[BREAK] !== undefined) throw new TypeError("nobody has foreseen this");
  });
  return cloud;
}

/** Furnishes a cloud. */
export async function stageOn(cloud: TestCloud): Promise<Stage> {
  const home = await cloud.home();
  const own = await furnish(cloud, home, home.ecosystemId, "hall");
  return { cloud, home, own, tokens: await tokensOf(cloud, home, own, "caller") };
}

/** New credentials of every kind, with which nothing has been asked yet. @param key of the user */
async function tokensOf(cloud: TestCloud, home: Home, own: Belongings, key: string): Promise<Tokens> {
  const post = (path: string, body?: object) => cloud.good("POST", path, { token: home.token, ...(body && { body }) });
  const user = await post("/api/users", { key, ecosystemId: own.eco });
  await post(`/api/users/${user.id}/access`, { environmentId: own.env });
  return {
    account: (await logIn(cloud, home)).token,
    authentication: (await logIn(cloud, home, { console: true })).token,
    server: (await post(`/api/servers/${own.srv}/tokens`)).token,
    user: (await post(`/api/users/${user.id}/tokens`)).token,
    client: (await post(`/api/clients/${own.cli}/tokens`)).token,
  };
}

/** Where every credential has been used as often as it may, and requests without one have had all the time that there is for them. */
export async function usedUp(on: StoreName): Promise<Stage> {
  const perSecond = 40;
  const settings = { rateLimit: perSecond, trustedProxy: ["127.0.0.1"] };
  let [used, step] = [0, 0];
  const stage = await stageOn(
    await openCloud(on, settings, () => {
      used += step;
      return used;
    }),
  );
  const { cloud, tokens, home } = stage;
  const ask = async (
    times: number,
    method: "GET" | "POST",
    path: string,
    options: { token?: string; body?: object },
  ) => {
    for (let time = 0; time < times; time++) await cloud.call(method, path, options);
  };
  for (const kind of CALLERS) await ask(2 * perSecond, "GET", "/api/token", { token: tokens[kind] });
  await ask(10, "POST", "/api/accounts", { body: {} });
  await ask(10, "POST", "/api/accounts/login", { body: { email: home.email, password: "not it" } });
  await ask(10, "POST", "/api/accounts/verify", { body: { code: "nonsense" } });
  await ask(10, "POST", "/api/pairings", { body: {} });
  step = 3_600_000;
  await ask(1, "GET", "/api/openapi.json", {});
  return stage;
}

/** So many zones in zones fill an environment. */
const MOST_NESTINGS = 10_000;

const FULL: Partial<CloudSettings> = {
  ...{ maxEcosystemsPerAccount: 1, maxEnvironmentsPerEcosystem: 1, maxUsersPerEcosystem: 1, maxServersPerEcosystem: 1 },
  ...{
    maxZonesPerEnvironment: 1,
    maxScenesPerEnvironment: 1,
    maxDevicesPerEnvironment: 1,
    maxClientsPerEnvironment: 1,
  },
  ...{ maxWebhooksPerEcosystem: 1, maxQueuedCommandsPerClient: 1 },
  ...{ maxEnvironmentsPerUser: 1, maxTokensPerSubject: 1 },
};

/** A cloud whose limits are full, and a device for whose hub as many commands wait as may. */
export interface Full extends Stage {
  readonly away: string;
}

/** Where every limited resource is at its limit, since the operator has begun to set limits. */
export async function full(on: StoreName): Promise<Full> {
  const stage = await stageOn(await openCloud(on));
  const { own, home } = stage;
  const { away } = await HubDevices.connect(stage.cloud, home, own.env);
  await stage.cloud.app[Symbol.asyncDispose]();
  const cloud = await stage.cloud.restart(FULL);
  const nestings = Array.from({ length: MOST_NESTINGS }, (_, position) => ({
    ...{ ecosystem_id: own.eco, environment_id: own.env, kind: "zon", position: 0 },
    ...{ zone_id: `zon_${position}`, item_id: `zon_${position + 1}` },
  }));
  for (let at = 0; at < nestings.length; at += 1000)
    await cloud.change((db) => db.insertInto("zone_items").values(nestings.slice(at, at + 1000)));
  const waits = { token: home.token, body: { value: 5 }, headers: { prefer: "respond-async" } };
  await cloud.good("PUT", `/api/devices/${away}/services/LightColor.hue`, waits);
  return { ...stage, cloud, away };
}

/** Where the data of the account takes more than it may. */
export async function stuffed(on: StoreName): Promise<Stage> {
  const stage = await stageOn(await openCloud(on));
  const { own, home } = stage;
  await stage.cloud.app[Symbol.asyncDispose]();
  const cloud = await stage.cloud.restart({ maxMegabytesPerAccount: 1 });
  const command = {
    ...{ ecosystem_id: own.eco, environment_id: own.env, id: "cmd_01h455vb4pex5vsknk084sn02q", device_id: "dev_1" },
    ...{ client_id: null, service: "Switch", idx: "0", property: "on", value: JSON.stringify("x".repeat(1_100_000)) },
    ...{
      state: "confirmed",
      outcome: null,
      error: null,
      created_at: 0,
      expires_at: 0,
      completed_at: 0,
      token_id: null,
    },
  };
  await cloud.change((db) => db.insertInto("commands").values(command));
  // It measures them.
  await cloud.good("GET", "/api/quotas", { token: home.token });
  return { ...stage, cloud };
}

/** A cloud without a store, with credentials that it has never seen and with known ones. */
export interface Storeless extends Stage {
  readonly unseen: Tokens;
}

/** Where addresses must be verified, and that of the account is not. */
export async function unverified(on: StoreName): Promise<Stage> {
  const stage = await stageOn(await openCloud(on));
  await stage.cloud.app[Symbol.asyncDispose]();
  return { ...stage, cloud: await stage.cloud.restart({ verifyAddresses: "on" }) };
}

/** Where the store has gone away. */
export async function storeless(on: StoreName): Promise<Storeless> {
  const stage = await stageOn(await openCloud(on));
  const { cloud, home, own, tokens } = stage;
  const unseen = await tokensOf(cloud, home, own, "unseen");
  for (const token of Object.values(tokens)) await cloud.call("GET", "/api/token", { token });
  cloud.storeFault.error = new Error("the store is away");
  return { ...stage, unseen };
}
