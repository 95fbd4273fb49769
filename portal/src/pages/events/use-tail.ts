/** The tail of the one stream that all tabs share: events as they come, in batches that the eye can follow. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { useEvents } from "../../live/context.tsx";
import { EMPTY_TAIL, type IsShown, nextTail, type Tail, type TailInput } from "./tail.ts";

/** Between two changes of what is shown, ms. */
const BATCH = 150;

export function useTail(
  ecosystemId: string,
  isShown: IsShown,
): { readonly tail: Tail; readonly tell: (input: TailInput) => void } {
  const [tail, dispatch] = useReducer(step, EMPTY_TAIL);
  const batch = useRef<PorchlightEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const filter = useRef(isShown);
  filter.current = isShown;
  const tell = useCallback((input: TailInput) => dispatch({ input, isShown: filter.current }), []);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents((event) => {
    // After a change of the ecosystem one of the one before may still be on its way.
    if (event.ecosystemId !== ecosystemId) return;
    batch.current.push(event);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      tell({ kind: "events", events: batch.current.splice(0) });
    }, BATCH);
  });
  return { tail, tell };
}

function step(tail: Tail, { input, isShown }: { readonly input: TailInput; readonly isShown: IsShown }): Tail {
  return nextTail(tail, input, isShown);
}
