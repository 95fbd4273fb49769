/** An entry of the request log: method, route and result, with the error of a failed request; never a request body, a query or a secret. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

export const loggedRequest = z
  .object({
    id: z.string().meta({ description: "The value of `x-request-id` in the answer", example: "0f1e2d3c4b5a-1z" }),
    at: timeField,
    method: z.string(),
    route: z.string().meta({ example: "/api/devices/:id" }),
    path: z.string().meta({ description: "The path as requested, without the query" }),
    status: z.int(),
    durationMs: z.number(),
    tokenId: idField("tok").optional(),
    problem: z.string().optional().meta({ description: "Name of the error", example: "Hub Offline" }),
    problemBody: z
      .record(z.string(), z.json())
      .optional()
      .meta({ description: "The problem document of the answer; long values are left out" }),
    commandId: idField("cmd").optional().meta({ description: "The command that it created" }),
  })
  .meta({ id: "LoggedRequest" });
export type LoggedRequest = z.output<typeof loggedRequest>;
