/** The composition root: the only file that knows every part, and passes each its dependencies. */
import type { Scope } from "@porchlight/shared/kernel";
import { IdempotencyKeys, KeyKeeper, SEALED_ACCESS } from "./access/index.ts";
import { isAddressVerified, registerHolder } from "./accounts/index.ts";
import { startAccess, startAccounts, startDevices, startExports } from "./composition/account-parts.ts";
import { type AppDeps, type Parts, startCore } from "./composition/core.ts";
import { startAlerts, startHistory, startSinks, startStreams, startWebhooks } from "./composition/event-parts.ts";
import { freeBytesIn, secretFileOf, tlsFilesOf, urlOf, verifiesAddresses } from "./config/index.ts";
import {
  Addresses,
  Arrivals,
  allRoutes,
  Idempotency,
  LateRefusals,
  Pager,
  readTls,
  requestIds,
  upgradeRefusal,
} from "./http/index.ts";
import { httpServerOf } from "./http-server.ts";
import { SEALED_EMAILS } from "./mail/index.ts";
import { CommandTrimmer, Descriptors, Health, Metrics, Recorder, Retention, StorageUse } from "./ops/index.ts";
import { Sweeper } from "./places/index.ts";
import { followedBy, warnOfOthers } from "./several-nodes.ts";
import { SEALED_SINKS } from "./sinks/index.ts";
import { WebSocketGateway } from "./tunnels/index.ts";
import { SEALED_WEBHOOKS } from "./webhooks/index.ts";

export type { AppDeps, Parts } from "./composition/core.ts";

/** All sealed columns of the database. */
export const SEALED_COLUMNS = [...SEALED_ACCESS, SEALED_EMAILS, SEALED_WEBHOOKS, SEALED_SINKS];

