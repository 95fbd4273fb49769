/** How many there may be of what, and how many there are. */
import { z } from "zod";

export const quota = z
  .object({
    name: z.string().meta({ description: "What is counted, and in which container", example: "devicesPerEnvironment" }),
    used: z.int().meta({ description: "In the fullest container that the caller can access" }),
    limit: z.int(),
  })
  .meta({ id: "Quota" });
export type Quota = z.output<typeof quota>;

export const quotaList = z.object({ items: z.array(quota) }).meta({ id: "Quotas" });
