/** Columns that several tables share. */
import type { Column } from "../render/table.ts";

export const ID: Column = { heading: "id", path: "id", isWhole: true };
export const ALIAS: Column = { heading: "alias", path: "alias" };
export const CREATED: Column = { heading: "created", path: "createdAt", isExtra: true };
/** Columns of properties, for one or several devices. */
export const PROPERTY_COLUMNS: readonly Column[] = [
  { heading: "device", path: "deviceId", isWhole: true },
  { heading: "service", path: "service" },
  { heading: "index", path: "index" },
  { heading: "property", path: "property" },
  { heading: "value", path: "value" },
  { heading: "observed", path: "observedAt" },
];
