/** A tooltip. Its rendering code is loaded on first use. */
import { cloneElement, type PointerEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { useWanted } from "./use-wanted.ts";

const loadBubble = () => import("./hint-bubble.tsx");

/** Time that the mouse must rest before the tooltip appears, in ms. */
const REST_MS = 300;

interface Hovered {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave?: () => void;
}

interface HintProps {
  readonly label: string;
  /** An element, or a component that forwards pointer events to one. */
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
