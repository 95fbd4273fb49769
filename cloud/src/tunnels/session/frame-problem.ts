/** What is wrong with a frame, for the log: the first of it, because a frame can be wrong in thousands of places. */
import type { z } from "zod";

export function frameProblem({ issues: [first] }: z.ZodError): string {
  return first ? `${first.path.join(".") || "the frame"}: ${first.message.slice(0, 200)}` : "breaks its schema";
}
