/** Fills the reader's own IDs into a document's samples, and provides the text of a copied sample. */
import type { Environment } from "@porchlight/shared/api";
import { useQueries, useQuery } from "@tanstack/react-query";
import {
  accountQuery,
  clientsQuery,
  devicesQuery,
  serversQuery,
  usersQuery,
  webhooksQuery,
  zonesQuery,
} from "../../data/queries.ts";
import { useApi } from "../../session/context.tsx";

const TOKEN = "token";
/** Shown in place of the token. */
const MASKED_TOKEN = "plt_acc_••••••••";

/** Replaces known placeholders in place. @param names without the token, which is only shown masked */
export function fillIn(content: Element, names: OwnNames): void {
  for (const each of content.querySelectorAll<HTMLElement>("var[data-name]")) {
    const name = each.dataset.name ?? "";
    const value = name === TOKEN ? MASKED_TOKEN : names[name];
    if (value !== undefined) each.textContent = value;
  }
}

/** The clipboard text of a sample, with the real token. The page itself never contains the token. */
export function codeText(code: Element, token: string | undefined): string {
  const copy = code.cloneNode(true);
  if (copy instanceof Element && token !== undefined)
    for (const each of copy.querySelectorAll(`var[data-name="${TOKEN}"]`)) each.textContent = token;
  return copy.textContent ?? "";
}

/** Replaces `‹name›` in a text; an unknown name becomes `NAME`, as in the document. */
export function withNames(text: string, names: OwnNames): string {
  return text.replaceAll(/‹(\w+)›/g, (_, name: string) => names[name] ?? upper(name));
}

function upper(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The reader's values for the samples' placeholders: `deviceId` and others. */
export type OwnNames = Readonly<Record<string, string>>;

/** The property that the samples read and set. */
const SELECTOR = "Switch.on";
const HOUR = 3_600_000;

/** @returns undefined until all queries settle; names without a value are left out */
export function useOwnNames(
  ecosystemId: string | undefined,
  environment: Environment | undefined,
): OwnNames | undefined {
  const api = useApi();
  const [eco, env] = [ecosystemId ?? "", environment?.id ?? ""];
  const inEcosystem = { enabled: ecosystemId !== undefined };
  const inEnvironment = { enabled: environment !== undefined };
  const account = useQuery(accountQuery(api));
  const devices = useQuery({ ...devicesQuery(api, env), ...inEnvironment });
  const zones = useQuery({ ...zonesQuery(api, env), ...inEnvironment });
  const hubs = useQuery({ ...clientsQuery(api, env), ...inEnvironment });
  const users = useQuery({ ...usersQuery(api, eco), ...inEcosystem });
  const servers = useQuery({ ...serversQuery(api, eco), ...inEcosystem });
  const webhooks = useQuery({ ...webhooksQuery(api, eco), ...inEcosystem });
  // A switchable device makes most samples succeed. An error here only means that there is none.
  const [switched] = useQueries({
    queries: [
      {
        queryKey: ["document-names", env],
        queryFn: ({ signal }: { signal: AbortSignal }) => api.environments.properties(env, SELECTOR, { signal }),
        retry: false,
        ...inEnvironment,
      },
    ],
  });
  const all = [account, devices, zones, hubs, users, servers, webhooks, switched];
  if (all.some((each) => each?.isLoading && !each.isFetched)) return undefined;
  return withoutUnknown({
    email: account.data?.email,
    ecosystemId,
    environmentId: environment?.id,
    deviceId: switched?.data?.items[0]?.deviceId ?? devices.data?.[0]?.id,
    zoneId: zones.data?.[0]?.id,
    clientId: hubs.data?.[0]?.id,
    edgeId: devices.data?.find((each) => each.edgeId !== undefined)?.edgeId,
    userId: users.data?.[0]?.id,
    serverId: servers.data?.[0]?.id,
    webhookId: webhooks.data?.[0]?.id,
    anHourAgo: apiTime(Date.now() - HOUR),
  });
}

function withoutUnknown(names: Readonly<Record<string, string | undefined>>): OwnNames {
  return Object.fromEntries(Object.entries(names).filter((each): each is [string, string] => each[1] !== undefined));
}

/** Formats a time for the API: `2026-11-05 14:03:07Z`. */
function apiTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
