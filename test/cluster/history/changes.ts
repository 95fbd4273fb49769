/** What each property really had, one value after another: the hubs' own order, which the values that were read and the log are held against. */
import type { Truth } from "../hubs/truth.ts";

export interface Change {
  readonly value: unknown;
  /** When the device had it. */
  readonly at: number;
  /** When a client knew for sure that the cloud has it; never, for one without an answer. */
  readonly knownAt: number;
}

/** Changes of each property, oldest first. */
export type Changes = ReadonlyMap<string, readonly Change[]>;

/** @param confirmedAt when a caller was answered a command's success, by command */
export function changesOf(truth: Truth, confirmedAt: ReadonlyMap<string, number>): Changes {
  const all = [
    ...truth.acts.map((act) => ({ ...act, knownAt: confirmedAt.get(act.commandId) ?? Number.POSITIVE_INFINITY })),
    ...truth.reports.map((report) => ({ ...report, knownAt: report.ackedAt ?? Number.POSITIVE_INFINITY })),
  ];
  const byProperty = Map.groupBy(all, propertyKey);
  for (const changes of byProperty.values()) changes.sort((a, b) => a.at - b.at);
  return byProperty;
}

export function propertyKey({ device, property }: { readonly device: string; readonly property: string }): string {
  return `${device} ${property}`;
}
