/** Assembles the HTTP server: the limits for every request, the pages for people, and `/metrics`. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { FastifyInstance } from "fastify";
import type { CloudSettings } from "./config/index.ts";
import { Docs } from "./docs/index.ts";
import {
  type Addresses,
  AnonymousRequests,
  buildServer,
  OwnerTurns,
  onceASecond,
  openApi,
  type Pages,
  RateLimits,
  type ServerDeps,
  serveMetrics,
} from "./http/index.ts";
import type { ThisNode } from "./nodes/index.ts";
import type { Health, Metrics, Recorder } from "./ops/index.ts";
import { Portal } from "./portal/index.ts";

type Handed =
  | "routes"
  | "authenticator"
  | "isVerified"
  | "tls"
  | "log"
  | "requestId"
  | "arrivals"
  | "lateRefusals"
  | "idempotency"
  | "storage";

export interface ServedDeps extends Pick<ServerDeps, Handed> {
  readonly addresses: Addresses;
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** See {@link AppDeps.processorTime}. */
  readonly processorTime?: (() => number) | undefined;
  /** Undefined for a single node. */
  readonly nodes: ThisNode | undefined;
  readonly health: Health;
  readonly recorder: Recorder;
  /** Watches every request, and makes the text of `/metrics`. */
  readonly metrics: Metrics;
}

/** Builds the server; it does not listen yet. */
export async function httpServerOf(deps: ServedDeps): Promise<FastifyInstance> {
  const { settings, clock, processorTime, nodes, health, recorder, metrics, addresses } = deps;
  const isBudgeted = settings.rateLimit !== "off" && processorTime;
  const server = buildServer({
    ...deps,
    pages: await pagesOf(deps),
    publicUrl: settings.publicUrl,
    isStopping: () => health.isStopping,
    catchUp: nodes && ((outcome) => nodes.catchUp(outcome)),
    limits: new RateLimits(clock, settings),
    anonymous: isBudgeted ? new AnonymousRequests({ clock, processorTime, addresses }) : undefined,
    turns: isBudgeted ? new OwnerTurns({ clock, processorTime }) : undefined,
    watchers: [recorder, metrics],
  });
  if (settings.metricsPort === undefined)
    serveMetrics(server, onceASecond(clock, metrics), { addresses, token: settings.metricsToken?.reveal() });
  return server;
}

/** The portal with the documents, or only the documents. */
async function pagesOf({ settings: { portal, publicUrl }, routes, random, log }: ServedDeps): Promise<Pages> {
  const documents = new Docs(() => openApi(routes, publicUrl));
  if (portal === "off") return documents;
  const pages = await Portal.open(portal, documents, random);
  if (pages === documents) log.warn({ folder: portal }, "the portal is missing; only the documents are served");
  return pages;
}
