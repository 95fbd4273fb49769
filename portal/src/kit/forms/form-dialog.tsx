/** A button that opens a small form in a dialog. */
import { Button, type ButtonProps, Group, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { PorchlightErrorName } from "@porchlight/sdk";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { Failure } from "../display/failure.tsx";
import { cut } from "../text/names.ts";
import { CancelButton } from "./cancel-button.tsx";
import { useReturnOfFocus } from "./confirm-dialog.tsx";
import { unlessNamed } from "./form-error.ts";
import { Submit } from "./submit.tsx";

export interface FormDialogProps<T> extends Omit<FormModalProps<T>, "onClose"> {
  /** On the button that opens it: "Create server key". */
  readonly label: string;
  /** Of the button that opens it: filled is the page's one primary action. */
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

/** A small form in a dialog that stands for as long as it is rendered; what goes wrong is said in it, at the field where it belongs to one. */
interface FormModalProps<T> {
  readonly title: string;
  /** On the button that sends it: "Create server key". */
  readonly submitLabel: string;
  readonly color?: ButtonProps["color"];
  /** False while there is nothing to be sent. */
  readonly isReady?: boolean;
  readonly act: () => Promise<T>;
  readonly onDone?: (made: T) => void;
  /** It is done, or was put away. */
  readonly onClose: () => void;
  /** Errors that the fields say themselves. */
  readonly atFields?: readonly PorchlightErrorName[];
  /** The fields. @param error of the last try */
  readonly children: (error: Error | null) => ReactNode;
}

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
    // A form in a dialog stands within others in React's tree, if not in the page's.
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

/** The dialog gives the focus to what is marked so, and not to the button that closes it. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form?.querySelector("[data-autofocus]")) return;
  form?.querySelector("input:not([type=hidden]), textarea, select")?.setAttribute("data-autofocus", "true");
}
