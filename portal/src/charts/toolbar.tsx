/** The chart's buttons: length, time span, resolution, and the exports. */
import { ActionIcon, Button, Group, NativeSelect, TextInput } from "@mantine/core";
import type { HistoryResolution } from "@porchlight/shared/api";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Failure } from "../kit/display/failure.tsx";
import { Icon } from "../kit/display/icon.tsx";
import { localTime } from "../kit/text/local-time.ts";
import { keyOf, selectorOf } from "../live/target.ts";
import { useApi } from "../session/context.tsx";
import { hereTimeZone } from "./fetch-series.ts";
import classes from "./history-chart.module.css";
import { serviceTimeOf } from "./planned-series.ts";
import type { Subject } from "./series-subject.ts";
import { fixed, moved, PRESETS, type Span, type View, zoomed } from "./span.ts";
import type { ChartSeries } from "./use-series.ts";

interface ToolbarProps {
  readonly subjects: readonly Subject[];
  readonly view: View;
  readonly series: ChartSeries;
  readonly resolution: HistoryResolution | undefined;
  readonly isTable: boolean;
  readonly isSmall: boolean;
  readonly actions: ReactNode;
  readonly onView: (view: View) => void;
  readonly onReset: () => void;
  readonly onResolution: (resolution: HistoryResolution | undefined) => void;
  readonly onTable: () => void;
}

export function Toolbar(props: ToolbarProps) {
  const { subjects, view, series, resolution, isTable, isSmall, actions, onView, onReset, onResolution, onTable } =
    props;
  const { span, now, plans } = series;
  const [isCustom, setCustom] = useState(false);
  const middle = (span.from + span.to) / 2;
  return (
    <div className={classes.toolbar}>
      <Group gap={4} role="group" aria-label="Time shown">
        {PRESETS.map(({ name, length }) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            className={classes.preset}
            aria-pressed={view.kind === "recent" && view.length === length}
            onClick={() => onView({ kind: "recent", length })}
          >
            {name}
          </Button>
        ))}
        <Button size="compact-sm" variant="default" aria-expanded={isCustom} onClick={() => setCustom(!isCustom)}>
          Custom
        </Button>
      </Group>
      <Group gap={4} role="group" aria-label="Move and zoom">
        {!isSmall && (
          <>
            <Act label="Earlier" icon="left" onClick={() => onView(moved(span, -0.5, now))} />
            <Act
              label="Later"
              icon="right"
              isDisabled={view.kind === "recent"}
              onClick={() => onView(moved(span, 0.5, now))}
            />
            <Act label="Zoom in" icon="plus" onClick={() => onView(zoomed(span, 0.5, middle))} />
            <Act label="Zoom out" icon="minus" onClick={() => onView(zoomed(span, 2, middle))} />
          </>
        )}
        <Act label="Reset zoom" icon="refresh" onClick={onReset} />
        <Button
          size="compact-sm"
          variant="default"
          className={classes.preset}
          aria-pressed={view.kind === "recent"}
          onClick={() =>
            onView(view.kind === "recent" ? fixed(span.from, span.to) : { kind: "recent", length: span.to - span.from })
          }
        >
          Follow now
        </Button>
      </Group>
      {!isSmall && (
        <NativeSelect
          size="xs"
          aria-label="Detail"
          value={resolution ?? ""}
          onChange={(event) => onResolution(resolutionOf(event.currentTarget.value))}
          data={[
            { value: "", label: automaticWords(plans.map((plan) => plan.resolution)) },
            ...HISTORY_RESOLUTIONS_SHOWN.map(([value, words]) => ({ value, label: words })),
          ]}
        />
      )}
      <Group gap={4}>
        <Button size="compact-sm" variant="default" aria-expanded={isTable} onClick={onTable}>
          {isTable ? "Hide table" : "Show as table"}
        </Button>
        {!isSmall && <CsvButton {...{ subjects, series }} />}
        {actions}
      </Group>
      {isCustom && <CustomRange span={span} onView={onView} />}
    </div>
  );
}

/** Describes the automatically chosen resolution. */
function automaticWords(shown: readonly HistoryResolution[]): string {
  const found = HISTORY_RESOLUTIONS_SHOWN.find(([value]) => value === shown[0])?.[1];
  return found && new Set(shown).size === 1 ? `Automatic: ${found.toLowerCase()}` : "Automatic";
}

interface ActProps {
  readonly label: string;
  readonly icon: "left" | "right" | "plus" | "minus" | "refresh";
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

function Act({ label, icon, isDisabled = false, onClick }: ActProps) {
  return (
    <ActionIcon variant="default" size="md" aria-label={label} title={label} disabled={isDisabled} onClick={onClick}>
      <Icon name={icon} size={16} />
    </ActionIcon>
  );
}

/** The resolutions with their labels. */
const HISTORY_RESOLUTIONS_SHOWN: readonly (readonly [HistoryResolution, string])[] = [
  ["raw", "Every change"],
  ["5m", "5 minutes"],
  ["1h", "Hours"],
  ["1d", "Days"],
  ["1mo", "Months"],
];

/** Parses the value of a form field; undefined when it is not a resolution. */
function resolutionOf(text: unknown): HistoryResolution | undefined {
  return HISTORY_RESOLUTIONS_SHOWN.find(([value]) => value === text)?.[0];
}

/** The fields of a custom time span, in this device's local time. */
function CustomRange({ span, onView }: { readonly span: Span; readonly onView: (view: View) => void }) {
  const [from, setFrom] = useState(() => localTime(span.from));
  const [to, setTo] = useState(() => localTime(span.to));
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const isWhole = !Number.isNaN(begin) && !Number.isNaN(end) && begin !== end;
  return (
    <form
      className={classes.custom}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onView(fixed(begin, end));
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          type="datetime-local"
          step={1}
          size="xs"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          step={1}
          size="xs"
          label="To"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={!isWhole}>
          Show this time
        </Button>
      </Group>
    </form>
  );
}

/** Downloads the displayed time and resolution as CSV, which the service generates. */
function CsvButton({ subjects, series }: { readonly subjects: readonly Subject[]; readonly series: ChartSeries }) {
  const api = useApi();
  const { span, plans } = series;
  const download = useMutation({
    mutationFn: async () => {
      const texts: string[] = [];
      for (const { target } of subjects) {
        const resolution = plans.find(({ key }) => key === keyOf(target))?.resolution;
        const timeZone = resolution === "1d" || resolution === "1mo" ? hereTimeZone() : undefined;
        const range = { from: serviceTimeOf(span.from), to: serviceTimeOf(span.to) };
        texts.push(
          await api.devices.historyCsv(target.deviceId, selectorOf(target), { ...range, resolution, timeZone }),
        );
      }
      for (const [index, text] of joined(texts).entries()) save(text, index);
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        disabled={plans.length === 0}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download CSV
      </Button>
      {download.error && <Failure error={download.error} putAway={() => download.reset()} />}
    </>
  );
}

function save(text: string, index: number): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `porchlight-history${index === 0 ? "" : `-${index + 1}`}.csv`;
  link.click();
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Joins CSV texts with the same columns: one result per set of columns, in the order of first appearance. Pure. */
function joined(texts: readonly string[]): readonly string[] {
  const byHead = new Map<string, string>();
  for (const text of texts) {
    const end = text.indexOf("\n") + 1 || text.length;
    const head = text.slice(0, end);
    const before = byHead.get(head);
    byHead.set(head, before === undefined ? text : before + text.slice(end));
  }
  return [...byHead.values()];
}
