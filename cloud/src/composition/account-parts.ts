/** Starts the parts for accounts and hubs: emails, pairings, access, devices, exports and erasure. */

import type { Scope } from "@porchlight/shared/kernel";
import {
  AccessEntries,
  Authenticator,
  Quotas,
  References,
  Revocations,
  SessionTokens,
  Tokens,
} from "../access/index.ts";
import {
  Accounts,
  type AccountsDeps,
  argon2Hasher,
  type Eraser,
  Erasures,
  ecosystemEraser,
  LogInLimiter,
  type PasswordHasher,
  Passwords,
  recordsEraser,
  Servers,
  Users,
} from "../accounts/index.ts";
import { Alerts, type AlertsDeps } from "../alerts/index.ts";
import { quotaLimits } from "../config/index.ts";
import { DeviceMemory, Devices } from "../devices/index.ts";
import { LogReader } from "../events/index.ts";
import { allExporters, Exports, ExportWorker, eraseExports } from "../exports/index.ts";
import { MailQueue, Outbox, transportOf } from "../mail/index.ts";
import { storeRevocation } from "../nodes/index.ts";
import { AuditLog, RequestLog } from "../ops/index.ts";
import { CodeLogIns, PairingCodeLimiter, Pairings } from "../pairing/index.ts";
import {
  Clients,
  type ClientsDeps,
  Ecosystems,
  type EcosystemsDeps,
  Environments,
  type Presence,
  Zones,
} from "../places/index.ts";
import { HubScenes, Scenes, type ScenesDeps } from "../scenes/index.ts";
import { Tunnels } from "../tunnels/index.ts";
import { Webhooks, type WebhooksDeps } from "../webhooks/index.ts";
import type { Core } from "./core.ts";

/** The caller must end all parts but the outbox and the limiter while the node's lease is valid. */
export interface AccountParts {
  readonly outbox: Outbox;
  readonly mail: MailQueue;
  readonly pairings: Pairings;
  readonly codeLogIns: CodeLogIns;
  readonly codeLimiter: PairingCodeLimiter;
  readonly erasures: Erasures;
}

/** @param serviceUrl the service's URL in emails and for hubs */
export function startAccounts(core: Core, access: AccessParts, serviceUrl: () => string): AccountParts {
  const { settings, clock, random, log, store, keyring } = core;
  const { tokens, passwords, logInLimiter, revocations } = access;
  const { rateLimit, pairingsPerMinute, pairingLifeMs: lifeMs, pairingIntervalMs: intervalMs } = settings;
  const outbox = new Outbox({ keyring });
  const transport = transportOf(settings, log);
  const mail = MailQueue.start({ store, clock, random, log, keyring, outbox, transport });
  const pairings = Pairings.start({ store, clock, random, log, tokens, lifeMs, intervalMs, serviceUrl });
  const codeLogIns = CodeLogIns.start({ store, clock, random, log, tokens, lifeMs, intervalMs, serviceUrl });
  const codeLimiter = new PairingCodeLimiter({ store, clock }, rateLimit === "off" ? "off" : pairingsPerMinute);
  const erasers: Eraser[] = [
    (_account, { ecosystems }) => pairings.forget(ecosystems),
    (account) => codeLogIns.forget(account),
    ecosystemEraser(store, revocations),
    (account: string) => mail.forget(account),
    (account: string) => eraseExports(store, account),
    recordsEraser(store),
  ];
  const erasures = Erasures.start({ store, clock, log, tokens, passwords, logInLimiter, erasers });
  return { outbox, mail, pairings, codeLogIns, codeLimiter, erasures };
}

/** Hubs and their devices: the tunnels, the stored state of devices, and requests to them. */
interface DeviceParts {
  /** The caller must end it, with the HTTP server. */
  readonly tunnels: Tunnels;
  /** The caller must end it, after the tunnels. */
  readonly devices: Devices;
  readonly presence: Presence;
}

