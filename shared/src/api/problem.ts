/** The body of every error (RFC 9457), from every origin. */
import { z } from "zod";
import { ERRORS, type ErrorName } from "../kernel/index.ts";

/** Most entries of `errors`. */
export const MOST_ERRORS = 20;

export const problem = z
  .looseObject({
    type: z.string().meta({ description: "A URL under /docs/errors/" }),
    title: z.enum(Object.keys(ERRORS).filter(isErrorName)).meta({ description: "The error's name" }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: "What was wrong and what to do" }),
    instance: z.string().meta({ description: "The request id" }),
    errors: z
      .array(z.object({ pointer: z.string().meta({ description: "JSON pointer (RFC 6901)" }), message: z.string() }))
      .max(MOST_ERRORS)
      .optional()
      .meta({ description: "What is wrong in the body: the first places" }),
    moreErrors: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "How many places are wrong in addition to those in `errors`" }),
    retryable: z.boolean().optional(),
    outcome: z.enum(["confirmed", "rejected", "not_sent", "not_applied", "unknown"]).optional(),
  })
  .meta({ id: "Problem" });

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}

export type Problem = z.output<typeof problem>;
