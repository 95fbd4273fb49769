/** What the cloud is put together from: the only place that knows every part, and hands each what it needs. */
import type { Scope } from "@porchlight/shared/kernel";
import {
  AccessEntries,
  Authenticator,
  IdempotencyKeys,
  KeyKeeper,
  Quotas,
  References,
  Revocations,
  SEALED_ACCESS,
  SessionTokens,
  Tokens,
} from "./access/index.ts";
import {
  argon2Hasher,
  type Eraser,
  Erasures,
  ecosystemEraser,
  LogInLimiter,
  Passwords,
  recordsEraser,
  registerHolder,
} from "./accounts/index.ts";
import type { AppDeps, Parts } from "./composition/app-deps.ts";
import { openDatabase } from "./composition/open-database.ts";
import { quotaLimits, secretFileOf, tlsFilesOf, urlOf } from "./config/index.ts";
import { DeviceMemory, Devices } from "./devices/index.ts";
import { EventNotifier, EventRetention, LogWatch } from "./events/index.ts";
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
import { MailQueue, Outbox, SEALED_EMAILS, transportOf } from "./mail/index.ts";
import { storeRevocation } from "./nodes/index.ts";
import { Health, Metrics, Recorder, Retention, withoutEchoes } from "./ops/index.ts";
import { PairingCodeLimiter, Pairings } from "./pairing/index.ts";
import { Sweeper } from "./places/index.ts";
import { followedBy, joinNodes, warnOfOthers } from "./several-nodes.ts";
import { Streams } from "./streams/index.ts";
import { revokedBy, Tunnels, WebSocketGateway } from "./tunnels/index.ts";
import { Dispatcher, readNetworks, SEALED_WEBHOOKS, SharedClaims } from "./webhooks/index.ts";

export type { AppDeps, Parts } from "./composition/app-deps.ts";

/** All that is sealed in the database. */
export const SEALED_COLUMNS = [...SEALED_ACCESS, SEALED_EMAILS, SEALED_WEBHOOKS];

