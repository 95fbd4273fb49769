/** What a property was in this session, drawn small: with its unit and its times, and with nothing drawn where nothing was told. */
import type { PropertyDescriptor } from "@porchlight/shared/api";
import { useSyncExternalStore } from "react";
import { momentOf, useNow } from "../../../kit/text/age.tsx";
import { valueWords } from "../../../kit/text/value-words.ts";
import { useHistory } from "../../../live/context.tsx";
import type { Gap } from "../../../live/history.ts";
import { keyOf } from "../../../live/target.ts";
import { type Property, useDevicePage } from "../device/device-page-context.tsx";
import { type Chart, chartOf, type Spot } from "./chart.ts";
import classes from "./history-chart.module.css";

export interface HistoryChartProps {
  readonly property: Property;
  readonly descriptor: PropertyDescriptor;
  readonly name: string;
}

/** The last few as text: for who cannot see the chart, and for exact values. */
const LISTED = 6;

export default function HistoryChart({ property, descriptor, name }: HistoryChartProps) {
  const history = useHistory();
  useSyncExternalStore(history.subscribe, history.version);
  const now = useNow() + 1000;
  const gaps = useGaps();
  const { access, type, unit, values } = descriptor;
  const points = history.pointsOf(keyOf(property.target));
  const isOccurrence = !access.includes("read");
  const chart = type === "json" ? undefined : chartOf({ points, gaps, now, isOccurrence, values });
  const words = (value: unknown) => valueWords(value, descriptor.property, unit);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        In this session: {points.length === 0 ? "no values yet" : countWords(points.length, isOccurrence)}
        {unit && `, in ${unit}`}
        {gaps.length > 0 && "; hatched: unknown"}
      </figcaption>
      {chart && <Drawing chart={chart} now={now} words={words} label={`History of ${name}`} />}
      {points.length > 0 && (
        <ol className={classes.list} reversed>
          {points
            .slice(-LISTED)
            .reverse()
            .map(({ at, value }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have happened at the very same time
              <li key={`${at} ${place}`}>
                <PointTime at={at} now={now} /> <bdi>{words(value).slice(0, 200)}</bdi>
              </li>
            ))}
        </ol>
      )}
    </figure>
  );
}

function countWords(count: number, isOccurrence: boolean): string {
  if (isOccurrence) return count === 1 ? "happened once" : `happened ${count} times`;
  return count === 1 ? "one value" : `${count} values`;
}

/** When nothing was known of the device; also when it was away before anybody looked. */
function useGaps(): readonly Gap[] {
  const { device } = useDevicePage();
  const gaps = useHistory().gapsOf([device.id, ...(device.clientId === undefined ? [] : [device.clientId])]);
  const { connection } = device;
  if (!connection || connection.state === "online" || gaps.some(({ to }) => to === undefined)) return gaps;
  const from = Date.parse(connection.since.replace(" ", "T"));
  return [...gaps.filter((gap) => (gap.to ?? from) <= from), { from, to: undefined }];
}

/** When the device said a value, or that nobody knows. */
function PointTime({ at, now }: { readonly at: number | undefined; readonly now: number }) {
  if (at === undefined) return <span className={classes.unknown}>time unknown</span>;
  return <time dateTime={new Date(at).toISOString()}>{momentOf(at, now)}</time>;
}

interface DrawingProps {
  readonly chart: Chart;
  readonly now: number;
  readonly words: (value: unknown) => string;
  readonly label: string;
}

function Drawing({ chart, now, words, label }: DrawingProps) {
  const { lines, spots, gaps, levels, from, to } = chart;
  return (
    <div className={classes.drawing}>
      <div className={classes.levels} aria-hidden="true">
        {levels.map(({ y, value }) => (
          <span key={JSON.stringify(value)} style={{ bottom: `${y * 100}%` }}>
            <bdi>{words(value)}</bdi>
          </span>
        ))}
      </div>
      <svg className={classes.plot} viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={label}>
        {gaps.map((gap) => (
          <rect
            key={gap.from}
            className={classes.gap}
            x={gap.from * 1000}
            y={0}
            width={(gap.to - gap.from) * 1000}
            height={100}
          />
        ))}
        {levels.map(({ y, value }) => (
          <path key={JSON.stringify(value)} className={classes.level} d={`M0 ${100 - y * 100}H1000`} />
        ))}
        {lines.map((line) => (
          <path key={pathOf(line)} className={classes.line} d={pathOf(line)} />
        ))}
        <path className={classes.spots} d={spots.map(({ x, y }) => `M${x * 1000} ${100 - y * 100}h0`).join("")} />
      </svg>
      <div className={classes.times} aria-hidden="true">
        <span>{momentOf(from, now)}</span>
        <span>{momentOf(to, now)}</span>
      </div>
    </div>
  );
}

function pathOf(line: readonly Spot[]): string {
  return line.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x * 1000} ${100 - y * 100}`).join("");
}
