/** The kind of series that a property's history is, which decides the aggregates of its steps: pure. */
import type { HistoryKind } from "../api/index.ts";
import { isTotal, type PropertyDescription } from "../model/index.ts";

export function historyKindOf(service: string, { property, type, access, values }: PropertyDescription): HistoryKind {
  if (!access.includes("read") && !access.includes("write")) return "event";
  if (values || (type !== "number" && type !== "integer")) return "state";
  return isTotal(service, property) ? "total" : "number";
}
