/** Describes which history a change of the settings deletes, so that the user reads it before saving. Pure. */
import type { HistorySettings } from "@porchlight/shared/api";
import { counted } from "../../kit/text/quantity.ts";

export type HistoryChoice = Omit<HistorySettings, "most">;

/** One sentence per loss; empty without losses. */
export function lossOf(before: HistoryChoice, after: HistoryChoice): readonly string[] {
  const { enabled, rawDays, statisticsDays } = after;
  return [
    ...(before.enabled && !enabled
      ? [
          "From now on nothing is recorded. Charts have a gap for this time, which cannot be filled later. What was recorded stays until it is older than what is kept.",
        ]
      : []),
    ...(rawDays < before.rawDays
      ? [
          `Every change that is older than ${counted(rawDays, "day")} is deleted within two hours. Of that time, charts then show statistics only.`,
        ]
      : []),
    ...(statisticsDays < before.statisticsDays
      ? [
          `All statistics that are older than ${counted(statisticsDays, "day")} are deleted within two hours. Charts of long times go back no further.`,
        ]
      : []),
  ];
}

/** Whether the change deletes recorded data. */
export function deletes(before: HistoryChoice, after: HistoryChoice): boolean {
  return after.rawDays < before.rawDays || after.statisticsDays < before.statisticsDays;
}

/** Only the changed settings, so that concurrent changes to the others remain. */
export function changeOf(before: HistoryChoice, after: HistoryChoice): Partial<HistoryChoice> {
  return {
    ...(after.enabled !== before.enabled && { enabled: after.enabled }),
    ...(after.rawDays !== before.rawDays && { rawDays: after.rawDays }),
    ...(after.statisticsDays !== before.statisticsDays && { statisticsDays: after.statisticsDays }),
  };
}
