/** Every route of the API with a command line that reaches it, in an order in which each finds what it needs. */
import { generateKeyPairSync } from "node:crypto";

/** What earlier lines have answered, under the names that they gave it. */
export type Kept = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface RouteRow {
  /** `METHOD /path/{id}`, as the OpenAPI document has it. */
  readonly route: string;
  /** After `porchlight`. `{name}` is the ID of what was kept under the name, `{name.field}` a field of it. */
  readonly line: string;
  /** Keeps the answer; of a list its first item; of what is interrupted, the answer of the route. */
  readonly as?: string;
  /** Lines on stdin; `{name.field}` as above. */
  readonly stdin?: string;
  /** When it is not 0. */
  readonly exitStatus?: number;
  /** What is typed at a terminal, line by line; there is none without. */
  readonly typed?: readonly string[];
  /** Before it a hub connects with the token that was kept under that name. */
  readonly connects?: string;
  /** Under this name a log-in was kept that approves the code of the line. */
  readonly approver?: string;
  /** It looks again and again, and is not to wait in between. */
  readonly waits?: true;
  /** It would go on for ever: it is interrupted as soon as the service was asked. */
  readonly isEndless?: true;
}

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "staple battery horse";

/** A hub's key. */
export const HUB_KEY = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

const EMAIL = "ada@example.com";

const ACCOUNT: readonly RouteRow[] = [
  {
    route: "POST /api/accounts",
    line: `accounts create --email ${EMAIL} --password-stdin`,
    stdin: PASSWORD,
    as: "account",
  },
  { route: "POST /api/accounts/verify", line: "accounts verify --password-stdin", stdin: "{mail.code}" },
  { route: "POST /api/accounts/password-reset", line: `accounts reset-password --email ${EMAIL}` },
  {
    route: "POST /api/accounts/password-reset/confirm",
    line: "accounts confirm-reset --password-stdin",
    stdin: `{mail.code}\n${PASSWORD}`,
  },
  {
    route: "POST /api/accounts/login",
    line: `login --email ${EMAIL} --password-stdin`,
    stdin: PASSWORD,
    as: "login",
  },
  { route: "POST /api/accounts/logout", line: "logout" },
  { route: "POST /api/accounts/login", line: `login --email ${EMAIL} --password-stdin`, stdin: PASSWORD, as: "other" },
  { route: "POST /api/accounts/login", line: `login --email ${EMAIL} --password-stdin`, stdin: PASSWORD, as: "login" },
  { route: "GET /api/token", line: "whoami" },
  { route: "GET /api/account", line: "accounts get" },
  {
    route: "PUT /api/account",
    line: "accounts update --name Ada --new-password --password-stdin",
    stdin: `${PASSWORD}\n${NEW_PASSWORD}`,
  },
  {
    route: "POST /api/accounts/login",
    line: `login --email ${EMAIL} --password-stdin`,
    stdin: NEW_PASSWORD,
    as: "third",
  },
  { route: "GET /api/account/tokens", line: "accounts logins" },
  { route: "GET /api/account/grants", line: "accounts grants" },
  { route: "DELETE /api/account/tokens/{tokenId}", line: "accounts end-login {login} --yes" },
  { route: "POST /api/accounts/login/code", line: "login --browser", isEndless: true, exitStatus: 130, as: "code" },
  { route: "GET /api/accounts/login/code/{userCode}", line: "accounts approve-login {code.userCode} --yes" },
  { route: "POST /api/accounts/login/code", line: "login --browser", isEndless: true, exitStatus: 130, as: "code" },
  { route: "POST /api/accounts/login/code/{userCode}/approve", line: "accounts approve-login {code.userCode} --yes" },
  { route: "POST /api/accounts/login/code", line: "login --browser", isEndless: true, exitStatus: 130, as: "code" },
  { route: "POST /api/accounts/login/code/{userCode}/deny", line: "accounts deny-login {code.userCode}" },
  { route: "POST /api/accounts/login/code/poll", line: "login --browser", approver: "third" },
];

