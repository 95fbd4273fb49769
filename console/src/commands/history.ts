/** History of the properties of a device, a zone or an environment: a chart on a terminal, rows for a program. */
import type { CallOptions, Collection, HistoryFilter, HistorySeriesPage, Porchlight } from "@porchlight/sdk";
import {
  HISTORY_RESOLUTIONS,
  type HistoryPage,
  type HistoryResolution,
  type HistorySeries,
  parseTime,
} from "@porchlight/shared/api";
import { styled } from "../render/style.ts";
import type { Column } from "../render/table.ts";
import type { Args, Option, Parameter } from "../session/args.ts";
import type { Action, Context } from "../session/command.ts";
import { Failure, UsageError } from "../session/failure.ts";
import { momentOf } from "../session/fields.ts";
import { ENVIRONMENT, Places } from "../session/places.ts";
import { DEVICE, nameOf, valueText, withUnit } from "../session/property.ts";
import type { WholeHistory } from "./chart-segments.ts";
import { chartLines } from "./history-chart.ts";

const COLUMNS: readonly Column[] = [
  { heading: "property", path: "name" },
  { heading: "at", path: "at" },
  { heading: "value", path: "value" },
  { heading: "mean", path: "mean" },
  { heading: "min", path: "min" },
  { heading: "max", path: "max" },
  { heading: "growth", path: "growth" },
  { heading: "resets", path: "resets" },
  { heading: "states", path: "states" },
  { heading: "happened", path: "happened" },
  { heading: "known", path: "known" },
];

/** Columns in a pipe are fixed and do not depend on the data. */
const RAW: readonly string[] = ["name", "at", "value"];

/** The client's methods in use. */
interface HistoryCalls {
  history(
    reference: string,
    selector: string,
    filter?: HistoryFilter,
  ): Pick<Collection<HistorySeries, HistorySeriesPage>, "pages">;
  historyCsv(reference: string, selector: string, filter?: HistoryFilter, options?: CallOptions): Promise<string>;
}

export interface HistoryOf {
  readonly kind: "device" | "zone" | "environment";
  readonly parameter: Parameter;
  /** The option for the container in which the object is looked up. */
  readonly place: Option;
  /** The words before the selector in an example: `porchlight history sensor`. */
  readonly example: string;
  readonly calls: (porchlight: Porchlight) => HistoryCalls;
}

export const history: Action = historyAction({
  ...{ kind: "device", parameter: DEVICE, place: ENVIRONMENT, example: "porchlight history sensor" },
  calls: ({ devices }) => devices,
});

export function historyAction({ kind, parameter, place, example, calls }: HistoryOf): Action {
  return {
    parameters: [
      parameter,
      { name: "SELECTOR", summary: "SERVICE or SERVICE.PROPERTY; SERVICE:INDEX where it has several" },
    ],
    options: [
      {
        name: "from",
        value: "TIME",
        summary: "From then on: 2h, 7d, or 2026-11-05T14:03:07Z; a day ago when left out",
      },
      { name: "to", value: "TIME", summary: "Not from then on; now when left out" },
      {
        name: "resolution",
        value: "STEP",
        summary: `Every change (raw), or steps: ${HISTORY_RESOLUTIONS.slice(1).join(", ")}; by the length of the time when left out`,
        choices: HISTORY_RESOLUTIONS,
      },
      {
        name: "time-zone",
        value: "ZONE",
        summary: "Whose days and months steps are: Europe/Berlin; this machine's when left out",
      },
      { name: "table", summary: "Rows instead of a chart" },
      { name: "csv", summary: "CSV, as the service makes it; what is not known has rows of its own" },
      place,
    ],
    examples: [
      `${example} Temperature.celsius --from 7d`,
      `${example} Electricity.energy --from 30d --resolution 1d`,
      `${example} Temperature --from 2h --csv > temperature.csv`,
    ],
    notes: [
      "Where nothing is drawn nothing is known: the line below a chart marks the times in which device or hub were offline.",
      "In a pipe each change is a line: property, time, value. Times in which nothing is known go to stderr; with --json they stand under `gaps`, with --csv they are the rows with a `gapReason`.",
      "All times are UTC.",
    ],
    async run(context, args) {
      const { output } = context;
      if (args.has("csv") && (args.has("table") || output.isJson))
        throw new UsageError(
          "--csv excludes --table and --json.",
          "Each says what is printed.",
          "give only one of them",
        );
      const reference = await new Places(context, args).reference(kind, args.word(parameter.name));
      const asked: AskedHistory = {
        ...{ calls: calls(context.porchlight), reference, selector: args.word("SELECTOR") },
        filter: filterOf(context, args),
      };
      if (args.has("csv")) return csv(context, asked);
      const isChart = output.isTerminal && !output.isJson && !args.has("table");
      const found = await whole(asked, isChart);
      if (output.isJson) return output.json(found);
      if (found.items.length === 0) throw nothing(kind, args.word(parameter.name), asked.selector);
      if (isChart) charts(context, found, kind !== "device");
      else rows(context, found, kind !== "device");
    },
  };
}

interface AskedHistory {
  readonly calls: HistoryCalls;
  readonly reference: string;
  readonly selector: string;
  readonly filter: HistoryFilter;
}

