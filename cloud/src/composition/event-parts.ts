/** Starts the parts that deliver and record events: event streams, webhooks, history, sinks and alerts. */
import type { Scope } from "@porchlight/shared/kernel";
import { AlertWatch } from "../alerts/index.ts";
import { EventNotifier, EventRetention, LogWatch } from "../events/index.ts";
import { History } from "../history/index.ts";
import type { Outbox } from "../mail/index.ts";
import { quotaUseOf, type StorageUse, storageQuotaOf } from "../ops/index.ts";
import { type Posts, SinkDispatcher } from "../sinks/index.ts";
import { Streams } from "../streams/index.ts";
import type { Tunnels } from "../tunnels/index.ts";
import {
  Connections,
  Dispatcher,
  dnsResolve,
  type Networks,
  type Resolve,
  readNetworks,
  SharedClaims,
  WebhookSender,
} from "../webhooks/index.ts";
import type { AccessParts } from "./account-parts.ts";
import type { Core } from "./core.ts";

export interface StreamParts {
  readonly notifier: EventNotifier;
  readonly streams: Streams;
}

export function startStreams(core: Core, { revocations }: AccessParts, scope: Scope): StreamParts {
  const { settings, clock, log, store, nodes } = core;
  const { streamsPerToken } = settings;
  const notifier = scope.use(EventNotifier.start(store));
  if (nodes) scope.use(LogWatch.start({ store, clock, log, notifier }));
  const streams = scope.use(Streams.start({ store, clock, log, notifier, revocations, streamsPerToken }));
  return { notifier, streams };
}

export interface WebhookDeps {
  readonly access: AccessParts;
  readonly notifier: EventNotifier;
  readonly outbox: Outbox;
  readonly serviceUrl: () => string;
  /** Whether this node's lease is valid. */
  readonly isAlive: () => boolean;
  readonly resolve?: Resolve | undefined;
}

export interface WebhookParts {
  /** The caller must end it, while the node's lease is valid. */
  readonly webhooks: Dispatcher;
  readonly networks: Networks;
}

export function startWebhooks(core: Core, deps: WebhookDeps, scope: Scope): WebhookParts {
  const { settings, clock, random, ids, log, store, keyring, nodes } = core;
  const { access, isAlive, notifier, outbox, serviceUrl, resolve } = deps;
  const networks = readNetworks(settings.webhookAllow);
  const claims = nodes && new SharedClaims({ store, clock, log, isAlive });
  const sent = { keyring, outbox, serviceUrl, notifier, networks, claims, resolve };
  const webhooks = Dispatcher.start({ store, clock, random, ids, log, ...sent });
  scope.defer(
    access.revocations.listen((revocation) => {
      if (revocation.kind === "ecosystem") webhooks.wakeAll(revocation.subjectId);
    }),
  );
  return { webhooks, networks };
}

/** The caller must end it, while the node's lease is valid. Unrecorded events stay in the logs. */
export function startHistory(core: Core, tunnels: Pick<Tunnels, "alive" | "isFirst">, scope: Scope): History {
  const { settings, clock, log, store, processorTime } = core;
  const { keepEventsDays, keepEventsMegabytes } = settings;
  const history = History.start({
    ...{ store, clock, log, processorTime },
    isChosen: () => tunnels.alive && tunnels.isFirst,
    limits: {
      rawDays: settings.historyRawDays,
      statisticsDays: settings.historyStatisticsDays,
      mostRawDays: settings.historyRawDaysLimit,
      mostStatisticsDays: settings.historyStatisticsDaysLimit,
    },
  });
  const readUpTo = (eco: string) => history.recordedUpTo(eco);
  scope.use(EventRetention.start({ store, clock, log, keepEventsDays, keepEventsMegabytes, readUpTo }));
  return history;
}

export interface SinkDeps {
  readonly tunnels: Pick<Tunnels, "alive" | "isFirst">;
  /** Networks besides public addresses that deliveries may be sent to. */
  readonly networks: Networks;
  readonly resolve?: Resolve | undefined;
}

export interface SinkParts {
  /** The caller must end it, while the node's lease is valid. */
  readonly sinkDispatcher: SinkDispatcher;
  readonly posts: Posts;
}

/** Events that a sink has not received yet stay in the log. */
export function startSinks(core: Core, { tunnels, networks, resolve }: SinkDeps, scope: Scope): SinkParts {
  const { clock, random, log, store, keyring } = core;
  const connections = scope.use(new Connections());
  const posts = new WebhookSender({ clock, networks, connections, resolve: resolve ?? dnsResolve() });
  const isChosen = () => tunnels.alive && tunnels.isFirst;
  return { posts, sinkDispatcher: SinkDispatcher.start({ store, clock, random, log, keyring, posts, isChosen }) };
}

export interface AlertDeps {
  readonly access: AccessParts;
  readonly outbox: Outbox;
  readonly serviceUrl: () => string;
  readonly tunnels: Pick<Tunnels, "alive" | "isFirst" | "livingNodes">;
  readonly storage: StorageUse;
}

/** The caller must end it, while the node's lease is valid. */
export function startAlerts(core: Core, deps: AlertDeps): AlertWatch {
  const { clock, log, store } = core;
  const { access, outbox, serviceUrl, tunnels, storage } = deps;
  const { limits } = access.quotas;
  const startedAt = clock.now();
  const node = {
    isAlive: () => tunnels.alive,
    isFirst: () => tunnels.isFirst,
    oldestStart: () => Math.min(startedAt, ...tunnels.livingNodes.map(({ started_at }) => started_at)),
  };
  const quotasOf = async (eco: string) => {
    const used = await quotaUseOf(store, eco, clock.now());
    const stored = await storageQuotaOf({ store, storage }, eco);
    if (stored !== undefined) used.set("megabytesPerAccount", stored);
    return [...used].map(([id, count]) => ({ id, used: count, limit: limits[id] }));
  };
  return AlertWatch.start({ store, clock, log, outbox, serviceUrl, node, quotasOf });
}
