/** How many there may be of what: the one table of quotas, each with its setting. They stop what runs wild, not what grows. */
import { z } from "zod";

const most = (byDefault: number) => z.int().min(1).default(byDefault);

/** The settings: `maxDevicesPerEnvironment` and so on. */
export const quotaSettings = {
  maxEcosystemsPerAccount: most(100),
  maxEnvironmentsPerEcosystem: most(100_000),
  maxUsersPerEcosystem: most(100_000),
  maxServersPerEcosystem: most(1_000),
  maxWebhooksPerEcosystem: most(1_000),
  maxZonesPerEnvironment: most(10_000),
  maxDevicesPerEnvironment: most(10_000),
  maxClientsPerEnvironment: most(1_000),
  maxEnvironmentsPerUser: most(10_000),
  /** Commands that wait for one hub to come back. */
  maxQueuedCommandsPerClient: most(1_000),
  /** Living tokens of one user, server or client. */
  maxTokensPerSubject: most(1_000),
} as const;

type Setting = keyof typeof quotaSettings;
/** A quota as `GET /api/quotas` names it. */
export type QuotaName = Setting extends `max${infer Name}` ? Uncapitalize<Name> : never;
export type QuotaLimits = Readonly<Record<QuotaName, number>>;

/** The limits under their names. */
export function quotaLimits(settings: Readonly<Record<Setting, number>>): QuotaLimits {
  return {
    ecosystemsPerAccount: settings.maxEcosystemsPerAccount,
    environmentsPerEcosystem: settings.maxEnvironmentsPerEcosystem,
    usersPerEcosystem: settings.maxUsersPerEcosystem,
    serversPerEcosystem: settings.maxServersPerEcosystem,
    webhooksPerEcosystem: settings.maxWebhooksPerEcosystem,
    zonesPerEnvironment: settings.maxZonesPerEnvironment,
    devicesPerEnvironment: settings.maxDevicesPerEnvironment,
    clientsPerEnvironment: settings.maxClientsPerEnvironment,
    environmentsPerUser: settings.maxEnvironmentsPerUser,
    queuedCommandsPerClient: settings.maxQueuedCommandsPerClient,
    tokensPerSubject: settings.maxTokensPerSubject,
  };
}
