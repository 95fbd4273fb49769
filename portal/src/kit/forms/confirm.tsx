/** A button that asks before it acts, because the action cannot be undone or gives access: it says what will happen, and what went wrong. */
import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Failure } from "../display/failure.tsx";
import { useWanted } from "../lazy/use-wanted.ts";
import type { Question } from "./confirm-dialog.tsx";

const loadDialog = () => import("./confirm-dialog.tsx");

export interface ConfirmProps extends Question {
  readonly size?: "xs" | "sm";
  /** A row of a table has quieter buttons than a page. */
  readonly isInRow?: boolean;
}

export function Confirm({ size = "xs", isInRow = false, ...question }: ConfirmProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { Part: ConfirmDialog, error } = useWanted(loadDialog, isOpen);
  return (
    <>
      <Button {...lookOf(isInRow, question.isDestructive ?? true)} size={size} aria-haspopup="dialog" onClick={open}>
        {question.label}
      </Button>
      {isOpen && ConfirmDialog && <ConfirmDialog {...question} onClose={close} />}
      {error && <Failure error={error} putAway={close} />}
    </>
  );
}

/** Of the button that asks; the one in the dialog that does it is filled. */
function lookOf(isInRow: boolean, isDestructive: boolean): ButtonProps {
  if (isInRow) return { variant: "subtle", color: isDestructive ? "bad" : "gray" };
  return isDestructive ? { variant: "outline", color: "bad" } : { variant: "default" };
}
