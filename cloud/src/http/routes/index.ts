/** Every route of the service; each family declares the use-cases that it needs. */
import type { Clock, IdMaker, Log, Random } from "@porchlight/shared/kernel";
import type {
  AccessEntries,
  Keyring,
  Quotas,
  References,
  Revocations,
  SessionTokens,
  Tokens,
} from "../../access/index.ts";
import {
  AccountChanges,
  Accounts,
  AddressVerification,
  type Erasures,
  GrantEnder,
  Grants,
  KnownBrowsers,
  type LogInLimiter,
  LogIns,
  type MailOutbox,
  PasswordResets,
  type Passwords,
  Servers,
  Sessions,
  SubjectTokens,
  UserAccess,
  Users,
} from "../../accounts/index.ts";
import { Alerts } from "../../alerts/index.ts";
import type { Devices } from "../../devices/index.ts";
import type { Exports } from "../../exports/index.ts";
import type { History } from "../../history/index.ts";
import { Activity, AuditLog, type Health, QuotaUse, RequestLog, type StorageUse } from "../../ops/index.ts";
import {
  Approvals,
  CodeLogInApprovals,
  type CodeLogIns,
  type PairingCodeLimiter,
  type Pairings,
} from "../../pairing/index.ts";
import {
  Clients,
  Ecosystems,
  Environments,
  type Presence,
  type RegisterHolder,
  type SweepTrigger,
  Zones,
} from "../../places/index.ts";
import { Scenes } from "../../scenes/index.ts";
import { type Posts, type SinkDispatcher, Sinks } from "../../sinks/index.ts";
import type { Store } from "../../store/index.ts";
import { EventLog } from "../../streams/index.ts";
import { Deliveries, type Networks, type Sender, Webhooks } from "../../webhooks/index.ts";
import { Why } from "../../why/index.ts";
import type { Pager } from "../routing/page.ts";
import type { Route } from "../routing/route.ts";
import { clientDriverRoutes } from "./access/client-drivers.ts";
import { clientMaintenanceRoutes } from "./access/client-maintenance.ts";
import { clientRoutes } from "./access/clients.ts";
import { pairingRoutes } from "./access/pairings.ts";
import { serverRoutes } from "./access/servers.ts";
import { userRoutes } from "./access/users.ts";
import { accountRoutes, exportRoutes, quotaRoutes } from "./accounts/account.ts";
import { accountsRoutes } from "./accounts/accounts.ts";
import { codeLogInRoutes } from "./accounts/code-log-ins.ts";
import { auditRoutes, requestRoutes } from "./accounts/requests.ts";
import { HostCookie, sessionRoutes } from "./accounts/session.ts";
import { tokenRoutes } from "./accounts/tokens.ts";
import { commandRoutes, deviceRoutes, whyRoutes } from "./devices/devices.ts";
import { historyRoutes } from "./devices/history.ts";
import { activityRoutes } from "./events/activity.ts";
import { alertRoutes } from "./events/alerts.ts";
import { type EventRouteDeps, eventLogRoutes, eventRoutes } from "./events/event-log.ts";
import { sinkRoutes } from "./events/sinks.ts";
import { webhookDeliveryRoutes, webhookRoutes } from "./events/webhooks.ts";
import { ecosystemRoutes } from "./places/ecosystems.ts";
import { environmentRoutes, environmentServiceRoutes } from "./places/environments.ts";
import { sceneCallRoutes, sceneRoutes } from "./places/scenes.ts";
import { zoneRoutes, zoneServiceRoutes } from "./places/zones.ts";
import { catalogueRoutes, described, serviceRoutes } from "./service.ts";

