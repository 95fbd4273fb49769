/** The operator's settings of the cloud, from file, environment and flags. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasPassword, secretSetting, setting } from "@porchlight/shared/settings";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { databaseLocation } from "./data-location.ts";
import { quotaSettings } from "./quotas.ts";

/** Whether the text is a comma-separated list of NATS URLs. */
function isNatsUrls(text: string): boolean {
  return text.split(",").every((url) => /^(nats|tls):\/\/[^\s/]+\/?$/.test(url.trim()) && URL.canParse(url.trim()));
}

/** Whether the URLs contain a user or a token. */
function hasNatsCredentials(text: string): boolean {
  return /\/\/[^/\s,]*@/.test(text);
}

/** Default data folder: that of a packaged installation. */
const DEFAULT_DATA = "/var/lib/porchlight-cloud";

/** A number per unit of time, or no limit. */
const limit = (byDefault: number) => z.union([z.literal("off"), z.int().min(1)]).default(byDefault);
/** A network, or a single address. */
const network = z
  .string()
  .refine((text) => ipaddr.isValidCIDR(text) || isAddress(text), "must be a network such as 10.0.0.0/8, or an address");

/** An IPv4 address of four parts, or IPv6: the library also accepts `10` for 0.0.0.10. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(":") && ipaddr.IPv6.isValid(text));
}

const milliseconds = (byDefault: number, meaning: string) => setting(z.int().min(1).default(byDefault), { meaning });
const millisecondsOrNone = (byDefault: number, meaning: string) =>
  setting(z.int().min(0).default(byDefault), { meaning });
const count = (byDefault: number, meaning: string) => setting(z.int().min(1).default(byDefault), { meaning });
const port = z.int().min(0).max(65_535);

/** All settings but the quotas; in the order of `--help` and of the document. */
export const serviceSettings = {
  data: setting(z.string().min(1).default(DEFAULT_DATA), {
    flag: "<dir>",
    meaning: "folder for all data of the service",
  }),
  database: secretSetting(databaseLocation, {
    flag: "<url>",
    isSecret: hasPassword,
    meaning: "`postgres://…` ([PostgreSQL](postgresql.md)), or the path of an SQLite file",
    help: "postgres://…, or the path of an SQLite file",
    byDefault: "`cloud.db` in the data folder",
  }),
  host: setting(z.string().min(1).default("127.0.0.1"), { flag: "<address>", meaning: "address to listen on" }),
  nats: secretSetting(
    z.string().refine(isNatsUrls, "must be nats://HOST:PORT or tls://HOST:PORT, separated by commas"),
    {
      flag: "<urls>",
      isSecret: hasNatsCredentials,
      meaning:
        "`nats://` or `tls://` addresses of NATS, separated by commas, with user and password: this process is one of [several nodes](several-nodes.md)",
      help: "nats://HOST:PORT by which the nodes of a service with several nodes reach each other",
    },
  ),
  port: setting(port.default(8080), { flag: "<number>", meaning: "port to listen on; 0 for any free port" }),
  publicUrl: setting(
    z
      .url({ protocol: /^https?$/ })
      .transform(withoutSlash)
      .optional(),
    {
      flag: "<url>",
      meaning: "public address of the service, without `/api`",
      help: "public address of the service",
    },
  ),
  metricsPort: setting(port.optional(), {
    flag: "<number>",
    meaning: "port of `/metrics`, at the same `host`, instead of the port of the API; 0 for any free port",
    help: "serve /metrics on this port instead of that of the API",
  }),
  metricsToken: secretSetting(z.string().min(16), {
    flag: "<token>",
    meaning: "token with which other machines can read `/metrics`; at least 16 characters",
  }),
  portal: setting(
    z
      .string()
      .min(1)
      .default(fileURLToPath(new URL("../../../portal/dist", import.meta.url))),
    {
      flag: "<dir>",
      meaning: "folder of the built portal; `off` serves only the documents",
      help: "folder of the built portal, or off",
      byDefault: "`portal/dist`",
    },
  ),
  smtp: secretSetting(
    z
      .url({ protocol: /^smtps?$/, hostname: /./ })
      .refine((url) => URL.canParse(url) && new URL(url).search === "", "takes no options after a question mark"),
    {
      flag: "<url>",
      isSecret: hasPassword,
      meaning: "`smtp://` or `smtps://` mail server, with user and password; without it, e-mails are files",
      help: "smtp:// or smtps:// mail server; without it, e-mails are files",
    },
  ),
  mailFrom: setting(
    z
      .string()
      .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, "must be an e-mail address")
      .optional(),
    {
      flag: "<address>",
      meaning: "sender address of e-mails",
      byDefault: "`porchlight@` the public host",
    },
  ),
  verifyAddresses: setting(z.enum(["on", "off"]).optional(), {
    meaning:
      "whether an account must [verify its e-mail address](sending.md#addresses-that-are-not-verified) before it can create tokens, servers, webhooks and sinks, and approve hubs and log-ins: `on` or `off`",
    byDefault: "`on` with `smtp`, `off` without",
  }),
  rateLimit: setting(limit(200), {
    flag: "<number>",
    meaning: "requests a second of one token, twice as many at once; `off` turns off all limits",
    help: "requests a second of one token; `off` turns off all limits",
  }),
  ownerRateLimit: setting(limit(800), {
    meaning:
      "requests a second of all tokens of one account and its ecosystems together, twice as many at once; can be `off`",
  }),
  badCredentialsPerSecond: setting(limit(20), {
    meaning: "requests without a valid credential from one network address; this and the next four can be `off`",
  }),
  logInsPerMinute: setting(limit(10), {
    meaning: "log-ins from one network address; also [for one account](limits.md#wrong-passwords)",
  }),
  signUpsPerMinute: setting(limit(10), { meaning: "sign-ups from one network address" }),
  pairingsPerMinute: setting(limit(10), { meaning: "pairings begun from one network address" }),
  passwordResetsPerMinute: setting(limit(10), { meaning: "password resets from one network address" }),
  pageKilobytes: count(
    1_024,
    "how many KiB of objects a page of a collection has at most; a page with less room for the next object ends before it",
  ),
  streamsPerToken: count(100, "open event streams of one token"),
  keepEventsDays: count(7, "how long events are kept, to resume streams and replay webhooks"),
  keepEventsMegabytes: count(
    2_000,
    "how many million bytes of events are kept for one ecosystem; beyond that, the oldest are deleted",
  ),
  keepCommandsMegabytes: count(
    1_000,
    "how many million bytes of commands are kept for one ecosystem; beyond that, the oldest that have ended are deleted",
  ),
  historyRawDays: count(10, "for how many days each change of a property is kept; an ecosystem can choose otherwise"),
  historyStatisticsDays: count(
    730,
    "for how many days statistics of properties are kept; an ecosystem can choose otherwise",
  ),
  historyRawDaysLimit: count(90, "the most days that an ecosystem can choose for changes"),
  historyStatisticsDaysLimit: count(3_660, "the most days that an ecosystem can choose for statistics"),
  exportMegabytes: count(
    2_000,
    "how many million bytes the archive of one account's data has at most; an export that would be larger fails",
  ),
  keepExportsDays: count(7, "how long the archive of an account's data can be downloaded"),
  trustedProxy: setting(z.array(network).default([]), {
    flag: "<networks>",
    meaning: "networks or addresses of your proxies, which are trusted to name the address of the caller",
    help: "proxies that are trusted to name the address of the caller, separated by commas",
  }),
  webhookAllow: setting(z.array(network).default([]), {
    flag: "<networks>",
    meaning: "networks or addresses, besides public ones, to which webhooks can be sent, also without TLS",
    help: "networks, besides public ones, to which webhooks can be sent, separated by commas",
  }),
  secretFile: setting(z.string().min(1).optional(), {
    flag: "<file>",
    meaning: "file of the sealing keys",
    help: "file of the sealing keys; the default is `secret.key` in the data folder",
    byDefault: "`secret.key` in the data folder",
  }),
  tlsCert: setting(z.string().min(1).optional(), {
    flag: "<file>",
    meaning: "PEM file of a certificate with its chain: [TLS without a proxy](proxy.md#tls-without-a-proxy)",
    help: "PEM certificate with its chain, to serve https and wss",
  }),
  tlsKey: setting(z.string().min(1).optional(), {
    flag: "<file>",
    meaning: "PEM file of its key, without a passphrase; both or none",
    help: "PEM key of that certificate",
  }),
  logLevel: setting(z.enum(["debug", "info", "warn", "error", "silent"]).default("info"), {
    meaning: "least level to log: `debug`, `info`, `warn`, `error` or `silent`",
  }),
  leaseMs: milliseconds(15_000, "a tunnel ends after this time without a message from the hub"),
  heartbeatMs: milliseconds(5_000, "time between two heartbeats of a hub"),
  helloMs: milliseconds(5_000, "longest wait for the hello of a hub"),
  sweepMs: milliseconds(1_000, "time between two checks of all tunnels"),
  offlineAfterMs: milliseconds(10_000, "a hub that is back within this time causes no offline event"),
  startGraceMs: milliseconds(
    60_000,
    "for this long after a start, hubs that have not reconnected yet are not reported offline",
  ),
  handshakesPerSecond: count(600, "hubs accepted per second"),
  handshakeBurst: count(600, "hubs accepted at once"),
  drainNoticeMs: millisecondsOrNone(
    5_000,
    "if there are other nodes: how long a stopping node still answers while it is not ready",
  ),
  drainSpreadMs: millisecondsOrNone(5_000, "time over which hubs are sent away when the service stops"),
  drainLimitMs: milliseconds(20_000, "longest wait for running calls when the service stops"),
  rolloutMs: millisecondsOrNone(
    600_000,
    "for this long after a node has started, older nodes redirect hubs; 0 for never",
  ),
  youngerByMs: millisecondsOrNone(600_000, "a node is older if it started earlier by more than this"),
  recordEveryMs: setting(z.int().min(1).max(10_000).default(10_000), {
    meaning: "requests and the use of tokens are counted in memory for this long, then stored; at most 10000",
  }),
  pairingLifeMs: milliseconds(900_000, "how long the code of a pairing or a log-in is valid"),
  pairingIntervalMs: milliseconds(
    5_000,
    "least time between two polls of a hub that waits to be paired, or of a program that waits to be logged in",
  ),
};

