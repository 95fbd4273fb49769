/** What the service says of itself: its catalogue of service classes, and its health. */
import { NamedError } from "@porchlight/shared/kernel";
import { CATALOGUE } from "@porchlight/shared/model";
import { z } from "zod";
import { A_S_U, defineOpenRoute, defineRoute, ok, type Route } from "../route.ts";

export interface Health {
  /** Why the service cannot take requests, in a sentence; undefined when it can. */
  problem(): Promise<string | undefined>;
}

const status = z.object({ status: z.string() }).meta({ id: "Health" });
const catalogue = z
  .object({ items: z.array(z.object({ service: z.string(), properties: z.array(z.looseObject({})) })) })
  .meta({ id: "Catalogue" });

export function serviceRoutes(deps: { health: Health }): Route[] {
  const standard = { items: [...CATALOGUE].map(([service, properties]) => ({ service, properties })) };
  return [
    defineRoute({
      method: "GET",
      path: "/api/services",
      summary: "List the standard service classes",
      tokens: A_S_U,
      answers: { 200: catalogue },
      handle: async () => ok(standard),
    }),
    defineOpenRoute({
      method: "GET",
      path: "/healthz",
      summary: "Whether the process runs",
      answers: { 200: status },
      handle: async () => ok({ status: "ok" }),
    }),
    defineOpenRoute({
      method: "GET",
      path: "/readyz",
      summary: "Whether the service takes requests",
      answers: { 200: status },
      errors: ["Service Unavailable"],
      handle: async () => {
        const problem = await deps.health.problem();
        if (problem !== undefined) throw new NamedError("Service Unavailable", problem, { retryAfter: 1 });
        return ok({ status: "ready" });
      },
    }),
  ];
}
