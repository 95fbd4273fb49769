/**
 * A button with a confirmation dialog, for actions that cannot be undone or that grant access. The dialog states the consequences and shows
 * errors.
 */
import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Failure } from "../display/failure.tsx";
import { useWanted } from "../text/use-wanted.ts";
import type { Question } from "./confirm-dialog.tsx";

const loadDialog = () => import("./confirm-dialog.tsx");

interface ConfirmProps extends Question {
  readonly size?: "xs" | "sm";
  /** A table row has less prominent buttons than a page. */
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

/** The look of the button that opens the dialog; the dialog's own action button is filled. */
function lookOf(isInRow: boolean, isDestructive: boolean): ButtonProps {
  if (isInRow) return { variant: "subtle", color: isDestructive ? "bad" : "gray" };
  return isDestructive ? { variant: "outline", color: "bad" } : { variant: "default" };
}