export interface RoutesDeps extends EventRouteDeps {
  readonly store: Store;
  readonly references: References;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly tokens: Tokens;
  readonly entries: AccessEntries;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
  readonly sessionTokens: SessionTokens;
  readonly outbox: MailOutbox;
  readonly pairings: Pairings;
  readonly codeLogIns: CodeLogIns;
  readonly codeLimiter: PairingCodeLimiter;
  readonly sender: Sender;
  readonly networks: Networks;
  readonly posts: Posts;
  readonly sinkDispatcher: SinkDispatcher;
  readonly keyring: Keyring;
  readonly erasures: Erasures;
  readonly exports: Exports;
  readonly random: Random;
  readonly registerHolder: RegisterHolder;
  readonly revocations: Revocations;
  readonly sweeper: SweepTrigger;
  readonly quotas: Quotas;
  readonly storage: StorageUse;
  readonly devices: Devices;
  readonly history: History;
  readonly presence: Presence;
  readonly health: Health;
  readonly pager: Pager;
  readonly publicUrl: string | undefined;
  /** Whether tests of alerts are rate-limited. */
  readonly limitsTests: boolean;
  /** URL of the service in emails. */
  readonly serviceUrl: () => string;
}

export function allRoutes(deps: RoutesDeps): Route[] {
  const { pager, health, publicUrl, erasures } = deps;
  const webhooks = new Webhooks(deps);
  const sinks = new Sinks({ ...deps, dispatcher: deps.sinkDispatcher });
  const grants = new Grants(deps);
  const grantEnder = new GrantEnder({ ...deps, otherGrants: { webhooks, sinks, pairings: deps.pairings } });
  const accounts = new Accounts(deps);
  const addresses = new AddressVerification({ ...deps, grantEnder });
  const resets = new PasswordResets({ ...deps, grants, grantEnder });
  const logIns = new LogIns(deps);
  const cookie = new HostCookie("porchlight", publicUrl);
  const known = {
    knownBrowsers: new KnownBrowsers(deps),
    knownCookie: new HostCookie("porchlight-known", publicUrl),
  };
  const clients = new Clients(deps);
  const scenes = new Scenes(deps);
  const routes = [
    ...accountsRoutes({ ...deps, accounts, logIns, addresses, resets, cookie, ...known }),
    ...codeLogInRoutes({ codeLogIns: deps.codeLogIns, approvals: new CodeLogInApprovals(deps) }),
    ...accountRoutes({ accounts, changes: new AccountChanges(deps), erasures, logIns, grants, pager }),
    ...exportRoutes(deps),
    ...sessionRoutes({ sessions: new Sessions(deps), cookie }),
    ...ecosystemRoutes({ ecosystems: new Ecosystems(deps), pager }),
    ...environmentRoutes({ environments: new Environments(deps), pager }),
    ...userRoutes({ users: new Users(deps), userAccess: new UserAccess(deps), pager }),
    ...serverRoutes({ servers: new Servers(deps), pager }),
    ...zoneRoutes({ zones: new Zones(deps), pager }),
    ...sceneRoutes({ scenes, pager }),
    ...sceneCallRoutes({ scenes }),
    ...clientRoutes({ clients, pager }),
    ...clientDriverRoutes({ clients, devices: deps.devices }),
    ...clientMaintenanceRoutes({ ...deps, clients }),
    ...pairingRoutes({ pairings: deps.pairings, approvals: new Approvals({ ...deps, clients }), clients }),
    ...webhookRoutes({ webhooks, pager }),
    ...webhookDeliveryRoutes({ deliveries: new Deliveries(deps), pager }),
    ...sinkRoutes({ sinks }),
    ...alertRoutes({ alerts: new Alerts(deps), pager }),
    ...deviceRoutes(deps),
    ...historyRoutes(deps),
    ...whyRoutes({ ...deps, why: new Why(deps) }),
    ...environmentServiceRoutes(deps),
    ...zoneServiceRoutes(deps),
    ...catalogueRoutes(),
    ...commandRoutes(deps),
    ...eventRoutes(deps),
    ...eventLogRoutes({ ...deps, eventLog: new EventLog(deps.store), pager }),
    ...tokenRoutes({ subjectTokens: new SubjectTokens(deps), pager }),
    ...requestRoutes({ requestLog: new RequestLog(deps), pager }),
    ...activityRoutes({ ...deps, activity: new Activity(deps), pager }),
    ...auditRoutes({ auditLog: new AuditLog(deps), pager }),
    ...quotaRoutes({ quotaUse: new QuotaUse(deps), storage: deps.storage }),
    ...serviceRoutes({ health }),
  ];
  return described(routes, publicUrl);
}