/** The verbs that all kinds of objects have. */
function crud(noun: string, as: string, create: string): RouteRow[] {
  const path = `/api/${noun}`;
  return [
    { route: `POST ${path}`, line: `${noun} create ${create}`, as },
    { route: `GET ${path}`, line: `${noun} list` },
    { route: `GET ${path}/{id}`, line: `${noun} get {${as}}` },
    { route: `PUT ${path}/{id}`, line: `${noun} update {${as}} --set-meta floor=2` },
  ];
}

const PLACES: readonly RouteRow[] = [
  { route: "GET /api/environments/{id}", line: "environments get {account.environmentId}", as: "home" },
  ...crud("environments", "barn", "--alias barn"),
  ...crud("devices", "lamp", "--environment {home} --alias lamp --service Switch"),
  ...crud("zones", "kitchen", "--environment {home} --alias kitchen --item {lamp}"),
  ...crud(
    "scenes",
    "evening",
    `--environment {home} --alias evening --items [{"target":"{lamp}","service":"Switch.on","value":true}]`,
  ),
  { route: "POST /api/scenes/{id}/call", line: "scenes call {evening} --only {lamp}" },
  { route: "GET /api/devices/{id}/services", line: "devices services {lamp}" },
  { route: "GET /api/environments/{id}/services", line: "environments services {home}" },
  { route: "PUT /api/environments/{id}/services/{selector}", line: "environments set {home} Switch.on true" },
  { route: "PUT /api/zones/{id}/services/{selector}", line: "zones set {kitchen} Switch.on false" },
  { route: "POST /api/scenes/capture", line: "scenes capture --environment {home} --target {lamp}" },
  { route: "GET /api/environments/{id}/services/{selector}", line: "environments properties {home} Switch" },
  { route: "GET /api/zones/{id}/services/{selector}", line: "zones properties {kitchen} Switch.on --refresh" },
  { route: "GET /api/devices/{id}/services/{selector}", line: "get {lamp} Switch.on" },
  { route: "GET /api/devices/{id}/services/{selector}/history", line: "history {lamp} Switch.on --from 2h" },
  { route: "GET /api/zones/{id}/services/{selector}/history", line: "zones history {kitchen} Switch.on --from 2h" },
  { route: "GET /api/environments/{id}/services/{selector}/history", line: "environments history {home} Switch" },
  { route: "PUT /api/devices/{id}/services/{selector}", line: "set {lamp} Switch.on on --no-wait", as: "command" },
  { route: "GET /api/devices/{id}/services/{selector}/why", line: "why {lamp} Switch.on" },
  { route: "GET /api/commands/{id}", line: "commands get {command}" },
  { route: "GET /api/services", line: "services list" },
];

/** Of what has tokens. */
function tokens(kind: "user" | "server" | "client", as: string): RouteRow[] {
  const path = `/api/${kind}s/{id}/tokens`;
  return [
    { route: `POST ${path}`, line: `tokens create --${kind} {${as}}`, as: `token of ${kind}` },
    { route: `GET ${path}`, line: `tokens list --${kind} {${as}}` },
    { route: `DELETE ${path}/{tokenId}`, line: `tokens delete {token of ${kind}} --${kind} {${as}} --yes` },
  ];
}

const SUBJECTS: readonly RouteRow[] = [
  ...crud("users", "ada", "--key 4711 --alias ada"),
  { route: "POST /api/users/{id}/access", line: "users grant {ada} {home}", as: "access" },
  { route: "GET /api/users/{id}/access", line: "users access {ada}" },
  { route: "DELETE /api/users/{id}/access/{accessId}", line: "users revoke {ada} {access} --yes" },
  ...crud("servers", "backend", "--alias backend"),
  ...crud("clients", "bridge", "--environment {home} --alias bridge"),
  ...tokens("user", "ada"),
  ...tokens("server", "backend"),
  ...tokens("client", "bridge"),
  { route: "POST /api/clients/{id}/tokens", line: "tokens create --client {bridge}", as: "token of the hub" },
];

