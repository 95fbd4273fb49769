/** The problem of a malformed frame, for the log: only the first, because a frame can have thousands. */
import type { z } from "zod";

export function frameProblem({ issues: [first] }: z.ZodError): string {
  return first ? `${first.path.join(".") || "the frame"}: ${first.message.slice(0, 200)}` : "breaks its schema";
}
