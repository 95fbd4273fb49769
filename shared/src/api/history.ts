/** The history of properties: single changes or statistics of equal steps, and the times in which nothing is known. */
import { z } from "zod";
import { idField, timeField } from "./fields.ts";

/** Single changes, steps of a fixed length, and days and months of a time zone. */
export const HISTORY_RESOLUTIONS = ["raw", "5m", "1h", "1d", "1mo"] as const;
export const historyResolution = z.enum(HISTORY_RESOLUTIONS);
export type HistoryResolution = z.output<typeof historyResolution>;

/** Aggregates of a step; the kind of the series decides which of them apply. */
export const HISTORY_AGGREGATES = [
  "mean",
  "min",
  "max",
  "last",
  "count",
  "growth",
  "resets",
  "states",
  "happenings",
] as const;
export const historyAggregate = z.enum(HISTORY_AGGREGATES);
export type HistoryAggregate = z.output<typeof historyAggregate>;

/** Maximum and default number of points of one answer; CSV and NDJSON answers have no pages. */
export const MAX_HISTORY_POINTS = 10_000;

/** `event`: occurrences without a duration, such as the press of a button. `total`: a meter that counts upwards. */
export const historyKind = z.enum(["number", "total", "state", "event"]);
export type HistoryKind = z.output<typeof historyKind>;

const seconds = z.number().min(0);
const count = z.int().min(0);

export const historyPoint = z
  .object({
    at: timeField.meta({ description: "When the value changed, or when the step begins. UTC" }),
    value: z.json().optional().meta({ description: "Of `raw`: the new value; null from when on there was none" }),
    knownSeconds: seconds.optional().meta({
      description: "Of a step: for how much of it the value is known. A step of which nothing is known is left out",
    }),
    mean: z.number().optional().meta({
      description: "Mean over the known time, each value weighted by how long it held; absent if that overflows",
    }),
    min: z.number().optional(),
    max: z.number().optional(),
    last: z.json().optional().meta({ description: "The value at the end of what is known of the step" }),
    count: count.optional().meta({ description: "Changes in the step" }),
    growth: z.number().optional().meta({
      description: "Of a total: by how much it grew; absent if that overflows. After a reset it grew by its new value",
    }),
    resets: count.optional().meta({ description: "Of a total: how often it became smaller" }),
    states: z
      .array(z.object({ value: z.json(), seconds }))
      .optional()
      .meta({ description: "Of a state: for how long it had each value, the longest first; at most 16 values" }),
    otherStatesSeconds: seconds.optional().meta({ description: "For how long it had values beyond those 16" }),
    happenings: z
      .array(z.object({ value: z.json(), count }))
      .optional()
      .meta({ description: "Of an event: how often each value was reported" }),
  })
  .meta({ id: "HistoryPoint" });
export type HistoryPoint = z.output<typeof historyPoint>;

export const historyGap = z
  .object({
    from: timeField,
    until: timeField.optional().meta({ description: "Absent while it lasts" }),
    reason: z.enum(["device_offline", "hub_offline", "not_recorded"]).meta({
      description: "`not_recorded`: the service has lost, or has not kept, what happened in that time",
    }),
  })
  .meta({ id: "HistoryGap", description: "A time in which the value is not known" });
export type HistoryGap = z.output<typeof historyGap>;

export const historySeries = z
  .object({
    deviceId: idField("dev"),
    service: z.string().meta({ example: "Temperature" }),
    index: z.string().meta({ example: "0" }),
    property: z.string().meta({ example: "celsius" }),
    kind: historyKind.meta({ description: "Decides what a step tells" }),
    unit: z.string().optional(),
    before: z.object({ at: timeField, value: z.json() }).optional().meta({
      description: "Of `raw`: the change before `from`, whose value held at `from`; absent when none is known",
    }),
    gaps: z
      .array(historyGap)
      .optional()
      .meta({ description: "That reach into the range, each whole; absent if there are none" }),
    points: z.array(historyPoint).meta({ description: "Oldest first" }),
  })
  .meta({ id: "HistorySeries" });
export type HistorySeries = z.output<typeof historySeries>;

/** A page of history. A series whose points do not fit continues at the start of the next page. */
export const historyPage = z.object({
  items: z.array(historySeries),
  continuationToken: z.string().optional().meta({ description: "Absent on the last page" }),
  resolution: historyResolution,
  timeZone: z.string().optional().meta({ description: "Of `1d` and `1mo`: whose days and months they are" }),
  range: z.object({ from: timeField, to: timeField }).meta({
    description:
      "The time that the answer tells of; `to` is at most the time up to which the service has recorded. Widened to whole steps",
  }),
});
export type HistoryPage = z.output<typeof historyPage>;

const days = (most: number) => z.int().min(1).max(most);

/** How long an ecosystem keeps history. */
export const historySettings = z
  .object({
    enabled: z.boolean().meta({ description: "Whether changes are recorded; what was recorded stays" }),
    rawDays: days(3660).meta({ description: "For how many days each change is kept" }),
    statisticsDays: days(36_600).meta({ description: "For how many days the statistics are kept" }),
    most: z
      .object({ rawDays: z.int(), statisticsDays: z.int() })
      .meta({ description: "What the service allows at most" }),
  })
  .meta({ id: "HistorySettings" });
export type HistorySettings = z.output<typeof historySettings>;

export const historySettingsUpdate = historySettings.omit({ most: true }).partial().strict();
export type HistorySettingsUpdate = z.output<typeof historySettingsUpdate>;
