/** The one table of quotas, each with its setting. They stop runaway programs, not growth. */
import { setting } from "@porchlight/shared/settings";
import { z } from "zod";

const most = (byDefault: number, meaning: string) => setting(z.int().min(1).default(byDefault), { meaning });

/** The settings: `maxDevicesPerEnvironment` and so on. */
export const quotaSettings = {
  maxEcosystemsPerAccount: most(100, "ecosystems of one account"),
  maxMegabytesPerAccount: most(20_000, "million bytes that all data of one account takes in the database"),
  maxEnvironmentsPerEcosystem: most(100_000, "environments of one ecosystem"),
  maxUsersPerEcosystem: most(100_000, "users of one ecosystem"),
  maxServersPerEcosystem: most(1_000, "servers of one ecosystem"),
  maxWebhooksPerEcosystem: most(1_000, "webhooks of one ecosystem"),
  maxZonesPerEnvironment: most(10_000, "zones of one environment"),
  maxDevicesPerEnvironment: most(10_000, "devices of one environment"),
  maxScenesPerEnvironment: most(1_000, "scenes of one environment"),
  maxClientsPerEnvironment: most(1_000, "clients of one environment: its hubs"),
  maxEnvironmentsPerUser: most(10_000, "environments that one user can access"),
  maxQueuedCommandsPerClient: most(1_000, "commands that wait for one hub to come back"),
  maxTokensPerSubject: most(1_000, "valid tokens of one user, server or client"),
} as const;

type Setting = keyof typeof quotaSettings;
/** Name of a quota in `GET /api/quotas`. */
export type QuotaName = Setting extends `max${infer Name}` ? Uncapitalize<Name> : never;
/** A quota of objects, counted when one is created. */
export type CountedQuota = Exclude<QuotaName, "megabytesPerAccount">;
export type QuotaLimits = Readonly<Record<QuotaName, number>>;

/** The limits by quota name. */
export function quotaLimits(settings: Readonly<Record<Setting, number>>): QuotaLimits {
  return {
    ecosystemsPerAccount: settings.maxEcosystemsPerAccount,
    megabytesPerAccount: settings.maxMegabytesPerAccount,
    environmentsPerEcosystem: settings.maxEnvironmentsPerEcosystem,
    usersPerEcosystem: settings.maxUsersPerEcosystem,
    serversPerEcosystem: settings.maxServersPerEcosystem,
    webhooksPerEcosystem: settings.maxWebhooksPerEcosystem,
    zonesPerEnvironment: settings.maxZonesPerEnvironment,
    devicesPerEnvironment: settings.maxDevicesPerEnvironment,
    scenesPerEnvironment: settings.maxScenesPerEnvironment,
    clientsPerEnvironment: settings.maxClientsPerEnvironment,
    environmentsPerUser: settings.maxEnvironmentsPerUser,
    queuedCommandsPerClient: settings.maxQueuedCommandsPerClient,
    tokensPerSubject: settings.maxTokensPerSubject,
  };
}