function nothing(kind: HistoryOf["kind"], name: string, selector: string): Failure {
  const next =
    kind === "device" ? `porchlight devices services ${name}` : `porchlight ${kind}s properties ${name} ${selector}`;
  return new Failure("notFound", `${name} has no ${selector}.`, "No device in question has such a property.", next);
}

type Whole = Omit<HistoryPage, "continuationToken">;

function filterOf({ clock }: Context, args: Args): HistoryFilter {
  const [from, to] = [args.text("from") ?? "1d", args.text("to")];
  const resolution = HISTORY_RESOLUTIONS.find((each) => each === args.text("resolution"));
  return {
    from: momentOf(from, clock),
    ...(to !== undefined && { to: momentOf(to, clock) }),
    ...(resolution && { resolution }),
    timeZone: args.text("time-zone") ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** All pages joined. For a chart, a meter's growth is requested in steps, each of which is a bar. */
async function whole({ calls, reference, selector, filter }: AskedHistory, isChart: boolean): Promise<Whole> {
  const ask = (more: HistoryFilter) => joined(calls.history(reference, selector, { ...filter, ...more }).pages());
  const found = await ask({});
  const isMeter = found.items.length > 0 && found.items.every(({ kind }) => kind === "total");
  if (!isChart || !isMeter || found.resolution !== "raw" || filter.resolution !== undefined) return found;
  const length = (parseTime(found.range.to) ?? 0) - (parseTime(found.range.from) ?? 0);
  return ask({ resolution: length <= SHORT ? "5m" : "1h" });
}

/** Longest range with bars of five minutes, ms: six hours. */
const SHORT = 6 * 3_600_000;

async function joined(
  pages: AsyncIterable<Omit<HistoryPage, "items"> & { readonly items: readonly HistorySeries[] }>,
): Promise<Whole> {
  const series = new Map<string, HistorySeries>();
  let about: Omit<HistoryPage, "items" | "continuationToken"> | undefined;
  for await (const { items, continuationToken: _, ...rest } of pages) {
    about ??= rest;
    for (const item of items) {
      const key = `${item.deviceId}/${nameOf(item)}`;
      const before = series.get(key);
      if (before) before.points.push(...item.points);
      else series.set(key, { ...item, points: [...item.points] });
    }
  }
  if (!about)
    throw new Failure("failed", "The answer has no pages.", "The service is of another version.", "porchlight doctor");
  return { items: [...series.values()], ...about };
}

function charts({ output }: Context, { items, resolution, timeZone, range }: Whole, isOfSeveral: boolean): void {
  const span = { from: parseTime(range.from) ?? 0, to: parseTime(range.to) ?? 0 };
  for (const [index, series] of items.entries()) {
    if (index > 0) output.line();
    const words = (value: unknown) => withUnit(value, series.unit);
    const whole: WholeHistory = { series, resolution, timeZone, range: span };
    output.line(styled("bold", titleOf(series, isOfSeveral)), ...headOf(series, resolution));
    for (const line of chartLines(whole, { ...output.showing, width: output.width, words })) output.line(...line);
  }
}

function headOf({ kind, unit, points }: HistorySeries, resolution: HistoryResolution) {
  const what =
    kind === "total" && resolution !== "raw"
      ? "growth"
      : kind === "number" && resolution !== "raw"
        ? "mean"
        : undefined;
  const each =
    resolution === "raw" ? `${points.length} ${points.length === 1 ? "change" : "changes"}` : `each ${resolution}`;
  const parts = [what && `${what} of ${each}`, what ? undefined : each, unit && `in ${unit}`];
  return [styled("dim", `  ${parts.filter((part) => part !== undefined).join(", ")}`)];
}

/** Title of a series, with the device's ID when there are several devices. */
function titleOf(series: HistorySeries, isOfSeveral: boolean): string {
  return isOfSeveral ? `${series.deviceId} ${nameOf(series)}` : nameOf(series);
}

function rows({ output }: Context, { items, resolution }: Whole, isOfSeveral: boolean): void {
  const columns =
    resolution === "raw"
      ? COLUMNS.filter(({ path }) => RAW.includes(String(path)))
      : COLUMNS.filter(({ path }) => path !== "value");
  output.list(
    columns,
    items.flatMap((series) => series.points.map((point) => rowOf(titleOf(series, isOfSeveral), point))),
  );
  for (const series of items)
    for (const { from, until, reason } of series.gaps ?? [])
      output.note(
        `${nameOf(series)}: unknown from ${from} ${until === undefined ? "on" : `until ${until}`} (${reason})`,
      );
}

function rowOf(
  name: string,
  { at, value, states, happenings, knownSeconds, ...point }: HistorySeries["points"][number],
) {
  return {
    ...{ name, at, ...point },
    ...(value !== undefined && { value: value === null ? "" : valueText(value) }),
    ...(states && { states: states.map((each) => `${valueText(each.value)} ${each.seconds} s`).join(", ") }),
    ...(happenings && { happened: happenings.map((each) => `${valueText(each.value)} ${each.count}`).join(", ") }),
    ...(knownSeconds !== undefined && { known: `${knownSeconds} s` }),
  };
}

async function csv({ output }: Context, { calls, reference, selector, filter }: AskedHistory): Promise<void> {
  const text = await calls.historyCsv(reference, selector, filter);
  for (const line of text.split(/\r?\n/)) if (line !== "") output.line(line);
}
