/** The audit's kinds as a person reads them. */
import type { AuditEntry } from "@porchlight/shared/api";

type ActorType = AuditEntry["actor"]["type"];

export const ACTOR_WORDS: Readonly<Record<string, string>> = {
  account: "Account",
  server: "Server key",
  user: "User",
  client: "Hub",
  service: "The service",
  unknown: "Unknown",
} satisfies Readonly<Record<ActorType, string>>;

/** Kinds of objects that actions are about, by what stands before the dot. */
export const KINDS = [
  { value: "login", label: "Sessions" },
  { value: "account", label: "Account" },
  { value: "password", label: "Passwords" },
  { value: "session", label: "Portal log-ins" },
  { value: "token", label: "Tokens" },
  { value: "ecosystem", label: "Ecosystems" },
  { value: "environment", label: "Environments" },
  { value: "zone", label: "Zones" },
  { value: "device", label: "Devices" },
  { value: "client", label: "Hubs" },
  { value: "pairing", label: "Pairings" },
  { value: "user", label: "Users" },
  { value: "access", label: "User access" },
  { value: "server", label: "Server keys" },
  { value: "webhook", label: "Webhooks" },
];

/** "reason failing, count 3". */
export function detailText(detail: AuditEntry["detail"]): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
