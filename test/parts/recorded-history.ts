/** The history of a property as the API gives it, beside the event log as the API gives it: each change is in both, once and in the same order. */
import type { Api } from "./api.ts";
import { eventually } from "./eventually.ts";

interface Page {
  readonly items: readonly unknown[];
  readonly continuationToken?: string;
}
interface Series {
  readonly points: readonly { readonly at: string; readonly value?: unknown; readonly count?: number }[];
}
interface Change {
  readonly data: {
    readonly item: {
      readonly service: string;
      readonly property: string;
      readonly value: unknown;
      readonly modifiedAt: string;
    };
  };
}

export interface Compared {
  /** When, and to what, by the history. */
  readonly recorded: readonly (readonly [string, unknown])[];
  /** The same by the event log. */
  readonly logged: readonly (readonly [string, unknown])[];
  /** Changes in all steps of five minutes together. */
  readonly counted: number;
}

/** Settles once as many are recorded as the log has. @param selector `Service.property` */
export function comparedHistory(api: Api, deviceId: string, selector: string): Promise<Compared> {
  const path = `/api/devices/${deviceId}/services/${selector}/history`;
  return eventually("the log is recorded", async () => {
    const log = await all<Change>(api, `/api/event-log?types=property.changed&deviceId=${deviceId}`);
    const logged = log
      .map(({ data }) => data.item)
      .filter(({ service, property }) => `${service}.${property}` === selector)
      .map(({ modifiedAt, value }) => [modifiedAt, value] as const);
    const raw = await all<Series>(api, `${path}?resolution=raw&pageSize=100`);
    const steps = await all<Series>(api, `${path}?resolution=5m`);
    const recorded = raw.flatMap(({ points }) => points.map(({ at, value }) => [at, value] as const));
    const counted = steps.flatMap(({ points }) => points).reduce((sum, { count = 0 }) => sum + count, 0);
    return recorded.length >= logged.length && counted >= logged.length ? { recorded, logged, counted } : undefined;
  });
}

async function all<T>(api: Api, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let token = ""; ; ) {
    const more = token && `${path.includes("?") ? "&" : "?"}continuationToken=${encodeURIComponent(token)}`;
    const page = await api.good<Page>("GET", `${path}${more}`);
    items.push(...(page.items as T[]));
    if (page.continuationToken === undefined) return items;
    token = page.continuationToken;
  }
}
