/** A button that opens a small form in a dialog. */
import { Button, type ButtonProps, Group, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { PorchlightErrorName } from "@porchlight/sdk";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { Failure } from "../display/failure.tsx";
import { cut } from "../text/names.ts";
import { CancelButton, Submit } from "./buttons.tsx";
import { useReturnOfFocus } from "./confirm-dialog.tsx";
import { unlessNamed } from "./form-error.ts";

interface FormDialogProps<T> extends Omit<FormModalProps<T>, "onClose"> {
  /** Label of the button that opens the dialog: "Create server key". */
  readonly label: string;
  /** Style of the button that opens the dialog; filled marks the page's single primary action. */
  readonly variant?: "filled" | "default" | "outline";
  readonly size?: ButtonProps["size"];
}

export function FormDialog<T>({ label, variant = "default", size = "sm", ...form }: FormDialogProps<T>) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant={variant}
        {...(variant === "outline" && { color: "bad" })}
        size={size}
        aria-haspopup="dialog"
        onClick={open}
      >
        {label}
      </Button>
      {isOpen && <FormModal {...form} onClose={close} />}
    </>
  );
}

interface FormModalProps<T> {
  readonly title: string;
  /** Label of the submit button: "Create server key". */
  readonly submitLabel: string;
  readonly color?: ButtonProps["color"];
  /** False while there is nothing to send. */
  readonly isReady?: boolean;
  readonly act: () => Promise<T>;
  readonly onDone?: (made: T) => void;
  /** Called after success and on dismissal. */
  readonly onClose: () => void;
  /** Errors that the fields show themselves. */
  readonly atFields?: readonly PorchlightErrorName[];
  /** Renders the fields. @param error of the last attempt */
  readonly children: (error: Error | null) => ReactNode;
}

/**
 * A small form in a dialog that is open while rendered. Errors appear in the dialog, at the field that caused them if there is such a
 * field.
 */
export function FormModal<T>(props: FormModalProps<T>) {
  const { title, submitLabel, color, isReady = true, act, onDone, onClose, atFields = [], children } = props;
  const { error, isPending, mutate } = useMutation({
    mutationFn: act,
    onSuccess: (made) => {
      onClose();
      onDone?.(made);
    },
  });
  useReturnOfFocus();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The event bubbles through React's tree into an outer form, although the dialog is elsewhere in the page.
    event.stopPropagation();
    if (isReady) mutate();
  };
  const other = unlessNamed(error, ...atFields);
  return (
    <Modal
      opened
      onClose={onClose}
      title={<bdi title={title}>{cut(title, 120)}</bdi>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={submit} ref={markFirstField}>
        <Stack>
          {children(error)}
          {other && <Failure error={other} />}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Submit
              label={submitLabel}
              isPending={isPending}
              isReady={isReady}
              error={error}
              {...(color && { color })}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Marks the form's first field, so that the dialog focuses it instead of the close button. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form?.querySelector("[data-autofocus]")) return;
  form?.querySelector("input:not([type=hidden]), textarea, select")?.setAttribute("data-autofocus", "true");
}
