/** The bubble of a tooltip. It is its own file, because positioning needs more code than the frame of the page. */
import { Tooltip } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useId, useState } from "react";

interface HintBubbleProps {
  readonly target: HTMLElement;
  readonly label: string;
  readonly onClose: () => void;
}

export default function HintBubble({ target, label, onClose }: HintBubbleProps) {
  const id = useId();
  // Mantine positions the tooltip when it opens: one that is open on mount would appear in the corner first.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(true);
    target.setAttribute("aria-describedby", id);
    return () => target.removeAttribute("aria-describedby");
  }, [target, id]);
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape") onClose();
  });
  // Screen readers read the tooltip as the description of its target, so it is hidden itself.
  return <Tooltip target={target} opened={isOpen} label={<span id={id}>{label}</span>} aria-hidden />;
}
