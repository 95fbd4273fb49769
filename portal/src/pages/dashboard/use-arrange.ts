/** Cards put into another order: dragged by their grip with a mouse, a pen or a finger, or moved by the arrow keys on it. */
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from "react";

export interface Arranging {
  /** What is being dragged, and over which card it is. */
  readonly drag: { readonly id: string; readonly over: string | undefined } | undefined;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>, id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, id: string) => void;
}

/** A shorter way is a click, px. */
const CLICK = 4;
/** Closer than this to an edge of the window, the page scrolls, px. */
const EDGE = 72;

/** @param ids in their order @param onMove to the place of another */
export function useArrange(ids: readonly string[], onMove: (id: string, place: string) => void): Arranging {
  const [drag, setDrag] = useState<Arranging["drag"]>();
  const ending = useRef<AbortController>(undefined);
  const move = useEffectEvent(onMove);
  useEffect(() => () => ending.current?.abort(), []);
  const onPointerDown = (event: PointerEvent<HTMLElement>, id: string) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const grip = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, y: event.clientY };
    const end = new AbortController();
    ending.current?.abort();
    ending.current = end;
    const { signal } = end;
    let over: string | undefined;
    let isMoving = false;
    const onPointerMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
      isMoving ||= Math.hypot(clientX - from.x, clientY - from.y) >= CLICK;
      if (!isMoving) return;
      const by = clientY < EDGE ? clientY - EDGE : Math.max(0, clientY - innerHeight + EDGE);
      if (by !== 0) scrollBy({ top: by / 4, behavior: "instant" });
      const card = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-card]");
      over = card?.dataset.card;
      setDrag({ id, over });
    };
    const stop = () => {
      end.abort();
      setDrag(undefined);
    };
    grip.addEventListener("pointermove", onPointerMove, { signal });
    grip.addEventListener(
      "pointerup",
      () => {
        if (over !== undefined && over !== id) move(id, over);
        stop();
      },
      { signal },
    );
    grip.addEventListener("pointercancel", stop, { signal });
    window.addEventListener("keydown", ({ key }) => key === "Escape" && stop(), { signal });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, id: string) => {
    const step = stepOf(event.key);
    const place = step === undefined ? undefined : ids[ids.indexOf(id) + step];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (place !== undefined) onMove(id, place);
  };
  return { drag, onPointerDown, onKeyDown };
}

function stepOf(key: string): 1 | -1 | undefined {
  if (key === "ArrowLeft" || key === "ArrowUp") return -1;
  return key === "ArrowRight" || key === "ArrowDown" ? 1 : undefined;
}
