/** An access entry: full access of one user to one environment. */
import { z } from "zod";
import { environmentInput, idField, timeField } from "./fields.ts";

export const accessEntry = z
  .object({ id: idField("acs"), environmentId: idField("env"), createdAt: timeField })
  .meta({ id: "AccessEntry" });
export type AccessEntry = z.output<typeof accessEntry>;

export const newAccessEntry = z.strictObject({ environmentId: environmentInput });
