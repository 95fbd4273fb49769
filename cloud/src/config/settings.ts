/** What an operator can set of the cloud, from file, environment and flags. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Secret, setting } from "@porchlight/shared/settings";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { isNatsUrls } from "./nats-urls.ts";
import { quotaSettings } from "./quotas.ts";

/** Default data folder: that of a packaged installation. */
const DEFAULT_DATA = "/var/lib/porchlight-cloud";

/** So many in some time, or no limit. */
const limit = (byDefault: number) => z.union([z.literal("off"), z.int().min(1)]).default(byDefault);
/** A network, or a single address. */
const network = z
  .string()
  .refine(
    (text) => ipaddr.isValidCIDR(text) || ipaddr.isValid(text),
    "must be a network such as 10.0.0.0/8, or an address",
  );

const milliseconds = (byDefault: number, meaning: string) => setting(z.int().min(1).default(byDefault), { meaning });
const millisecondsOrNone = (byDefault: number, meaning: string) =>
  setting(z.int().min(0).default(byDefault), { meaning });
const count = (byDefault: number, meaning: string) => setting(z.int().min(1).default(byDefault), { meaning });
const port = z.int().min(0).max(65_535);

/** Without the quotas; in the order of `--help` and of the document. */
export const serviceSettings = {
  data: setting(z.string().min(1).default(DEFAULT_DATA), {
    flag: "<dir>",
    meaning: "folder of everything that the service keeps",
  }),
  database: setting(z.string().min(1).optional(), {
    flag: "<url>",
    meaning: "`postgres://…`, or the path of an SQLite file",
    help: "postgres://…, or the path of an SQLite file",
    byDefault: "`cloud.db` in the data folder",
  }),
  host: setting(z.string().min(1).default("127.0.0.1"), { flag: "<address>", meaning: "address to listen on" }),
  nats: setting(
    z
      .string()
      .refine(isNatsUrls, "must be nats://HOST:PORT or tls://HOST:PORT, commas between")
      .transform((urls) => new Secret(urls))
      .optional(),
    {
      flag: "<urls>",
      meaning:
        "`nats://` or `tls://` addresses of NATS, commas between, with user and password: this process is one of [several nodes](#several-nodes)",
      help: "nats://HOST:PORT through which the nodes of a service that has several reach each other",
    },
  ),
  port: setting(port.default(8080), { flag: "<number>", meaning: "port to listen on; 0 is any free one" }),
  publicUrl: setting(
    z
      .url({ protocol: /^https?$/ })
      .transform(withoutSlash)
      .optional(),
    {
      flag: "<url>",
      meaning: "the service's address as others reach it, without `/api`",
      help: "the service's address as others reach it",
    },
  ),
  metricsPort: setting(port.optional(), {
    flag: "<number>",
    meaning: "`/metrics` is served there, at the same `host`, and not with the API; 0 is any free one",
    help: "serve /metrics there, and not with the API",
  }),
  metricsToken: setting(
    z
      .string()
      .min(16)
      .transform((token) => new Secret(token))
      .optional(),
    {
      flag: "<token>",
      meaning: "who shows it in `authorization` reads `/metrics` from another machine; at least 16 characters",
      help: "token with which other machines may read /metrics; without it only this machine may",
    },
  ),
  portal: setting(
    z
      .string()
      .min(1)
      .default(fileURLToPath(new URL("../../../portal/dist", import.meta.url))),
    {
      flag: "<dir>",
      meaning: "folder of the built portal; `off` serves the documents alone",
      help: "folder of the built portal, or off",
      byDefault: "`portal/dist`",
    },
  ),
  smtp: setting(
    z
      .url({ protocol: /^smtps?$/, hostname: /./ })
      .refine((url) => URL.canParse(url) && new URL(url).search === "", "takes no options after a question mark")
      .transform((url) => new Secret(url))
      .optional(),
    {
      flag: "<url>",
      meaning: "`smtp://` or `smtps://` server that takes mail, with user and password; without it emails are files",
      help: "smtp:// or smtps:// server that takes mail; without it emails are files",
    },
  ),
  mailFrom: setting(
    z
      .string()
      .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, "must be an e-mail address")
      .optional(),
    {
      flag: "<address>",
      meaning: "the address that emails come from",
      byDefault: "`porchlight@` the public host",
    },
  ),
  rateLimit: setting(limit(200), {
    flag: "<number>",
    meaning: "requests a second of one token, twice as many at once; `off` is no limit of any kind",
    help: "requests a second that one token may make; `off` is no limit of any kind",
  }),
  ownerRateLimit: setting(limit(800), {
    meaning:
      "requests a second of all tokens of one account and its ecosystems together, twice as many at once; may be `off`",
  }),
  badCredentialsPerSecond: setting(limit(20), {
    meaning: "of one address, requests without a good credential; this and the next four may be `off`",
  }),
  logInsPerMinute: setting(limit(10), { meaning: "of one address; [passwords of one account](#wrong-passwords) too" }),
  signUpsPerMinute: setting(limit(10), { meaning: "of one address" }),
  pairingsPerMinute: setting(limit(10), { meaning: "of one address" }),
  passwordResetsPerMinute: setting(limit(10), { meaning: "of one address" }),
  streamsPerToken: count(100, "event streams that one token may have open at once"),
  keepEventsDays: count(7, "how long events are kept, for streams that resume and webhooks that are replayed"),
  keepEventsMegabytes: count(
    2_000,
    "how many million bytes of events of one ecosystem are kept: what is more goes, the oldest first",
  ),
  trustedProxy: setting(z.array(network).default([]), {
    flag: "<networks>",
    meaning: "networks or addresses of your proxies, whose word on where a request comes from is believed",
    help: "proxies whose word on where a request comes from is believed, commas between",
  }),
  webhookAllow: setting(z.array(network).default([]), {
    flag: "<networks>",
    meaning: "networks or addresses, besides public ones, that webhooks may be sent to, also without TLS",
    help: "networks that webhooks may be sent to besides public ones, commas between",
  }),
  secretFile: setting(z.string().min(1).optional(), {
    flag: "<file>",
    meaning: "file of the sealing keys",
    help: "file of the sealing keys; the data folder's own `secret.key` when left out",
    byDefault: "`secret.key` in the data folder",
  }),
  tlsCert: setting(z.string().min(1).optional(), {
    flag: "<file>",
    meaning: "PEM file of a certificate with its chain: [TLS without a proxy](#tls-without-a-proxy)",
    help: "PEM certificate, with its chain: serve https and wss with it",
  }),
  tlsKey: setting(z.string().min(1).optional(), {
    flag: "<file>",
    meaning: "PEM file of its key, without a passphrase; both or none",
    help: "PEM key of that certificate",
  }),
  logLevel: setting(z.enum(["debug", "info", "warn", "error", "silent"]).default("info"), {
    meaning: "`debug`, `info`, `warn`, `error`, `silent`: this and what is graver",
  }),
  leaseMs: milliseconds(15_000, "a tunnel from which nothing was heard for this long is over"),
  heartbeatMs: milliseconds(5_000, "how often a hub is heard"),
  helloMs: milliseconds(5_000, "time for a hub's hello"),
  sweepMs: milliseconds(1_000, "how often all tunnels are looked over"),
  offlineAfterMs: milliseconds(10_000, "a hub's absence shorter than this is no event"),
  startGraceMs: milliseconds(60_000, "for this long after a start no hub of the time before is called offline"),
  handshakesPerSecond: count(600, "hubs let in a second"),
  handshakeBurst: count(600, "hubs let in at once"),
  drainNoticeMs: millisecondsOrNone(
    5_000,
    "where there are other nodes, for so long a node that stops is not ready and still answers",
  ),
  drainSpreadMs: millisecondsOrNone(5_000, "hubs are sent away over this time when the service stops"),
  drainLimitMs: milliseconds(20_000, "calls in flight have this long to end then"),
  rolloutMs: millisecondsOrNone(
    600_000,
    "for so long after the start of a node, older ones send hubs on to it; 0 is never",
  ),
  youngerByMs: millisecondsOrNone(600_000, "which ones are older: those that started before it by more than this"),
  recordEveryMs: setting(z.int().min(1).max(10_000).default(10_000), {
    meaning:
      "requests and the use of tokens are counted in memory for so long before they are stored; never longer than that",
  }),
  pairingLifeMs: milliseconds(900_000, "how long the code of a pairing or a log-in is valid"),
  pairingIntervalMs: milliseconds(
    5_000,
    "least time between two polls of a hub that waits to be paired, or a program that waits to be logged in",
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

/** Where the database is. */
export function databaseOf(settings: CloudSettings): string {
  return settings.database ?? join(settings.data, "cloud.db");
}

/** Whether the database is a server, which other processes may use too. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

/** The files of the service's own TLS; undefined when it has none. */
export function tlsFilesOf({ tlsCert, tlsKey }: CloudSettings): { cert: string; key: string } | undefined {
  return tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
}

/** Where the service listens. @param port the one that it has got */
export function urlOf({ host, tlsCert }: CloudSettings, port: number): string {
  return `${tlsCert === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Where the sealing keys are. */
export function secretFileOf(settings: CloudSettings): string {
  return settings.secretFile ?? join(settings.data, "secret.key");
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