const SETUPS = "/api/clients/{id}/setups";
const SETUP = "hubs setup {bridge} bridge";

const DRIVERS: readonly RouteRow[] = [
  { route: "GET /api/clients/{id}/drivers", line: "hubs drivers {bridge}", connects: "token of the hub" },
  { route: "GET /api/clients/{id}/drivers", line: "hubs found {bridge}" },
  {
    route: "PUT /api/clients/{id}/admissions/{edgeId}",
    line: "hubs admit {bridge} 02-00-00-00-00-77 --yes",
  },
  {
    route: "DELETE /api/clients/{id}/admissions/{edgeId}",
    line: "hubs admit {bridge} 02-00-00-00-00-77 --withdraw",
  },
  { route: `POST ${SETUPS}`, line: SETUP, typed: ["2"] },
  { route: `GET ${SETUPS}/{setupId}`, line: SETUP, typed: ["2"] },
  { route: `PUT ${SETUPS}/{setupId}/answers/{number}`, line: SETUP, typed: ["2"] },
  // There is no terminal to ask on.
  { route: `DELETE ${SETUPS}/{setupId}`, line: SETUP, exitStatus: 2 },
];

const OF_HUB = "/api/clients/{id}";

const MAINTENANCE: readonly RouteRow[] = [
  { route: `GET ${OF_HUB}/status`, line: "hubs status {bridge}" },
  // A check is bad.
  { route: `GET ${OF_HUB}/doctor`, line: "hubs doctor {bridge}", exitStatus: 1 },
  { route: `GET ${OF_HUB}/logs`, line: "hubs logs {bridge} --minutes 5 --level warn" },
  { route: `POST ${OF_HUB}/backups`, line: "hubs backup {bridge}" },
  { route: `GET ${OF_HUB}/backups`, line: "hubs backups {bridge}" },
  { route: `POST ${OF_HUB}/restart`, line: "hubs restart {bridge} --no-wait --yes" },
];

const PAIRING: readonly RouteRow[] = [
  {
    route: "POST /api/pairings",
    line: "pairings begin --edge-id 02-00-00-00-00-01 --key {files.key}",
    as: "pairing",
  },
  { route: "GET /api/pairings/{userCode}", line: "pairings get {pairing.userCode}" },
  { route: "POST /api/pairings/{userCode}/approve", line: "pairings approve {pairing.userCode} --environment {home}" },
  {
    route: "POST /api/pairings/poll",
    line: "pairings poll --key {files.key}",
    stdin: "{pairing.deviceCode}",
    as: "hub",
  },
  {
    route: "POST /api/pairings",
    line: "pairings begin --edge-id 02-00-00-00-00-02 --key {files.key}",
    as: "another",
  },
  { route: "POST /api/pairings/{userCode}/deny", line: "pairings deny {another.userCode}" },
];

const EVENTS: readonly RouteRow[] = [
  { route: "POST /api/webhooks", line: "webhooks create --url https://receiver.example/hook", as: "hook" },
  { route: "GET /api/webhooks", line: "webhooks list" },
  { route: "GET /api/webhooks/{id}", line: "webhooks get {hook}" },
  { route: "PUT /api/webhooks/{id}", line: "webhooks update {hook} --description mine" },
  { route: "POST /api/webhooks/{id}/test", line: "webhooks test {hook}", as: "delivery" },
  { route: "POST /api/webhooks/{id}/test", line: "webhooks trigger device.online" },
  { route: "GET /api/webhooks/{id}/deliveries", line: "webhooks deliveries {hook}" },
  { route: "GET /api/webhooks/{id}/deliveries/{deliveryId}", line: "webhooks delivery {hook} {delivery}" },
  {
    route: "POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver",
    line: "webhooks redeliver {hook} {delivery}",
  },
  { route: "POST /api/webhooks/{id}/replay", line: "webhooks replay {hook} --since 1h" },
  { route: "GET /api/event-log", line: "events list --since 1h --newest" },
  { route: "GET /api/events", line: "events tail", isEndless: true, exitStatus: 130 },
];

