/** Activity: commands by outcome and requests by status class, in steps, with the incidents of that time. */
import type { ActivityPage, ActivityStep } from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "./collection.ts";
import type { Transport } from "./transport.ts";
import type { PorchlightEvent } from "./event.ts";

export interface ActivityFilter {
  /** Required for an account with several ecosystems, unless an environment is given. */
  readonly ecosystemId?: string | undefined;
  /** Only commands and incidents of this environment; requests are then left out. */
  readonly environmentId?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; an hour before `until` when omitted. Seven days are kept. */
  readonly since?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; now when omitted. */
  readonly until?: string | undefined;
  /** 1 to 1440; 1 when omitted. */
  readonly stepMinutes?: number | undefined;
}

/** Steps of the time `range`, and its incidents. A step that is missing in `items` is unknown, not empty. */
export interface ActivityStepPage
  extends Page<ActivityStep>,
    Pick<ActivityPage, "range" | "incidentsSince" | "moreIncidents"> {
  /** Newest first, at most 100. */
  readonly incidents: readonly PorchlightEvent[];
}

export function activityOf(
  transport: Transport,
  filter: ActivityFilter,
  options?: PageOptions,
): Collection<ActivityStep, ActivityStepPage> {
  return new Collection(transport, "/api/activity", { ...filter }, options);
}
