/** The buttons of a chart: how long a time, which one, in how much detail; and what else can be had of it. */
import { ActionIcon, Button, Group, NativeSelect } from "@mantine/core";
import type { HistoryResolution } from "@porchlight/shared/api";
import { type ReactNode, useState } from "react";
import { Icon } from "../../kit/display/icon.tsx";
import classes from "../history-chart.module.css";
import { fixed, moved, PRESETS, type View, zoomed } from "../plan/span.ts";
import type { Subject } from "../series/subject.ts";
import type { ChartSeries } from "../series/use-series.ts";
import { CsvButton } from "./csv-button.tsx";
import { CustomRange } from "./custom-range.tsx";
import { HISTORY_RESOLUTIONS_SHOWN, resolutionOf } from "./resolution-words.ts";

export interface ToolbarProps {
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

/** The detail that was chosen for a person, in words. */
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
