/** Zooms and moves a chart by wheel and touch. A wheel turn scrolls the page unless the chart has the focus or Ctrl is pressed. */
import { moved, type Span, type View, zoomed } from "./span.ts";

interface GestureDeps {
  readonly span: () => Span;
  readonly now: () => number;
  readonly onView: (view: View) => void;
  /** Whether the wheel zooms the chart without Ctrl. */
  readonly isFocused: () => boolean;
}

/** Zoom per px of a wheel turn: the exponent of the factor. */
const TURN = 0.0015;
/** Px per line, for browsers that report wheel turns in lines. */
const LINE = 16;

/** @param over the chart's plotting area @param signal removes the listeners */
export function listen(over: HTMLElement, { span, now, onView, isFocused }: GestureDeps, signal: AbortSignal): void {
  const timeAt = (x: number, of: Span) => {
    const { left, width } = over.getBoundingClientRect();
    return of.from + ((x - left) / Math.max(1, width)) * (of.to - of.from);
  };
  over.addEventListener(
    "wheel",
    (event) => {
      const scale = event.deltaMode === 1 ? LINE : 1;
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const isMeant = event.ctrlKey || event.metaKey || isFocused();
      if (isSideways ? event.deltaX === 0 : !isMeant) return;
      event.preventDefault();
      const shown = span();
      if (isSideways) onView(moved(shown, (event.deltaX * scale) / Math.max(1, over.clientWidth), now()));
      else onView(zoomed(shown, Math.exp(event.deltaY * scale * TURN), timeAt(event.clientX, shown)));
    },
    { signal, passive: false },
  );
  listenToFingers(over, { span, now, onView }, timeAt, signal);
}

/** One finger moves the time span, two fingers zoom. Vertical movement scrolls the page. */
function listenToFingers(
  over: HTMLElement,
  { span, now, onView }: Omit<GestureDeps, "isFocused">,
  timeAt: (x: number, of: Span) => number,
  signal: AbortSignal,
): void {
  const fingers = new Map<number, number>();
  const forget = ({ pointerId }: PointerEvent) => void fingers.delete(pointerId);
  over.addEventListener(
    "pointerdown",
    ({ pointerType, pointerId, clientX }) => {
      if (pointerType === "touch") fingers.set(pointerId, clientX);
    },
    { signal },
  );
  over.addEventListener(
    "pointermove",
    ({ pointerId, clientX }) => {
      const before = fingers.get(pointerId);
      if (before === undefined) return;
      const other = [...fingers].find(([id]) => id !== pointerId)?.[1];
      fingers.set(pointerId, clientX);
      const shown = span();
      if (other === undefined) {
        onView(moved(shown, (before - clientX) / Math.max(1, over.clientWidth), now()));
        return;
      }
      const [was, is] = [Math.abs(before - other), Math.abs(clientX - other)];
      if (was > 10 && is > 10) onView(zoomed(shown, was / is, timeAt((clientX + other) / 2, shown)));
    },
    { signal },
  );
  for (const end of ["pointerup", "pointercancel", "pointerleave"] as const)
    over.addEventListener(end, forget, { signal });
}
