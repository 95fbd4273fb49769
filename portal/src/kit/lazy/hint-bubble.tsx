/** The words of a hint, placed beside what they are about. Separate because placing them takes more script than the page's frame. */
import { Tooltip } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useId, useState } from "react";

export interface HintBubbleProps {
  readonly target: HTMLElement;
  readonly label: string;
  readonly onClose: () => void;
}

export default function HintBubble({ target, label, onClose }: HintBubbleProps) {
  const id = useId();
  // It is placed when it opens: what is open from the beginning would stand in the corner for a moment.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(true);
    target.setAttribute("aria-describedby", id);
    return () => target.removeAttribute("aria-describedby");
  }, [target, id]);
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape") onClose();
  });
  // It is read as the description of its target, and so not by itself.
  return <Tooltip target={target} opened={isOpen} label={<span id={id}>{label}</span>} aria-hidden />;
}
