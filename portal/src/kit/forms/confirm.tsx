/** A button whose deed must be thought about, because it cannot be taken back or lets somebody in: it asks first, says what will happen, and says what went wrong. */
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Failure } from "../display/failure.tsx";
import { useWanted } from "../lazy/use-wanted.ts";

const loadDialog = () => import("./confirm-dialog.tsx");

export interface ConfirmProps {
  /** On the button: "Delete". */
  readonly label: string;
  /** The question: "Delete the webhook?" */
  readonly title: string;
  /** What will happen, unless the question says it. */
  readonly children?: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly size?: "xs" | "sm" | "compact-sm";
  /** On the button that leaves things as they are: "Keep it". */
  readonly elseLabel?: string;
  /** Of the button that does it: red for what destroys. */
  readonly color?: "bad" | "amber";
}

export function Confirm({ size = "xs", ...question }: ConfirmProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { Part: ConfirmDialog, error } = useWanted(loadDialog, isOpen);
  return (
    <>
      <Button size={size} variant="default" aria-haspopup="dialog" onClick={open}>
        {question.label}
      </Button>
      {isOpen && ConfirmDialog && <ConfirmDialog {...question} onClose={close} />}
      {error && <Failure error={error} putAway={close} />}
    </>
  );
}
