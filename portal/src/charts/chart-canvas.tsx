/** The canvas of a chart: stacked panels with a shared cursor, moved and zoomed by mouse, wheel, touch and keys. */
import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { keyOf } from "../live/target.ts";
import { type Colours, coloursOf } from "./draw-timelines.ts";
import { listen } from "./gestures.ts";
import classes from "./history-chart.module.css";
import { type Panel, panelsOf, type SeriesPlan } from "./plan.ts";
import { Plot, type Scene } from "./plot.ts";
import { type Subject, timelineLookOf } from "./series-subject.ts";
import { fixed, moved, type Span, type View, zoomed } from "./span.ts";
import type { ChartSeries } from "./use-series.ts";

interface ChartCanvasProps {
  readonly label: string;
  readonly subjects: readonly Subject[];
  readonly series: ChartSeries;
  readonly cursor: number | undefined;
  readonly onCursor: (at: number | undefined, by: "pointer" | "key") => void;
  readonly onView: (view: View) => void;
  readonly onReset: () => void;
}

/** Share of the displayed time by which a key moves the cursor. */
const STEP = 1 / 60;

export default function ChartCanvas(props: ChartCanvasProps) {
  const { label, subjects, series, cursor, onCursor, onView, onReset } = props;
  const { span, now, plans } = series;
  const root = useRef<HTMLDivElement>(null);
  const colours = useColours(root);
  const hint = useId();
  // Keep the same object while only the cursor moves, because each new object redraws the canvas.
  const scenes = useMemo(
    () => (colours ? scenesOf({ from: span.from, to: span.to }, plans, subjects, colours) : []),
    [span.from, span.to, plans, subjects, colours],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = actionOf(event.key, { span, now, cursor });
    if (!act) return;
    event.preventDefault();
    if (act.kind === "cursor") onCursor(act.at, "key");
    else if (act.kind === "view") onView(act.view);
    else onReset();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      ref={root}
      className={classes.canvas}
      role="group"
      aria-label={label}
      aria-describedby={hint}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys read values, zoom and move
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={() => root.current?.focus({ preventScroll: true })}
    >
      <span id={hint} className="unseen">
        Left and right read values, plus and minus zoom, Page Up and Page Down move, 0 resets. The table below has the
        same values.
      </span>
      {scenes.map((scene) => (
        <div key={shapeOf(scene)}>
          <Units panel={scene.panel} />
          <PanelView
            {...{ scene, now, cursor, onView }}
            onCursor={(at) => onCursor(at, "pointer")}
            onSelect={(from, to) => onView(fixed(from, Math.min(to, now)))}
          />
        </div>
      ))}
    </div>
  );
}

function scenesOf(
  span: Span,
  plans: readonly SeriesPlan[],
  subjects: readonly Subject[],
  colours: Colours,
): readonly Scene[] {
  const keys = subjects.map(({ target }) => keyOf(target));
  const looks = new Map(
    plans.flatMap((plan) => {
      const index = keys.indexOf(plan.key);
      const subject = subjects[index];
      return subject ? [[plan.key, timelineLookOf(subject, plan, index)] as const] : [];
    }),
  );
  const timelineOf = (key: string) => looks.get(key) ?? { name: key, words: String, hueOf: () => undefined };
  const panels = panelsOf(plans);
  const hasRight = panels.some((panel) => panel.kind === "lines" && panel.right !== undefined);
  const indexOf = (key: string) => keys.indexOf(key);
  return panels.map((panel) => ({ panel, span, colours, indexOf, timelineOf, hasRight }));
}

/** The canvas colours; read again when the page switches between light and dark. */
function useColours(root: { readonly current: HTMLElement | null }): Colours | undefined {
  const scheme = useComputedColorScheme();
  const [colours, setColours] = useState<Colours>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes the colours that the page returns
  useLayoutEffect(() => {
    if (root.current) setColours(coloursOf(root.current));
  }, [root, scheme]);
  return colours;
}

/** A panel's fixed properties: a change of any of them requires a new canvas. */
function shapeOf({ panel, hasRight }: Scene): string {
  if (panel.kind === "timelines") return `timelines ${panel.plans.length} ${hasRight}`;
  return `${panel.kind} ${hasRight} ${panel.left.unit} ${panel.kind === "lines" && panel.right ? panel.right.unit : "-"}`;
}

