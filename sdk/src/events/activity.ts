/** Activity: commands by outcome and requests by class of status, step by step, and the incidents of that time. */
import type { ActivityPage, ActivityStep } from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "../transport/collection.ts";
import type { Transport } from "../transport/transport.ts";
import type { PorchlightEvent } from "./event.ts";

export interface ActivityFilter {
  /** Of an account with several ecosystems; an environment says it too. */
  readonly ecosystemId?: string | undefined;
  /** Commands and incidents of this environment; requests are then not told. */
  readonly environmentId?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; an hour before `until` when left out. Seven days are kept. */
  readonly since?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; now when left out. */
  readonly until?: string | undefined;
  /** 1 to 1440; 1 when left out. */
  readonly stepMinutes?: number | undefined;
}

/** Steps of the time in `range`, and its incidents. A step that is not among `items` is unknown, not empty. */
export interface ActivityStepPage
  extends Page<ActivityStep>,
    Pick<ActivityPage, "range" | "incidentsSince" | "moreIncidents"> {
  /** The newest first, at most 100. */
  readonly incidents: readonly PorchlightEvent[];
}

export function activityOf(
  transport: Transport,
  filter: ActivityFilter,
  options?: PageOptions,
): Collection<ActivityStep, ActivityStepPage> {
  return new Collection(transport, "/api/activity", { ...filter }, options);
}