/** Starts each part after its dependencies; the scope ends them in reverse order. */
export async function compose(deps: AppDeps, scope: Scope): Promise<Parts> {
  const tlsFiles = tlsFilesOf(deps.settings);
  const tls = tlsFiles && readTls(tlsFiles);
  const core = await startCore(deps, scope);
  const { settings, clock, random, ids, log, store, keyring, claim, nodes } = core;
  const { publicUrl } = settings;
  const place: Parts["place"] = { url: publicUrl ?? urlOf(settings, settings.port) };
  const serviceUrl = () => place.url;

  const access = await startAccess(core, deps.hasher, scope);
  const { revocations, references, authenticator } = access;
  const { tunnels, devices, presence } = await startDevices(core, access, scope);
  const sweeper = scope.use(Sweeper.start({ store, clock, log }));
  const { outbox, mail, pairings, codeLogIns, codeLimiter, erasures } = startAccounts(core, access, serviceUrl);
  const { notifier, streams } = startStreams(core, access, scope);
  const followed = followedBy({ revocations, references, devices, tunnels, streams });
  scope.defer(store.onDoubt((ecosystemId) => followed.forget(ecosystemId)));
  if (!nodes) warnOfOthers({ clock, log }, tunnels, scope);
  await nodes?.hear(followed);
  const sent = { access, notifier, outbox, serviceUrl, isAlive: () => tunnels.alive, resolve: deps.resolve };
  const { webhooks, networks } = startWebhooks(core, sent, scope);

  const history = startHistory(core, tunnels, scope);
  const { sinkDispatcher, posts } = startSinks(core, { tunnels, networks, resolve: deps.resolve }, scope);
  const checks = [
    () => (tunnels.accepting ? undefined : "The node has lost its lease."),
    () => (tunnels.knowsOthers ? undefined : "The node has just started and does not know yet which other nodes live."),
  ];
  const descriptors = scope.use(Descriptors.start({ clock, log }));
  const warnings = [
    () => descriptors.warning,
    () => nodes?.warning,
    () => history.warning,
    () => store.setAside.warning,
  ];
  const health = new Health({ store, clock, checks, warnings });
  const useCases = {
    ...access,
    ...{ store, clock, random, ids, log, keyring, publicUrl, serviceUrl },
    ...{ devices, history, presence, sweeper, outbox, networks, posts, sinkDispatcher },
    sender: webhooks,
    registerHolder: registerHolder({ ids, clock }),
    limitsTests: settings.rateLimit !== "off",
  };
  const storage = scope.use(new StorageUse({ store, clock, log, limit: settings.maxMegabytesPerAccount }));
  const { exports, worker } = startExports(core, access, useCases);
  const routes = allRoutes({
    ...useCases,
    ...{ pairings, codeLogIns, codeLimiter, erasures, exports, streams, health, storage },
    pager: new Pager(keyring, settings.pageKilobytes * 1024),
  });
  const requestId = requestIds(random);
  const hasLimits = settings.rateLimit !== "off";
  const lateRefusals = hasLimits ? new LateRefusals({ clock, random }) : undefined;
  const recorder = Recorder.start({ store, clock, log, everyMs: settings.recordEveryMs });
  const metrics = new Metrics({
    tunnels: () => tunnels.registry.size,
    writes: () => store.work,
    streams: () => streams.size,
    attempts: () => webhooks.attempts,
    webhookLag: () => webhooks.lag,
    historyLag: () => history.lag,
    historyLagMs: () => history.lagMs,
    setAside: () => store.setAside.counts,
    sinkLag: () => sinkDispatcher.lag,
    nodes: () => Math.max(1, tunnels.livingNodes.length),
    cutConnections: () => lateRefusals?.cut ?? 0,
    descriptorShortages: () => descriptors.shortages,
    bus: () => nodes?.reachesOthers,
    isAvailable: (work) => store.isAvailable(work),
    freeBytes: () => freeBytesIn(settings.data),
    certificateExpiry: () => place.certificate?.expiresAt,
    storage: () => storage.total(),
  });
  scope.use(Retention.start({ store, clock, log }));
  scope.use(CommandTrimmer.start({ store, clock, log, keepCommandsMegabytes: settings.keepCommandsMegabytes }));
  const addresses = new Addresses(settings.trustedProxy);
  const keys = scope.use(IdempotencyKeys.start({ store, clock, random, log, keyring }));
  const fastify = await httpServerOf({
    ...deps,
    routes,
    authenticator,
    isVerified: verifiesAddresses(settings) ? (account) => isAddressVerified(store, account) : undefined,
    nodes,
    health,
    tls,
    log,
    requestId,
    arrivals: scope.use(Arrivals.start(clock)),
    lateRefusals,
    idempotency: new Idempotency(keys, publicUrl),
    storage,
    addresses,
    recorder,
    metrics,
  });
  // Closing the server waits for every connection, and only the tunnels can end theirs.
  scope.defer(async () => {
    await Promise.all([fastify.close(), tunnels[Symbol.asyncDispose]()]);
  });
  // Ended while the lease is valid: without it nothing is written.
  scope.use(recorder);
  const sealed = { keyring, columns: SEALED_COLUMNS, path: secretFileOf(settings) };
  scope.use(KeyKeeper.start({ store, clock, log, ...sealed }));
  scope.use(mail);
  scope.use(startAlerts(core, { access, outbox, serviceUrl, tunnels, storage }));
  scope.use(history);
  scope.use(sinkDispatcher);
  scope.use(worker);
  scope.use(webhooks);
  scope.use(pairings);
  scope.use(codeLogIns);
  scope.use(erasures);
  scope.use(devices);
  scope.use(
    WebSocketGateway.start(fastify.server, {
      clock,
      log,
      tunnels,
      nodes: () => tunnels.nodes,
      authenticateClient: async (token) => {
        await nodes?.catchUp();
        const principal = await authenticator.authenticateClient(token);
        recorder.used(principal.tokenId);
        return principal;
      },
      refusal: (error) => upgradeRefusal(error, requestId(), publicUrl),
      address: (request) => addresses.of(request),
    }),
  );
  return {
    fastify,
    store,
    nodes,
    authenticator,
    tunnels,
    streams,
    webhooks,
    health,
    recorder,
    metrics,
    routes,
    place,
    claim,
    tls,
  };
}
