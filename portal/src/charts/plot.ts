/** One panel on a canvas: uPlot draws the axes, the cursor and the selection; the modules beside this one draw the series. */
import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { drawGaps } from "./draw-gaps.ts";
import { drawMeans, drawSteps, type LineLook, type Surface } from "./draw-line.ts";
import { bandIn, type Colours, dashOf, drawTimeline, HUES, TIMELINE, type TimelineLook } from "./draw-timelines.ts";
import { firstEndingAfter, rangeOf } from "./extremes.ts";
import type { Axis, Bar, Panel, SeriesPlan } from "./plan.ts";
import type { Span } from "./span.ts";

/** The current content of a panel. */
export interface Scene {
  readonly panel: Panel;
  readonly span: Span;
  readonly colours: Colours;
  /** Index of a series within the whole chart, which determines its look. */
  readonly indexOf: (key: string) => number;
  readonly timelineOf: (key: string) => TimelineLook;
  /** A panel of the chart has a right axis: all panels then reserve its width, so that equal times line up. */
  readonly hasRight: boolean;
}

interface PlotEvents {
  /** @param at ms since 1970; undefined when the cursor leaves */
  readonly onCursor: (at: number | undefined) => void;
  readonly onSelect: (from: number, to: number) => void;
}

/** Width of an axis in px, smaller on a narrow screen. */
const axisOf = (root: HTMLElement) => (root.clientWidth < 480 ? 44 : 58);
const TIMES = 42;
const HEIGHT = { lines: 220, bars: 180 };
/** A drag shorter than this counts as a click, in px. */
const CLICK = 6;

export class Plot {
  readonly #plot: uPlot;
  #scene: Scene;

