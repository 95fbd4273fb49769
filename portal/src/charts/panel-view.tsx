/** One panel in the page: its canvas, kept as wide as it may be, and listened to. */
import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { listen } from "./canvas/gestures.ts";
import { Plot, type Scene } from "./canvas/plot.ts";
import classes from "./history-chart.module.css";
import type { View } from "./plan/span.ts";

export interface PanelViewProps {
  readonly scene: Scene;
  readonly now: number;
  /** Where the cursor is, in all panels; ms since 1970. */
  readonly cursor: number | undefined;
  readonly onCursor: (at: number | undefined) => void;
  readonly onSelect: (from: number, to: number) => void;
  readonly onView: (view: View) => void;
}

export function PanelView({ scene, now, cursor, onCursor, onSelect, onView }: PanelViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(undefined);
  const latest = useRef({ scene, now });
  useLayoutEffect(() => {
    latest.current = { scene, now };
  });
  const told = useEffectEvent((at: number | undefined) => onCursor(at));
  const selected = useEffectEvent((from: number, to: number) => onSelect(from, to));
  const viewed = useEffectEvent((view: View) => onView(view));
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const made = new Plot(element, latest.current.scene, {
      onCursor: (at) => told(at),
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
        // The next of several turns within one frame goes on from this one.
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
  // Also after it was drawn for another time, in which the same moment stands elsewhere.
  useLayoutEffect(() => plot.current?.point(cursor));
  return <div ref={root} className={classes.panel} />;
}

const from = (view: View) => (view.kind === "fixed" ? view.from : 0);
const to = (view: View) => (view.kind === "fixed" ? view.to : view.length);
