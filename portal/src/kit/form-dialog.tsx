/** A button that opens a small form in a dialog; what goes wrong is said in it, at the field where it belongs to one. */
import { Button, type ButtonProps, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { PorchlightErrorName } from "@porchlight/sdk";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { unlessNamed } from "./form-error.ts";
import { Submit } from "./submit.tsx";

export interface FormDialogProps<T> {
  /** On the button that opens it: "New server". */
  readonly label: string;
  readonly title: string;
  /** On the button that sends it: "Make the server". */
  readonly submitLabel: string;
  readonly act: () => Promise<T>;
  readonly onDone: (made: T) => void;
  /** Errors that the fields say themselves. */
  readonly atFields?: readonly PorchlightErrorName[];
  readonly variant?: ButtonProps["variant"];
  readonly size?: ButtonProps["size"];
  readonly color?: ButtonProps["color"];
  /** The fields. @param error of the last try */
  readonly children: (error: Error | null) => ReactNode;
}

export function FormDialog<T>(props: FormDialogProps<T>) {
  const { label, title, submitLabel, act, onDone, atFields = [], variant, size = "sm", color, children } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: act,
    onSuccess: (made) => {
      close();
      onDone(made);
    },
  });
  const show = () => {
    reset();
    open();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a dialog stands within others in React's tree, if not in the page's.
    event.stopPropagation();
    mutate();
  };
  const other = unlessNamed(error, ...atFields);
  return (
    <>
      <Button {...(variant && { variant })} size={size} onClick={show}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": "Close" }}>
        <form onSubmit={submit}>
          <Stack>
            {children(error)}
            {other && <Failure error={other} />}
            <Submit label={submitLabel} isPending={isPending} error={error} {...(color && { color })} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
