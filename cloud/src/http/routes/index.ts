/** Every route of the service, each family over the use-cases that it needs. */
import type { Clock, IdMaker, Log } from "@porchlight/shared/kernel";
import type { AccessEntries, Quotas, References, Tokens } from "../../access/index.ts";
import { Accounts, LogIns, type Passwords, Servers, SubjectTokens, UserAccess, Users } from "../../accounts/index.ts";
import type { Devices } from "../../devices/index.ts";
import type { Health } from "../../ops/index.ts";
import { Clients, Ecosystems, Environments, type Presence, Zones } from "../../places/index.ts";
import type { Store } from "../../store/index.ts";
import type { Pager } from "../page.ts";
import type { Route } from "../route.ts";
import { accountRoutes } from "./accounts.ts";
import { clientRoutes } from "./clients.ts";
import { commandRoutes } from "./commands.ts";
import { deviceRoutes } from "./devices.ts";
import { ecosystemRoutes } from "./ecosystems.ts";
import { environmentServiceRoutes } from "./environment-services.ts";
import { environmentRoutes } from "./environments.ts";
import { described } from "./openapi.ts";
import { serverRoutes } from "./servers.ts";
import { serviceRoutes } from "./service.ts";
import { tokenRoutes } from "./tokens.ts";
import { userRoutes } from "./users.ts";
import { zoneRoutes } from "./zones.ts";

export interface RoutesDeps {
  readonly store: Store;
  readonly references: References;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly tokens: Tokens;
  readonly entries: AccessEntries;
  readonly passwords: Passwords;
  readonly quotas: Quotas;
  readonly devices: Devices;
  readonly presence: Presence;
  readonly health: Health;
  readonly pager: Pager;
  readonly publicUrl: string | undefined;
}

export function allRoutes(deps: RoutesDeps): Route[] {
  const { pager, health, publicUrl } = deps;
  const routes = [
    ...accountRoutes({ accounts: new Accounts(deps), logIns: new LogIns(deps), pager }),
    ...ecosystemRoutes({ ecosystems: new Ecosystems(deps), pager }),
    ...environmentRoutes({ environments: new Environments(deps), pager }),
    ...userRoutes({ users: new Users(deps), userAccess: new UserAccess(deps), pager }),
    ...serverRoutes({ servers: new Servers(deps), pager }),
    ...zoneRoutes({ zones: new Zones(deps), pager }),
    ...clientRoutes({ clients: new Clients(deps), pager }),
    ...deviceRoutes(deps),
    ...environmentServiceRoutes(deps),
    ...commandRoutes(deps),
    ...tokenRoutes({ subjectTokens: new SubjectTokens(deps), pager }),
    ...serviceRoutes({ health }),
  ];
  return described(routes, publicUrl);
}
