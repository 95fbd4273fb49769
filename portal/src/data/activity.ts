/** Activity of the last hour or day: counts per step, and incidents. */
import type { ActivityStepPage, Porchlight, PorchlightEvent } from "@porchlight/sdk";
import type { ActivityStep } from "@porchlight/shared/api";
import { queryOptions } from "@tanstack/react-query";

export const PERIODS = ["hour", "day"] as const;
export type Period = (typeof PERIODS)[number];

/** Length of a period and of each of its steps, in ms. */
export const LENGTH: Readonly<Record<Period, { readonly whole: number; readonly step: number }>> = {
  hour: { whole: 3_600_000, step: 60_000 },
  day: { whole: 86_400_000, step: 900_000 },
};

export interface ActivitySeen {
  readonly steps: readonly ActivityStep[];
  /** In the service's time. */
  readonly range: ActivityStepPage["range"];
  /** Newest first. */
  readonly incidents: readonly PorchlightEvent[];
  readonly moreIncidents: number;
  readonly incidentsSince: string | undefined;
}

/** Poll interval in ms: the service counts requests every ten seconds. */
const AGAIN = 10_000;

export const activityQuery = (api: Porchlight, ecosystemId: string, period: Period) =>
  queryOptions({
    queryKey: ["activity", ecosystemId, period],
    queryFn: async ({ signal }): Promise<ActivitySeen> => {
      const { whole, step } = LENGTH[period];
      const since = `${new Date(Date.now() - whole).toISOString().slice(0, 19).replace("T", " ")}Z`;
      const asked = { ecosystemId, since, stepMinutes: step / 60_000 };
      const pages: ActivityStepPage[] = [];
      for await (const page of api.activity(asked, { signal }).pages()) pages.push(page);
      return joined(pages);
    },
    refetchInterval: AGAIN,
    staleTime: AGAIN,
  });

/** Joins the pages of one listing; there is at least one page. */
function joined(pages: readonly ActivityStepPage[]): ActivitySeen {
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last) throw new Error("the service answered without a page");
  return {
    steps: pages.flatMap(({ items }) => items),
    range: { since: first.range.since, until: last.range.until },
    incidents: pages.toReversed().flatMap(({ incidents }) => incidents),
    moreIncidents: pages.reduce((sum, { moreIncidents = 0 }) => sum + moreIncidents, 0),
    incidentsSince: pages.findLast(({ incidentsSince }) => incidentsSince !== undefined)?.incidentsSince,
  };
}