export const cloudSettings = z
  .strictObject({ ...serviceSettings, ...quotaSettings })
  .refine(({ tlsCert, tlsKey }) => tlsCert === undefined || tlsKey !== undefined, {
    path: ["tlsKey"],
    message: "must be given beside tlsCert",
  })
  .refine(({ tlsCert, tlsKey }) => tlsKey === undefined || tlsCert !== undefined, {
    path: ["tlsCert"],
    message: "must be given beside tlsKey",
  });

export type CloudSettings = z.output<typeof cloudSettings>;

/** Location of the database. */
export function databaseOf(settings: CloudSettings): string {
  return settings.database?.reveal() ?? join(settings.data, "cloud.db");
}

/** Whether accounts must verify their addresses; by default when the service can send the code. */
export function verifiesAddresses({ verifyAddresses, smtp }: CloudSettings): boolean {
  return verifyAddresses === undefined ? smtp !== undefined : verifyAddresses === "on";
}

/** The files of the service's own TLS; undefined when it has none. */
export function tlsFilesOf({ tlsCert, tlsKey }: CloudSettings): { cert: string; key: string } | undefined {
  return tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
}

/** URL at which the service listens. @param port the actual port */
export function urlOf({ host, tlsCert }: CloudSettings, port: number): string {
  return `${tlsCert === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Path of the file of sealing keys. */
export function secretFileOf(settings: CloudSettings): string {
  return settings.secretFile ?? join(settings.data, "secret.key");
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