/** Each part after those that it stands on; the scope ends them the other way round. */
export async function compose(deps: AppDeps, scope: Scope): Promise<Parts> {
  const { settings, clock, random } = deps;
  const log = withoutEchoes(deps.log);
  const tlsFiles = tlsFilesOf(settings);
  const tls = tlsFiles && readTls(tlsFiles);
  const { claim, keyring, ids, store } = await openDatabase({ ...deps, log }, scope);

  const nodes = joinNodes({ ...deps, store, log }, scope);
  const revocations = new Revocations(nodes && { store: storeRevocation, invalidations: nodes.invalidations });
  const references = new References(store, nodes);
  const authenticator = scope.use(Authenticator.start({ store, clock, revocations }));
  const tokens = new Tokens({ store, clock, random, ids, keyring, revocations });
  const quotas = new Quotas(quotaLimits(settings));
  const entries = new AccessEntries({ quotas, clock, ids, revocations });
  const passwords = await Passwords.start(deps.hasher ?? argon2Hasher);

  const base = { others: nodes, store, references, clock, random, ids, log, tokens, entries, passwords, quotas };
  const memory = new DeviceMemory(base);
  const others = nodes && { invalidations: nodes.invalidations, onTaken: nodes.taken.bind(nodes) };
  const tunnels = await Tunnels.start({ ...base, listener: memory.hubEvents, settings, others });
  scope.defer(revocations.listen((revocation) => tunnels.revoke(revokedBy(revocation))));
  const hubs = {
    live: (clientId: string) => tunnels.registry.live(clientId),
    connection: tunnels.presence.connection.bind(tunnels.presence),
  };
  const devices = Devices.start({ ...base, memory, hubs, nodes });
  const sweeper = scope.use(Sweeper.start(base));

  const checks = [() => (tunnels.accepting ? undefined : "The node has lost its lease.")];
  const health = new Health({ ...base, checks, warning: () => nodes?.warning });
  const requestId = requestIds(random);
  const { publicUrl } = settings;
  const presence = hubs.connection;
  const place = { url: publicUrl ?? urlOf(settings, settings.port) };
  const outbox = new Outbox({ keyring });
  const mail = MailQueue.start({ ...base, keyring, outbox, transport: transportOf(settings, log) });
  const attempts = new LogInLimiter(base, settings.rateLimit === "off" ? "off" : settings.logInsPerMinute);
  const pairings = Pairings.start({
    ...base,
    lifeMs: settings.pairingLifeMs,
    intervalMs: settings.pairingIntervalMs,
    serviceUrl: () => place.url,
  });
  const codeLimiter = new PairingCodeLimiter(base, settings.rateLimit === "off" ? "off" : settings.pairingsPerMinute);
  const notifier = scope.use(EventNotifier.start(store));
  if (nodes) scope.use(LogWatch.start({ ...base, notifier }));
  const streams = scope.use(
    Streams.start({ ...base, notifier, revocations, streamsPerToken: settings.streamsPerToken }),
  );
  const followed = followedBy({ revocations, references, devices, tunnels, streams });
  scope.defer(store.onDoubt((ecosystemId) => followed.forget(ecosystemId)));
  if (!nodes) warnOfOthers({ clock, log }, tunnels, scope);
  await nodes?.hear(followed);
  const networks = readNetworks(settings.webhookAllow);
  const mailed = { outbox, serviceUrl: () => place.url };
  const claims = nodes && new SharedClaims({ ...base, isAlive: () => tunnels.alive });
  const webhooks = Dispatcher.start({ ...base, ...mailed, keyring, notifier, networks, claims, resolve: deps.resolve });
  scope.defer(
    revocations.listen((revocation) => {
      if (revocation.kind === "ecosystem") webhooks.wakeAll(revocation.subjectId);
    }),
  );
  const erasers: Eraser[] = [
    (_account, { ecosystems }) => pairings.forget(ecosystems),
    ecosystemEraser(store, revocations),
    (account: string) => mail.forget(account),
    recordsEraser(store),
  ];
  const erasures = Erasures.start({ ...base, attempts, erasers });
  const routes = allRoutes({
    ...base,
    authenticator,
    streams,
    devices,
    presence,
    health,
    attempts,
    erasures,
    sessionTokens: new SessionTokens(base),
    ...mailed,
    sender: webhooks,
    networks,
    keyring,
    pairings,
    codeLimiter,
    registerHolder: registerHolder(base),
    revocations,
    sweeper,
    pager: new Pager(keyring),
    publicUrl,
  });
  const hasLimits = settings.rateLimit !== "off";
  const lateRefusals = hasLimits ? new LateRefusals(base) : undefined;
  const recorder = Recorder.start({ ...base, everyMs: settings.recordEveryMs });
  const metrics = new Metrics({
    tunnels: () => tunnels.registry.size,
    writes: () => store.work,
    streams: () => streams.size,
    attempts: () => webhooks.attempts,
    webhookLag: () => webhooks.lag,
    nodes: () => Math.max(1, tunnels.livingNodes.length),
    cutConnections: () => lateRefusals?.cut ?? 0,
    bus: () => nodes?.reachesOthers,
  });
  scope.use(Retention.start(base));
  const { keepEventsDays, keepEventsMegabytes } = settings;
  scope.use(EventRetention.start({ ...base, keepEventsDays, keepEventsMegabytes }));
  const addresses = new Addresses(settings.trustedProxy);
  const keys = scope.use(IdempotencyKeys.start({ ...base, keyring }));
  const fastify = await httpServerOf({
    ...deps,
    routes,
    authenticator,
    nodes,
    health,
    tls,
    log,
    requestId,
    arrivals: scope.use(Arrivals.start(clock)),
    lateRefusals,
    idempotency: new Idempotency(keys, publicUrl),
    addresses,
    recorder,
    metrics,
  });
  // The server's end waits for every connection, and only the tunnels can end theirs.
  scope.defer(async () => {
    await Promise.all([fastify.close(), tunnels[Symbol.asyncDispose]()]);
  });
  // While the lease stands: without it nothing is written.
  scope.use(recorder);
  const sealed = { keyring, columns: SEALED_COLUMNS, path: secretFileOf(settings) };
  scope.use(KeyKeeper.start({ ...base, ...sealed }));
  scope.use(mail);
  scope.use(webhooks);
  scope.use(pairings);
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
