/** An ecosystem: everything that one product or one operator runs, isolated from every other ecosystem. */
import { z } from "zod";
import { aliasField, aliasInput, idField, metaField, metaInput, timeField } from "./fields.ts";

export const ecosystem = z
  .object({ id: idField("eco"), alias: aliasField, meta: metaField, createdAt: timeField })
  .meta({ id: "Ecosystem" });
export type Ecosystem = z.output<typeof ecosystem>;

export const newEcosystem = z.strictObject({ alias: aliasInput, meta: metaInput });
export type NewEcosystem = z.output<typeof newEcosystem>;