  constructor(root: HTMLElement, scene: Scene, events: PlotEvents) {
    this.#scene = scene;
    const size = axisOf(root);
    const scales: uPlot.Scales = {
      x: { time: true, auto: false, range: () => [this.#scene.span.from, this.#scene.span.to] },
      left: { auto: false, range: () => this.#rangeOf("left") },
      right: { auto: false, range: () => this.#rangeOf("right") },
    };
    this.#plot = new uPlot(
      {
        ...{
          width: widthOf(root),
          height: heightOf(scene.panel),
          ms: 1,
          padding: [8, scene.hasRight && !hasOwnRight(scene.panel) ? size : 8, 0, 0],
          scales,
        },
        axes: [this.#times(), ...this.#valueAxes(size)],
        series: [{}, { scale: "left", show: true, points: { show: false }, paths: () => null }],
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: CLICK } },
        hooks: {
          drawClear: [() => this.#drawBelow()],
          draw: [() => this.#draw()],
          setCursor: [({ cursor: { left = -1 } }) => events.onCursor(left < 0 ? undefined : this.#timeAt(left))],
          setSelect: [
            ({ select: { left, width } }) => {
              if (width < CLICK) return;
              const [from, to] = [this.#timeAt(left), this.#timeAt(left + width)];
              this.#plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              events.onSelect(from, to);
            },
          ],
        },
      },
      [[0], [null]],
      root,
    );
    this.show(scene);
  }

  /** Redraws the panel. A panel of another kind, or with other axes, needs a new plot. */
  show(scene: Scene): void {
    this.#scene = scene;
    const { span } = scene;
    // Setting the time scale redraws everything.
    this.#plot.batch(() => {
      this.#plot.setScale("x", { min: span.from, max: span.to });
      for (const name of ["left", "right"] as const) {
        const [min, max] = this.#rangeOf(name);
        this.#plot.setScale(name, { min, max });
      }
    });
  }

  fit(root: HTMLElement): void {
    const size = { width: widthOf(root), height: heightOf(this.#scene.panel) };
    if (size.width !== this.#plot.width || size.height !== this.#plot.height) this.#plot.setSize(size);
  }

  /** The plotting area. */
  get over(): HTMLElement {
    return this.#plot.over;
  }

  /** Shows the cursor at the time that another panel or the keyboard selected. */
  point(at: number | undefined): void {
    const left = at === undefined ? -10 : this.#plot.valToPos(at, "x");
    if (Math.abs((this.#plot.cursor.left ?? -10) - left) > 0.5)
      this.#plot.setCursor({ left, top: at === undefined ? -10 : 1 }, false);
  }

  destroy(): void {
    this.#plot.destroy();
  }

  #rangeOf(name: "left" | "right"): [min: number, max: number] {
    const { panel, span } = this.#scene;
    const axis = axesOf(panel).find(([scale]) => scale === name);
    if (!axis) return [0, 1];
    const { min, max } = rangeOf(axis[1].plans, span);
    return [min, max];
  }

  #timeAt(left: number): number {
    return Math.round(this.#plot.posToVal(left, "x"));
  }

  #times(): uPlot.Axis {
    const { line } = this.#look();
    return {
      ...{ scale: "x", size: TIMES, space: 84, gap: 4, grid: line, ticks: { ...line, size: 4 } },
      stroke: () => this.#scene.colours.quiet,
      font: `12px ${this.#scene.colours.font}`,
      values: (_, marks, __, ___, distance) => [...axisTimes(marks, distance)],
    };
  }

  #valueAxes(size: number): uPlot.Axis[] {
    const { line } = this.#look();
    const axis = (scale: "left" | "right", show: boolean): uPlot.Axis => ({
      ...{ scale, show, side: scale === "left" ? 3 : 1, size, space: 36, gap: 4 },
      grid: scale === "left" ? line : { show: false },
      ticks: { ...line, size: 4 },
      stroke: () => this.#scene.colours.quiet,
      font: `12px ${this.#scene.colours.font}`,
    });
    const { panel } = this.#scene;
    // Timelines reserve the width of an axis, so that equal times line up in all panels.
    const left = axis("left", true);
    const isTimelines = panel.kind === "timelines";
    return [
      isTimelines
        ? { ...left, values: () => [], splits: () => [], grid: { show: false }, ticks: { show: false } }
        : left,
      axis("right", hasOwnRight(panel)),
    ];
  }

  #look() {
    return { line: { stroke: () => this.#scene.colours.line, width: 1 } };
  }

  #place(): Surface {
    const { ctx: context, bbox } = this.#plot;
    return { context, ...bbox, ratio: uPlot.pxRatio, span: this.#scene.span };
  }

  #drawBelow(): void {
    const { panel, colours } = this.#scene;
    if (panel.kind === "timelines") return;
    const plans = axesOf(panel).flatMap(([, axis]) => axis.plans);
    // With several devices, hatch over the whole height only where all of them have a gap.
    drawGaps(this.#place(), commonGaps(plans), colours);
  }

  #draw(): void {
    const { panel, colours, timelineOf } = this.#scene;
    const place = this.#place();
    if (panel.kind === "timelines") {
      for (const [index, plan] of panel.plans.entries()) {
        const timeline = { ...place, top: place.top + index * TIMELINE * place.ratio, height: TIMELINE * place.ratio };
        drawGaps(bandIn(timeline), plan.gaps, colours);
        drawTimeline(timeline, plan, timelineOf(plan.key), colours);
      }
      return;
    }
    place.context.save();
    place.context.beginPath();
    place.context.rect(place.left, place.top, place.width, place.height);
    place.context.clip();
    for (const [scale, { plans }] of axesOf(panel))
      for (const [index, plan] of plans.entries()) this.#drawOne(place, scale, plan, { index, of: plans.length });
    place.context.restore();
  }

  #drawOne(
    place: Surface,
    scale: string,
    { drawn, key }: SeriesPlan,
    share: { readonly index: number; readonly of: number },
  ): void {
    const { colours, indexOf } = this.#scene;
    const index = indexOf(key);
    const look: LineLook = {
      colour: colours.hues[index % HUES] ?? colours.text,
      dash: dashOf(index),
      yOf: (value) => this.#plot.valToPos(value, scale, true),
    };
    if (drawn.kind === "step") drawSteps(place, drawn.line, look);
    if (drawn.kind === "mean") drawMeans(place, drawn, look);
    if (drawn.kind === "bars" || drawn.kind === "counts") drawBars(place, drawn.bars, look, share);
  }
}

function axesOf(panel: Panel): readonly (readonly [scale: string, axis: Axis])[] {
  if (panel.kind === "timelines") return [];
  const right = panel.kind === "lines" && panel.right;
  return [["left", panel.left], ...(right ? ([["right", right]] as const) : [])];
}

function hasOwnRight(panel: Panel): boolean {
  return panel.kind === "lines" && panel.right !== undefined;
}

/** The intersection of the gaps of all series, with the first one's reason. */
function commonGaps(plans: readonly SeriesPlan[]): SeriesPlan["gaps"] {
  const [first, ...rest] = plans;
  return rest.reduce(
    (gaps, plan) =>
      gaps.flatMap((gap) =>
        plan.gaps
          .filter(({ from, to }) => from < gap.to && to > gap.from)
          .map(({ from, to }) => ({ ...gap, from: Math.max(from, gap.from), to: Math.min(to, gap.to) })),
      ),
    first?.gaps ?? [],
  );
}

function widthOf(root: HTMLElement): number {
  return Math.max(160, Math.floor(root.clientWidth));
}

function heightOf(panel: Panel): number {
  return panel.kind === "timelines" ? panel.plans.length * TIMELINE + TIMES + 12 : HEIGHT[panel.kind];
}

const MINUTE = 60_000;
const DAY = 86_400_000;

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options);
const FORMATS = {
  second: format({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  minute: format({ hour: "2-digit", minute: "2-digit" }),
  day: format({ day: "numeric", month: "short" }),
  month: format({ month: "short", year: "numeric" }),
};

/**
 * Labels of a time axis: local time, with the date where a day begins, as precise as the distance of the marks requires. Pure.
 * @param marks ms since 1970, in order
 * @param distance of two marks, in ms
 */
function axisTimes(marks: readonly number[], distance: number): readonly string[] {
  if (distance >= 27 * DAY) return marks.map((at) => FORMATS.month.format(at));
  if (distance >= DAY) return marks.map((at, index) => `${FORMATS.day.format(at)}${yearBelow(at, marks[index - 1])}`);
  const clock = distance < MINUTE ? FORMATS.second : FORMATS.minute;
  return marks.map((at, index) => {
    const before = marks[index - 1];
    const isNewDay = before === undefined || new Date(before).toDateString() !== new Date(at).toDateString();
    return isNewDay ? `${clock.format(at)}\n${FORMATS.day.format(at)}` : clock.format(at);
  });
}

function yearBelow(at: number, before: number | undefined): string {
  const year = new Date(at).getFullYear();
  return before === undefined || new Date(before).getFullYear() !== year ? `\n${year}` : "";
}

/**
 * Draws growth or counts: a bar per step, paler where it may be too low.
 * @param share the series' share of a step's width, and its position among the series side by side
 */
function drawBars(
  { context, left, width, span, ratio }: Surface,
  bars: readonly Bar[],
  { colour, yOf }: LineLook,
  share: { readonly index: number; readonly of: number },
): void {
  const scale = width / (span.to - span.from);
  const zero = yOf(0);
  context.fillStyle = colour;
  for (let at = firstEndingAfter(bars, span.from); at < bars.length; at++) {
    const bar = bars[at];
    if (!bar || bar.from >= span.to) break;
    const whole = (bar.to - bar.from) * scale;
    const gap = Math.min(whole * 0.2, 6 * ratio);
    const each = (whole - gap) / share.of;
    const x = left + (bar.from - span.from) * scale + gap / 2 + each * share.index;
    // A small value must remain visible.
    const height = bar.value === 0 ? 0 : Math.max(ratio, Math.abs(yOf(bar.value) - zero));
    context.globalAlpha = bar.isPartial ? 0.5 : 1;
    context.fillRect(x, bar.value < 0 ? zero : zero - height, Math.max(each, ratio), height);
  }
  context.globalAlpha = 1;
}
