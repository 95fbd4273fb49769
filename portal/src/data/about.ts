/** The running versions as the service reports them, and the packages that the build found in the portal. */
import type { Porchlight } from "@porchlight/sdk";
import { queryOptions } from "@tanstack/react-query";

declare const __PORTAL_VERSION__: string;

/** Version of the portal on this page, set at build time. A page that was open during an upgrade is older than its service. */
export const PORTAL_VERSION = __PORTAL_VERSION__;

export interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  readonly text?: string;
}

export interface RunningVersions {
  readonly api: string | undefined;
  readonly service: string | undefined;
}

export const versionsQuery = (api: Porchlight) =>
  queryOptions({
    queryKey: ["versions"],
    queryFn: async ({ signal }): Promise<RunningVersions> => {
      const { info } = (await api.service.openApi({ signal })) as { readonly info?: Readonly<Record<string, unknown>> };
      return { api: textOf(info?.version), service: textOf(info?.["x-service-version"]) };
    },
    staleTime: 300_000,
  });

/** The build writes this file next to the page. */
export const licencesQuery = queryOptions({
  queryKey: ["licences"],
  queryFn: async ({ signal }): Promise<readonly Package[]> => {
    const answer = await fetch("/licences.json", { signal });
    if (!answer.ok) throw new Error("The list of packages is missing. This page is older than the service. Reload it.");
    return ((await answer.json()) as { readonly packages: readonly Package[] }).packages;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
