/**
 * What the service states of itself: its health, `/api/openapi.json`, and `/api/services`, the catalogue of standard service
 * classes.
 */

import { type ServiceCatalogue, serviceCatalogue } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { CATALOGUE, CATALOGUE_TITLES, OPTIONAL_PROPERTIES, type PropertyDescription } from "@porchlight/shared/model";
import { z } from "zod";
import { openApi } from "../openapi.ts";
import { A_S_U, defineOpenRoute, defineRoute, ok, type Page, packed, type Route } from "../routing/route.ts";

interface HealthSource {
  /** The reason why the service cannot serve requests, as a sentence; undefined when it can. */
  problem(): Promise<string | undefined>;
  /** A fault that does not stop the service. */
  readonly warning: string | undefined;
}

const status = z
  .object({
    status: z.string(),
    warning: z
      .string()
      .optional()
      .meta({ description: "What an operator should know, although the service accepts requests" }),
  })
  .meta({ id: "Health" });

/** The health of the service. */
export function serviceRoutes(deps: { health: HealthSource }): Route[] {
  return [
    defineOpenRoute({
      method: "GET",
      path: "/healthz",
      operationId: "getHealthz",
      tag: "service",
      summary: "Check whether the process runs",
      answers: { 200: status },
      handle: async () => ok({ status: "ok" }),
    }),
    defineOpenRoute({
      method: "GET",
      path: "/readyz",
      operationId: "getReadyz",
      tag: "service",
      summary: "Check whether the service accepts requests",
      answers: { 200: status },
      errors: ["Service Unavailable"],
      handle: async () => {
        const problem = await deps.health.problem();
        if (problem !== undefined) throw new NamedError("Service Unavailable", problem, { retryAfter: 1 });
        const { warning } = deps.health;
        return ok({ status: "ready", ...(warning !== undefined && { warning }) });
      },
    }),
  ];
}

const JSON_PAGE = { status: 200, type: "application/json; charset=utf-8", isImmutable: false };

/** The given routes, and the route that describes them. */
export function described(routes: readonly Route[], publicUrl: string | undefined): Route[] {
  // Rendered and compressed once: it blocks the thread for 10 ms, and any caller may request it.
  let page: Promise<Page> | undefined;
  const all: Route[] = [
    ...routes,
    defineOpenRoute({
      method: "GET",
      path: "/api/openapi.json",
      operationId: "getOpenapi",
      tag: "documents",
      summary: "Show this description",
      answers: { 200: z.looseObject({ openapi: z.string() }) },
      isSameForAll: true,
      handle: async () => {
        page ??= packed(Buffer.from(JSON.stringify(openApi(all, publicUrl))), JSON_PAGE);
        return { status: 200, page: await page };
      },
    }),
  ];
  return all;
}

/** `/api/services`: the catalogue of standard service classes. */
export function catalogueRoutes(): Route[] {
  const catalogue = standardClasses();
  return [
    defineRoute({
      method: "GET",
      path: "/api/services",
      operationId: "listServices",
      tag: "service",
      summary: "List the standard service classes",
      tokens: A_S_U,
      answers: { 200: serviceCatalogue },
      handle: async () => ok(catalogue),
    }),
  ];
}

function standardClasses(): ServiceCatalogue {
  const items = [...CATALOGUE].map(([service, properties]) => {
    const optional = OPTIONAL_PROPERTIES.get(service);
    const of = (all: readonly PropertyDescription[]) => all.map((each) => shown(service, each));
    const title = CATALOGUE_TITLES.get(service)?.title ?? service;
    return { service, title, properties: of(properties), ...(optional && { optional: of(optional) }) };
  });
  return { items };
}

function shown(
  service: string,
  description: PropertyDescription,
): ServiceCatalogue["items"][number]["properties"][number] {
  const { access, values, ...described } = description;
  const title = CATALOGUE_TITLES.get(service)?.properties[described.property] ?? described.property;
  return { ...described, title, ...(values && { values: [...values] }), access: [...access] };
}
