/** What an operator can set of the cloud, from file, environment and flags. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Secret } from "@porchlight/shared/settings";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { isNatsUrls } from "./nats-urls.ts";
import { quotaSettings } from "./quotas.ts";

/** Where data goes when nobody says: the place of a packaged installation. */
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

const milliseconds = (byDefault: number) => z.int().min(1).default(byDefault);

export const cloudSettings = z
  .strictObject({
    /** Address to listen on. */
    host: z.string().min(1).default("127.0.0.1"),
    /** 0 is any free one. */
    port: z.int().min(0).max(65_535).default(8080),
    /** Folder of all that the cloud keeps. */
    data: z.string().min(1).default(DEFAULT_DATA),
    /** `postgres://…`, or the path of an SQLite file; `cloud.db` in the data folder when left out. */
    database: z.string().min(1).optional(),
    /** Where the nodes of a service that has several reach each other: `nats://` or `tls://`, commas between, with user and password. */
    nats: z
      .string()
      .refine(isNatsUrls, "must be nats://HOST:PORT or tls://HOST:PORT, commas between")
      .transform((urls) => new Secret(urls))
      .optional(),
    /** The service's address as others reach it, without `/api`. */
    publicUrl: z
      .url({ protocol: /^https?$/ })
      .transform(withoutSlash)
      .optional(),
    /** PEM files of a certificate with its chain, and of its key: with both the service speaks https and wss, and no http. */
    tlsCert: z.string().min(1).optional(),
    tlsKey: z.string().min(1).optional(),
    /** File of the sealing keys; `secret.key` in the data folder when left out. */
    secretFile: z.string().min(1).optional(),
    /** Requests a second that one token may make, twice as many at once; `off` is no limit of any kind. */
    rateLimit: limit(200),
    /** Requests a second that all tokens of one account and its ecosystems may make together, twice as many at once. */
    ownerRateLimit: limit(800),
    /** Of one address, requests whose credential is missing or bad. */
    badCredentialsPerSecond: limit(20),
    /** Of one address. */
    logInsPerMinute: limit(10),
    signUpsPerMinute: limit(10),
    pairingsPerMinute: limit(10),
    passwordResetsPerMinute: limit(10),
    /** Event streams that one token may have open at once. */
    streamsPerToken: z.int().min(1).default(100),
    /** How long events are kept, for streams that resume and webhooks that are replayed. */
    keepEventsDays: z.int().min(1).default(7),
    /** How many million bytes of events of one ecosystem are kept: the oldest go first. */
    keepEventsMegabytes: z.int().min(1).default(2_000),
    /** `/metrics` is served there, at the same address, and not with the API; 0 is any free one. */
    metricsPort: z.int().min(0).max(65_535).optional(),
    /** Whoever shows it in `authorization` reads `/metrics` from elsewhere; only programs of this machine do when left out. */
    metricsToken: z
      .string()
      .min(16)
      .transform((token) => new Secret(token))
      .optional(),
    /** Proxies whose word on where a request comes from is believed. */
    trustedProxy: z.array(network).default([]),
    /** Networks besides the public one that webhooks may be sent to, also without TLS. */
    webhookAllow: z.array(network).default([]),
    /** The server that takes mail, `smtp://` or `smtps://`, with user and password; without it each email is a file. */
    smtp: z
      .url({ protocol: /^smtps?$/, hostname: /./ })
      .refine((url) => URL.canParse(url) && new URL(url).search === "", "takes no options after a question mark")
      .transform((url) => new Secret(url))
      .optional(),
    /** The address that emails come from; `porchlight@` the public host when left out. */
    mailFrom: z
      .string()
      .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, "must be an e-mail address")
      .optional(),
    /** Folder of the built portal; `off` serves the documents alone. */
    portal: z
      .string()
      .min(1)
      .default(fileURLToPath(new URL("../../../portal/dist", import.meta.url))),
    /** What is logged: this and what is graver. */
    logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    /** A tunnel from which nothing was heard for this long is over. */
    leaseMs: milliseconds(15_000),
    /** How often a hub is heard. */
    heartbeatMs: milliseconds(5_000),
    /** Time for a hub's hello. */
    helloMs: milliseconds(5_000),
    /** How often all tunnels are looked over. */
    sweepMs: milliseconds(1_000),
    /** A hub's absence shorter than this is no event. */
    offlineAfterMs: milliseconds(10_000),
    /** For this long after a start no hub of the time before is called offline. */
    startGraceMs: milliseconds(60_000),
    /** Hubs let in a second, and at once. */
    handshakesPerSecond: z.int().min(1).default(600),
    handshakeBurst: z.int().min(1).default(600),
    /** Where there are other nodes: for so long balancers may see that this one stops before it takes no more requests. */
    drainNoticeMs: z.int().min(0).default(5_000),
    /** Hubs are sent away over this time when the service stops. */
    drainSpreadMs: z.int().min(0).default(5_000),
    /** Calls in flight have this long to end when the service stops. */
    drainLimitMs: milliseconds(20_000),
    /** For so long after the start of a node, those that are older by so much send hubs on to it; 0 is never. */
    rolloutMs: z.int().min(0).default(600_000),
    youngerByMs: z.int().min(0).default(600_000),
    /** Requests are counted in memory for so long before they are stored: as long as the API says that they may be late, or less. */
    recordEveryMs: z.int().min(1).max(10_000).default(10_000),
    /** How long a pairing's code is good, and the least time between two polls of a hub. */
    pairingLifeMs: milliseconds(900_000),
    pairingIntervalMs: milliseconds(5_000),
    ...quotaSettings,
  })
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