/** The units above the axes. */
function Units({ panel }: { readonly panel: Panel }) {
  if (panel.kind === "timelines") return null;
  const right = panel.kind === "lines" ? panel.right : undefined;
  const left = panel.left.plans.some(({ drawn }) => drawn.kind === "counts") ? "times" : panel.left.unit;
  if (left === undefined && !right) return null;
  return (
    <div className={classes.units} aria-hidden="true">
      <bdi>{left?.slice(0, 24)}</bdi>
      {right && <bdi>{right.unit?.slice(0, 24) ?? "no unit"}</bdi>}
    </div>
  );
}

type Act =
  | { readonly kind: "cursor"; readonly at: number | undefined }
  | { readonly kind: "view"; readonly view: View }
  | { readonly kind: "reset" };

/** The action of a key. */
function actionOf(
  key: string,
  { span, now, cursor }: { readonly span: Span; readonly now: number; readonly cursor: number | undefined },
): Act | undefined {
  const length = span.to - span.from;
  const at = cursor ?? span.to;
  const within = (time: number) => Math.min(span.to, Math.max(span.from, Math.round(time)));
  switch (key) {
    case "ArrowLeft":
      return { kind: "cursor", at: within(at - length * STEP) };
    case "ArrowRight":
      return { kind: "cursor", at: within(at + length * STEP) };
    case "Home":
      return { kind: "cursor", at: span.from };
    case "End":
      return { kind: "cursor", at: span.to - 1 };
    case "Escape":
      return cursor === undefined ? undefined : { kind: "cursor", at: undefined };
    case "+":
    case "=":
      return { kind: "view", view: zoomed(span, 0.5, within(at)) };
    case "-":
      return { kind: "view", view: zoomed(span, 2, within(at)) };
    case "PageUp":
      return { kind: "view", view: moved(span, -0.5, now) };
    case "PageDown":
      return { kind: "view", view: moved(span, 0.5, now) };
    case "0":
      return { kind: "reset" };
    default:
      return undefined;
  }
}

interface PanelViewProps {
  readonly scene: Scene;
  readonly now: number;
  /** The cursor's time in all panels, in ms since 1970. */
  readonly cursor: number | undefined;
  readonly onCursor: (at: number | undefined) => void;
  readonly onSelect: (from: number, to: number) => void;
  readonly onView: (view: View) => void;
}

/** One panel: a canvas that fills the available width, with its event listeners. */
function PanelView({ scene, now, cursor, onCursor, onSelect, onView }: PanelViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const latest = useRef({ scene, now });
  useLayoutEffect(() => {
    latest.current = { scene, now };
  });
  const reportCursor = useEffectEvent((at: number | undefined) => onCursor(at));
  const selected = useEffectEvent((from: number, to: number) => onSelect(from, to));
  const viewed = useEffectEvent((view: View) => onView(view));
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const made = new Plot(element, latest.current.scene, {
      onCursor: (at) => reportCursor(at),
      onSelect: (from, to) => selected(from, to),
    });
    plot.current = made;
    const end = new AbortController();
    const isFocused = () => element.closest(":focus-within") === document.activeElement;
    const deps = {
      span: () => latest.current.scene.span,
      now: () => latest.current.now,
      isFocused,
      onView: (view: View) => {
        // Several turns within one frame add up: the next one starts from this view.
        latest.current = {
          ...latest.current,
          scene: { ...latest.current.scene, span: { from: from(view), to: to(view) } },
        };
        viewed(view);
      },
    };
    listen(made.over, deps, end.signal);
    const resized = new ResizeObserver(() => made.fit(element));
    resized.observe(element);
    return () => {
      end.abort();
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, []);
  useLayoutEffect(() => {
    plot.current?.show(scene);
    if (root.current) plot.current?.fit(root.current);
  }, [scene]);
  // Runs after every render, because another time span moves the cursor's position.
  useLayoutEffect(() => plot.current?.point(cursor));
  return <div ref={root} className={classes.panel} />;
}

const from = (view: View) => (view.kind === "fixed" ? view.from : 0);
const to = (view: View) => (view.kind === "fixed" ? view.to : view.length);
