/** What the settings of several drivers have in common. */
import { z } from "zod";
import { edgeId } from "../setting-schemas.ts";

/** `all`, edgeIds, or both in a list: what is admitted one by one is never among all. */
export const admit = z
  .union([z.literal("all"), z.array(z.union([z.literal("all"), edgeId])).max(1000)])
  .default([])
  .transform((given) => {
    const entries = given === "all" ? [given] : given;
    return { all: entries.includes("all"), edgeIds: new Set(entries.filter((entry) => entry !== "all")) };
  });

/** A name or an address, without the rest of a URL. */
export const host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9_.:-]+$/, "must be a name or an address, such as 192.168.1.20");
