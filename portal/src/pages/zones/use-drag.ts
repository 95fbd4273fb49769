/** Drags a row by its handle with mouse, pen or touch, and tracks the row below it and the part of that row. */
import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ForestRow } from "./forest.ts";
import { type Edge, edgeOf } from "./tree-moves.ts";

interface Drag {
  readonly row: ForestRow;
  /** The row below the pointer. */
  readonly over: { readonly row: ForestRow; readonly edge: Edge } | undefined;
  /** Ctrl, or Alt on a Mac, is pressed: the item also stays in its zone. */
  readonly isCopy: boolean;
}

interface DragDeps {
  /** Finds a row by its key. */
  readonly rowOf: (key: string) => ForestRow | undefined;
  readonly onDrop: (drag: Drag) => void;
  /** Called after the pointer has rested on a row. */
  readonly onLinger: (row: ForestRow) => void;
}

/** Distance from an edge of the window within which the page scrolls, in px. */
const EDGE = 72;
/** A drag shorter than this counts as a click, in px. */
const CLICK = 4;
/** How long the pointer must rest on a row, in ms. */
const WHILE = 600;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** @returns the drag state, the element that follows the pointer, and the handler for a press on a handle */
export function useDrag(deps: DragDeps): {
  readonly drag: Drag | undefined;
  readonly follower: RefObject<HTMLDivElement | null>;
  readonly begin: (event: PointerEvent<HTMLElement>, row: ForestRow) => void;
} {
  const [drag, setDrag] = useState<Drag>();
  const follower = useRef<HTMLDivElement>(null);
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const under = useEffectEvent(({ x, y }: Point) => overAt(x, y, deps.rowOf));
  const drop = useEffectEvent((done: Drag) => deps.onDrop(done));

  const overKey = drag?.over?.row.key;
  const linger = useEffectEvent(() => {
    if (drag?.over) deps.onLinger(drag.over.row);
  });
  useEffect(() => {
    if (overKey === undefined) return;
    const timer = setTimeout(() => linger(), WHILE);
    return () => clearTimeout(timer);
  }, [overKey]);

  const begin = (event: PointerEvent<HTMLElement>, row: ForestRow) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const grip = event.target as HTMLElement;
    grip.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, y: event.clientY };
    let now: Point = from;
    let last: Drag | undefined;
    const end = new AbortController();
    ending.current?.abort();
    ending.current = end;
    const { signal } = end;
    const look = (isCopy: boolean) => {
      const over = under(now);
      follower.current?.style.setProperty("transform", `translate(${now.x + 14}px, ${now.y + 10}px)`);
      const isSame =
        last && last.over?.row.key === over?.row.key && last.over?.edge === over?.edge && last.isCopy === isCopy;
      if (isSame) return;
      last = { row, over, isCopy };
      setDrag(last);
    };
    const onMove = (moved: globalThis.PointerEvent) => {
      now = { x: moved.clientX, y: moved.clientY };
      if (!last && Math.hypot(now.x - from.x, now.y - from.y) < CLICK) return;
      if (!last) requestAnimationFrame(scroll);
      look(moved.ctrlKey || moved.altKey);
    };
    const scroll = () => {
      if (signal.aborted || !last) return;
      const by = now.y < EDGE ? now.y - EDGE : Math.max(0, now.y - innerHeight + EDGE);
      if (by !== 0) {
        scrollBy({ top: by / 4, behavior: "instant" });
        look(last.isCopy);
      }
      requestAnimationFrame(scroll);
    };
    const stop = () => {
      end.abort();
      setDrag(undefined);
    };
    const letGo = () => {
      if (last) drop(last);
      stop();
    };
    grip.addEventListener("pointermove", onMove, { signal });
    grip.addEventListener("pointerup", letGo, { signal });
    grip.addEventListener("pointercancel", stop, { signal });
    grip.addEventListener("lostpointercapture", stop, { signal });
    window.addEventListener("keydown", (pressed) => pressed.key === "Escape" && stop(), { signal });
  };
  return { drag, follower, begin };
}

function overAt(x: number, y: number, rowOf: DragDeps["rowOf"]): Drag["over"] {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-key]");
  const row = rowOf(element?.dataset.key ?? "");
  if (!element || !row) return undefined;
  const { top, height } = element.getBoundingClientRect();
  return { row, edge: edgeOf(row, (y - top) / height) };
}
