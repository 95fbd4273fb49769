/** The record that a device's process writes: one change a line. Its own file because the process and the judge read it alike. */
import { z } from "zod";
import type { Act } from "../record.ts";

const act = z.object({
  at: z.number(),
  device: z.string(),
  property: z.string(),
  value: z.unknown(),
  by: z.enum(["write", "person"]),
  seq: z.number(),
  boot: z.number(),
});

/** Every change, oldest first. @throws SyntaxError, ZodError when the file is something else */
export function readActs(text: string): Act[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => act.parse(JSON.parse(line)));
}
