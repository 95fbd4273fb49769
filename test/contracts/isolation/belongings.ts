/** What an account owns: one object of every kind that has an ID, furnished through the API, and taken away again. */
import type { Home, TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { pairingHub } from "@porchlight/cloud/pairing/hub.fixture.ts";
import { IdMaker, systemRandom } from "@porchlight/shared/kernel";

/** Kinds of object; tokens by what they are of. */
export type Kind =
  | "eco"
  | "env"
  | "zon"
  | "scn"
  | "dev"
  | "cli"
  | "usr"
  | "srv"
  | "acs"
  | "cmd"
  | "whk"
  | "dlv"
  | TokenOf;
type TokenOf = "usrTok" | "srvTok" | "cliTok" | "login";

/** IDs by kind, and of a zone around the zone; and the codes of a hub and of a program that wait, while they live. */
export type Belongings = Readonly<Record<Kind | "outerZon" | "userCode" | "logInCode", string>>;

/** The word before the underscore of an ID. */
export function prefixOf(kind: Kind | "outerZon"): "tok" | Exclude<Kind, TokenOf> {
  if (kind === "outerZon") return "zon";
  return kind === "usrTok" || kind === "srvTok" || kind === "cliTok" || kind === "login" ? "tok" : kind;
}

/** Alias of an object in a furnished environment. */
export function aliasOf(word: string, kind: Kind): string {
  return `${word} ${kind}`;
}

/** Gets nothing by itself, and has no server: requests to it end on this machine. */
export const SILENT_WEBHOOK = { url: "https://localhost/events", disabled: true };

/** Gets no request but on demand. */
export const SILENT_SINK = { url: SILENT_WEBHOOK.url, enabled: false };

/** @param word by which its aliases are known: of one length in all answers that are compared */
export async function furnish(cloud: TestCloud, home: Home, eco: string, word: string): Promise<Belongings> {
  const { token } = home;
  const post = async (path: string, body?: object): Promise<string> =>
    (await cloud.good("POST", path, { token, ...(body && { body }) })).id;
  const alias = (kind: Kind) => ({ alias: aliasOf(word, kind) });
  const env = await post("/api/environments", { ecosystemId: eco, ...alias("env") });
  const inEnv = { environmentId: env };
  const dev = await post("/api/devices", {
    ...inEnv,
    services: [{ service: "Switch" }, { service: "LightColor" }],
    ...alias("dev"),
  });
  const zon = await post("/api/zones", { ...inEnv, items: [dev], ...alias("zon") });
  const outerZon = await post("/api/zones", { ...inEnv, items: [zon], alias: `${word} outer` });
  const items = [{ target: dev, service: "Switch.on", value: true }];
  const scn = await post("/api/scenes", { ...inEnv, items, ...alias("scn") });
  await post("/api/scenes", { ...inEnv, items });
  const cli = await post("/api/clients", { ...inEnv, ...alias("cli") });
  const usr = await post("/api/users", { key: `${word} ${eco} ${env}`, ecosystemId: eco, ...alias("usr") });
  const srv = await post("/api/servers", { ecosystemId: eco, ...alias("srv") });
  const acs = await post(`/api/users/${usr}/access`, inEnv);
  const written = await cloud.call("PUT", `/api/devices/${dev}/services/Switch.on`, { token, body: { value: true } });
  const webhook = { ecosystemId: eco, environmentId: env, ...SILENT_WEBHOOK };
  const whk = await post("/api/webhooks", webhook);
  await post("/api/webhooks", webhook);
  await cloud.good("PUT", `/api/ecosystems/${eco}/sink`, { token, body: SILENT_SINK });
  const tokens = {
    usrTok: await post(`/api/users/${usr}/tokens`),
    srvTok: await post(`/api/servers/${srv}/tokens`),
    cliTok: await post(`/api/clients/${cli}/tokens`),
  };
  // A second object of each list, so that every list has a second page.
  const second = await post("/api/environments", { ecosystemId: eco });
  await post(`/api/users/${usr}/access`, { environmentId: second });
  for (const path of [`users/${usr}`, `clients/${cli}`]) await post(`/api/${path}/tokens`);
  const login = (await logIn(cloud, home)).id;
  await alert(cloud, eco, env, cli);
  return {
    eco,
    env,
    zon,
    outerZon,
    scn,
    dev,
    cli,
    usr,
    srv,
    acs,
    cmd: String(written.headers["x-command-id"]),
    whk,
    dlv: await deliver(cloud, eco, whk),
    ...(await beginCodes(cloud)),
    ...tokens,
    login,
  };
}

/** Has two things sent to a webhook, in the store alone; gives the ID of the first delivery. */
async function deliver(cloud: TestCloud, eco: string, webhook: string): Promise<string> {
  const ids = new IdMaker(cloud.clock, systemRandom);
  const now = cloud.clock.now();
  const what = { event_id: ids.next("evt"), type: "webhook.test", sequence: 1, body: "{}", cursor: null };
  const became = { attempt: 1, state: "failed", created_at: now, next_attempt_at: null, attempted_at: now };
  const answer = { duration_ms: 1, response_status: 500, error: "500", response: null };
  const rows = [ids.next("dlv"), ids.next("dlv")].map((id) => ({
    ...{ ecosystem_id: eco, webhook_id: webhook, id, ...what, ...became, ...answer },
  }));
  await cloud.change((db) => db.insertInto("deliveries").values(rows));
  return rows[0]?.id ?? "";
}

/** Two alerts of a hub that are over, in the store alone. */
async function alert(cloud: TestCloud, eco: string, env: string, hub: string): Promise<void> {
  const ids = new IdMaker(cloud.clock, systemRandom);
  const at = cloud.clock.now();
  const about = { kind: "hub_offline", subject_id: hub, subject_name: hub, environment_id: env };
  const texts = { text: "It was offline.", end_text: "It is back.", since: at, opened_at: at, ended_at: at };
  const rows = [ids.next("alt"), ids.next("alt")].map((id) => ({
    ...{ ecosystem_id: eco, id, ...about, ...texts, mail: null, told: 1 },
  }));
  await cloud.change((db) => db.insertInto("alerts").values(rows));
}

/** Lets a hub begin to pair; gives the code that it shows. */
async function beginPairing(cloud: TestCloud): Promise<string> {
  return (await cloud.good("POST", "/api/pairings", { body: pairingHub(1).asks })).userCode;
}

/** Lets a hub begin to pair and a program to log in; gives the codes that they show. */
export async function beginCodes(cloud: TestCloud): Promise<Pick<Belongings, "userCode" | "logInCode">> {
  const { userCode: logInCode } = await cloud.good("POST", "/api/accounts/login/code");
  return { userCode: await beginPairing(cloud), logInCode };
}

/** Another log-in of that account. */
export function logIn(
  cloud: TestCloud,
  { email, password }: Home,
  more: object = { keepMeLoggedIn: true },
): Promise<{ readonly id: string; readonly token: string }> {
  return cloud.good("POST", "/api/accounts/login", { body: { email, password, ...more } });
}

/** Takes each of them away by itself; the ecosystem stays. */
export async function takeAway(cloud: TestCloud, { token }: Home, what: Belongings): Promise<void> {
  const gone = (path: string) => cloud.good("DELETE", `/api/${path}`, { token });
  await gone(`users/${what.usr}/access/${what.acs}`);
  await gone(`users/${what.usr}/tokens/${what.usrTok}`);
  await gone(`servers/${what.srv}/tokens/${what.srvTok}`);
  await gone(`clients/${what.cli}/tokens/${what.cliTok}`);
  await gone(`account/tokens/${what.login}`);
  await gone(`webhooks/${what.whk}`);
  for (const path of [`users/${what.usr}`, `servers/${what.srv}`, `clients/${what.cli}`, `zones/${what.outerZon}`])
    await gone(path);
  for (const path of [`scenes/${what.scn}`, `zones/${what.zon}`, `devices/${what.dev}`, `environments/${what.env}`])
    await gone(path);
}