const SERVICE: readonly RouteRow[] = [
  { route: "GET /api/requests", line: "requests list --last 5" },
  { route: "GET /api/activity", line: "activity list --since 2h --step 5" },
  { route: "GET /api/alerts", line: "alerts list --state open" },
  { route: "GET /api/account/alerts", line: "alerts settings" },
  { route: "PUT /api/account/alerts", line: "alerts set --hub-offline 30" },
  { route: "POST /api/account/alerts/test", line: "alerts test" },
  {
    route: "POST /api/account/export",
    line: "accounts export --out {files.one} --password-stdin",
    stdin: NEW_PASSWORD,
    waits: true,
  },
  { route: "GET /api/account/export", line: "accounts export --last --out {files.two}" },
  { route: "GET /api/account/export/archive", line: "accounts export --last --out {files.three}" },
  { route: "GET /api/audit", line: "audit list --since 2h" },
  { route: "GET /api/quotas", line: "quotas list" },
  { route: "GET /api/usage", line: "quotas usage" },
  { route: "GET /api/openapi.json", line: "openapi" },
  // A client that was made above has no hub that connects, so it is offline.
  { route: "GET /healthz", line: "doctor", exitStatus: 6 },
  { route: "GET /readyz", line: "doctor", exitStatus: 6 },
];

const END: readonly RouteRow[] = [
  { route: "DELETE /api/webhooks/{id}", line: "webhooks delete {hook} --yes" },
  { route: "DELETE /api/scenes/{id}", line: "scenes delete {evening} --yes" },
  { route: "DELETE /api/zones/{id}", line: "zones delete {kitchen} --yes" },
  { route: "DELETE /api/devices/{id}", line: "devices delete {lamp} --yes" },
  { route: "DELETE /api/clients/{id}", line: "clients delete {bridge} --yes" },
  { route: "DELETE /api/servers/{id}", line: "servers delete {backend} --yes" },
  { route: "DELETE /api/users/{id}", line: "users delete {ada} --yes" },
  { route: "DELETE /api/environments/{id}", line: "environments delete {barn} --yes" },
  ...crud("ecosystems", "north", "--alias north"),
  { route: "GET /api/ecosystems/{id}/history-settings", line: "ecosystems history {north}" },
  { route: "PUT /api/ecosystems/{id}/history-settings", line: "ecosystems set-history {north} --raw-days 7" },
  {
    route: "PUT /api/ecosystems/{id}/sink",
    line: "ecosystems set-sink {north} --url https://receiver.example/write --disable",
  },
  { route: "GET /api/ecosystems/{id}/sink", line: "ecosystems sink {north}" },
  // The receiver has no address.
  { route: "POST /api/ecosystems/{id}/sink/test", line: "ecosystems test-sink {north}", exitStatus: 1 },
  { route: "DELETE /api/ecosystems/{id}/sink", line: "ecosystems delete-sink {north} --yes" },
  { route: "DELETE /api/ecosystems/{id}", line: "ecosystems delete {north} --yes" },
  { route: "DELETE /api/account", line: "accounts delete --yes --password-stdin", stdin: NEW_PASSWORD },
];

export const ROUTES: readonly RouteRow[] = [
  ...[...ACCOUNT, ...PLACES, ...SUBJECTS, ...DRIVERS, ...MAINTENANCE],
  ...[...PAIRING, ...EVENTS, ...SERVICE, ...END],
];

/** Routes that no command is for, and why. */
export const NOT_THE_CONSOLES: Readonly<Record<string, string>> = {
  "POST /api/session/token": "it reads the cookie of a browser's log-in",
  "POST /api/webhooks/{id}": "another method of what PUT does",
};
