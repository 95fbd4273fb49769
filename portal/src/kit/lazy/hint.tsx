/** A few words about what the mouse is over. What draws them is loaded when somebody first wants to see some. */
import { cloneElement, type PointerEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { useWanted } from "./use-wanted.ts";

const loadBubble = () => import("./hint-bubble.tsx");

/** So long the mouse rests before the words appear, ms. */
const REST_MS = 300;

interface Hovered {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave?: () => void;
}

export interface HintProps {
  readonly label: string;
  /** An element, or a part that hands pointer events on to one. */
  readonly children: ReactElement<Hovered>;
}

export function Hint({ label, children }: HintProps) {
  const [target, setTarget] = useState<HTMLElement>();
  const { Part: Bubble } = useWanted(loadBubble, target !== undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const enter = ({ currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
    clearTimeout(timer.current);
    if (pointerType !== "touch") timer.current = setTimeout(() => setTarget(currentTarget), REST_MS);
  };
  const leave = () => {
    clearTimeout(timer.current);
    setTarget(undefined);
  };
  return (
    <>
      {cloneElement(children, { onPointerEnter: enter, onPointerLeave: leave })}
      {target && Bubble && <Bubble target={target} label={label} onClose={leave} />}
    </>
  );
}
