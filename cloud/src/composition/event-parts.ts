/** Events on their way to consumers: event streams and webhooks. */
import type { Scope } from "@porchlight/shared/kernel";
import { EventNotifier, LogWatch } from "../events/index.ts";
import type { Outbox } from "../mail/index.ts";
import { Streams } from "../streams/index.ts";
import { Dispatcher, type Networks, type Resolve, readNetworks, SharedClaims } from "../webhooks/index.ts";
import type { AccessParts } from "./access-parts.ts";
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
  /** Whether this node's lease stands. */
  readonly isAlive: () => boolean;
  readonly resolve?: Resolve | undefined;
}

export interface WebhookParts {
  /** To be ended by the caller, while the node's lease stands. */
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