export async function startDevices(core: Core, access: AccessParts, scope: Scope): Promise<DeviceParts> {
  const { settings, clock, random, ids, log, store, nodes } = core;
  const { quotas, references, revocations, tokens } = access;
  const stored = { store, clock, ids, log, quotas, others: nodes };
  const memory = new DeviceMemory(stored);
  const others = nodes && { invalidations: nodes.invalidations, onTaken: nodes.taken.bind(nodes) };
  const listener = memory.hubEvents;
  const tunnels = await Tunnels.start({ store, clock, random, log, tokens, listener, settings, others });
  scope.defer(revocations.listen((revocation) => tunnels.revoke(revocation)));
  const connection = tunnels.presence.connection.bind(tunnels.presence);
  const hubs = { live: (clientId: string) => tunnels.registry.live(clientId), connection };
  const devices = Devices.start({ ...stored, references, memory, hubs, nodes });
  memory.teller.add(new HubScenes({ store, devices }));
  return { tunnels, devices, presence: connection };
}

/** Access control: references, credentials, tokens, quotas and passwords. */
export interface AccessParts {
  readonly revocations: Revocations;
  readonly references: References;
  readonly authenticator: Authenticator;
  readonly tokens: Tokens;
  readonly sessionTokens: SessionTokens;
  readonly quotas: Quotas;
  readonly entries: AccessEntries;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
}

export async function startAccess(core: Core, hasher: PasswordHasher | undefined, scope: Scope): Promise<AccessParts> {
  const { settings, clock, random, ids, store, keyring, nodes } = core;
  const { rateLimit, logInsPerMinute } = settings;
  const revocations = new Revocations(nodes && { store: storeRevocation, invalidations: nodes.invalidations });
  const quotas = new Quotas(quotaLimits(settings));
  return {
    revocations,
    references: new References(store, nodes),
    authenticator: scope.use(Authenticator.start({ store, clock, revocations })),
    tokens: new Tokens({ store, clock, random, ids, keyring, revocations }),
    sessionTokens: new SessionTokens({ clock, random }),
    quotas,
    entries: new AccessEntries({ quotas, clock, ids, revocations }),
    passwords: await Passwords.start(hasher ?? argon2Hasher),
    logInLimiter: new LogInLimiter({ store, clock }, rateLimit === "off" ? "off" : logInsPerMinute),
  };
}

/** The dependencies of every use-case that lists data of an account: an export archives all of it. */
type ExportedUseCases = AccountsDeps &
  AlertsDeps &
  EcosystemsDeps &
  ClientsDeps &
  ScenesDeps &
  WebhooksDeps & { readonly devices: Devices };

interface ExportParts {
  readonly exports: Exports;
  /** The caller must end it, while the node's lease is valid. */
  readonly worker: ExportWorker;
}

export function startExports(core: Core, access: AccessParts, deps: ExportedUseCases): ExportParts {
  const { settings, store, clock, log, ids } = core;
  const { rateLimit, exportMegabytes, keepExportsDays } = settings;
  const exporters = allExporters({
    ...{ store, presence: deps.presence, devices: deps.devices },
    ...{ accounts: new Accounts(deps), users: new Users(deps), servers: new Servers(deps), alerts: new Alerts(deps) },
    ...{ ecosystems: new Ecosystems(deps), environments: new Environments(deps), zones: new Zones(deps) },
    scenes: new Scenes(deps),
    ...{ clients: new Clients(deps), webhooks: new Webhooks(deps), logReader: new LogReader(store) },
    ...{ auditLog: new AuditLog(deps), requestLog: new RequestLog(deps) },
  });
  const { outbox, serviceUrl } = deps;
  const made = { exporters, outbox, serviceUrl, exportMegabytes, keepExportsDays };
  const worker = ExportWorker.start({ store, clock, log, ...made });
  const { passwords, logInLimiter } = access;
  const exports = new Exports({
    ...{ store, clock, ids, passwords, logInLimiter },
    limitsStarts: rateLimit !== "off",
    onStarted: () => worker.wake(),
  });
  return { exports, worker };
}
