/** The health of the service. */
import { NamedError } from "@porchlight/shared/kernel";
import { z } from "zod";
import { defineOpenRoute, ok, type Route } from "../routing/route.ts";

export interface HealthSource {
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
