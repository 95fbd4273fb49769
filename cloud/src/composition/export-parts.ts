/** Exports of accounts: every use-case that lists something of an account, behind what makes an archive of it all. */
import { Accounts, type AccountsDeps, Servers, Users } from "../accounts/index.ts";
import { Alerts, type AlertsDeps } from "../alerts/index.ts";
import type { Devices } from "../devices/index.ts";
import { LogReader } from "../events/index.ts";
import { allExporters, Exports, ExportWorker } from "../exports/index.ts";
import { AuditLog, RequestLog } from "../ops/index.ts";
import { Clients, type ClientsDeps, Ecosystems, type EcosystemsDeps, Environments, Zones } from "../places/index.ts";
import { Scenes, type ScenesDeps } from "../scenes/index.ts";
import { Webhooks, type WebhooksDeps } from "../webhooks/index.ts";
import type { AccessParts } from "./access-parts.ts";
import type { Core } from "./core.ts";

/** What the use-cases need, as the routes do. */
export type ExportedUseCases = AccountsDeps &
  AlertsDeps &
  EcosystemsDeps &
  ClientsDeps &
  ScenesDeps &
  WebhooksDeps & { readonly devices: Devices };

export interface ExportParts {
  readonly exports: Exports;
  /** To be ended by the caller, while the node's lease stands. */
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
