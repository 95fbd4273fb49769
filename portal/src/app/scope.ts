/** The current ecosystem and environment: from the address, else the last used, else the first. */
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

/** Storage key of the last environment, so that a new tab opens the same one. It stores only an ID, which grants no access. */
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

/** If the address has an ecosystem and no environment, the scope gets the ecosystem's last used environment, else its first. */
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

/** The address of the same kind of page in another environment; its home when the page has no such kind. @param path of the page */
export function inEnvironment(path: string, environmentId: string): string {
  const [, kind = "home"] = /^\/environments\/[^/]+\/([a-z]+)(?:\/|$)/.exec(path) ?? [];
  return `/environments/${environmentId}/${kind}`;
}

/** The route parameters of the current scope. */
export function paramsOf({
  environment,
  ecosystem,
}: Pick<Scope, "environment" | "ecosystem">): Readonly<Record<string, string>> {
  return { environmentId: environment?.id ?? "", ecosystemId: ecosystem?.id ?? "" };
}

/** Fills the parameters into a route. */
export function filled(route: string, params: Readonly<Record<string, string>>): string {
  return route.replaceAll(/\$(\w+)/g, (_, name: string) => params[name] ?? "");
}

/** Fills the current scope into a route; undefined when the scope lacks a parameter. */
export function addressFor(route: string, scope: Pick<Scope, "environment" | "ecosystem">): string | undefined {
  const params = paramsOf(scope);
  const names = [...route.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name);
  return names.some((name) => !params[name]) ? undefined : filled(route, params);
}

export interface Group {
  readonly ecosystem: Ecosystem;
  readonly items: readonly Environment[];
}

/** The environments whose name or ID contains the text, grouped by ecosystem. @param most maximum number; `rest` counts the others */
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
