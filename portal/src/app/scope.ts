/** Which ecosystem and environment are looked at: by the address, else the one looked at last, else the first. */
import type { Ecosystem, Environment } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { ecosystemsQuery, environmentsQuery } from "../data/queries.ts";
import { nameOf } from "../kit/text/names.ts";
import { useApi } from "../session/context.tsx";

export interface Scope {
  readonly ecosystems: readonly Ecosystem[];
  readonly environments: readonly Environment[];
  readonly ecosystem: Ecosystem | undefined;
  readonly environment: Environment | undefined;
}

/** An ID, and nothing that anybody could use: so that a new tab begins where the last one was. */
const LAST = "porchlight-environment";

export function useScope(): Scope {
  const api = useApi();
  const { ecosystemId, environmentId } = useParams({ strict: false }) as Record<string, string | undefined>;
  const ecosystems = useQuery(ecosystemsQuery(api)).data ?? [];
  const environments = useQuery(environmentsQuery(api)).data ?? [];
  const found = pick(ecosystems, environments, { ecosystemId, environmentId, last: localStorage.getItem(LAST) });
  const chosen = found.environment?.id;
  useEffect(() => {
    if (chosen !== undefined) localStorage.setItem(LAST, chosen);
  }, [chosen]);
  return { ecosystems, environments, ...found };
}

interface Asked {
  readonly ecosystemId: string | undefined;
  readonly environmentId: string | undefined;
  readonly last: string | null;
}

/** An ecosystem that is named by the address without an environment is shown with its last used one, else its first. */
export function pick(
  ecosystems: readonly Ecosystem[],
  environments: readonly Environment[],
  { ecosystemId, environmentId, last }: Asked,
): Pick<Scope, "ecosystem" | "environment"> {
  const within = environments.filter((each) => ecosystemId === undefined || each.ecosystemId === ecosystemId);
  const environment =
    environments.find(({ id }) => id === environmentId) ?? within.find(({ id }) => id === last) ?? within[0];
  const wanted = environment?.ecosystemId ?? ecosystemId;
  return { environment, ecosystem: ecosystems.find(({ id }) => id === wanted) ?? ecosystems[0] };
}

/** Where the same kind of page is in another environment: its home, when the page is of no such kind. @param path of the page */
export function inEnvironment(path: string, environmentId: string): string {
  const [, kind = "home"] = /^\/environments\/[^/]+\/([a-z]+)(?:\/|$)/.exec(path) ?? [];
  return `/environments/${environmentId}/${kind}`;
}

/** The parameters of routes, of what is looked at. */
export function paramsOf({
  environment,
  ecosystem,
}: Pick<Scope, "environment" | "ecosystem">): Readonly<Record<string, string>> {
  return { environmentId: environment?.id ?? "", ecosystemId: ecosystem?.id ?? "" };
}

/** The address that a route has with these parameters. */
export function filled(route: string, params: Readonly<Record<string, string>>): string {
  return route.replaceAll(/\$(\w+)/g, (_, name: string) => params[name] ?? "");
}

/** The same for what is looked at; undefined when that has no such thing. */
export function addressFor(route: string, scope: Pick<Scope, "environment" | "ecosystem">): string | undefined {
  const params = paramsOf(scope);
  const names = [...route.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name);
  return names.some((name) => !params[name]) ? undefined : filled(route, params);
}

export interface Group {
  readonly ecosystem: Ecosystem;
  readonly items: readonly Environment[];
}

/** Environments to choose from, by ecosystem, that have the text in their name or ID. @param most of them; `rest` says how many more there are */
export function switchable(
  { ecosystems, environments }: Pick<Scope, "ecosystems" | "environments">,
  text: string,
  most: number,
): { readonly groups: readonly Group[]; readonly rest: number } {
  const wanted = text.trim().toLowerCase();
  const found = environments.filter((each) => `${nameOf(each)} ${each.id}`.toLowerCase().includes(wanted));
  const byEcosystem = Map.groupBy(found.slice(0, most), ({ ecosystemId }) => ecosystemId);
  const groups = ecosystems.flatMap((ecosystem) => {
    const items = byEcosystem.get(ecosystem.id);
    return items ? [{ ecosystem, items }] : [];
  });
  return { groups, rest: Math.max(0, found.length - most) };
}
