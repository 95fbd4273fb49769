/** A button that opens a small form in a dialog. */
import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { FormModal, type FormModalProps } from "./form-modal.tsx";

export interface FormDialogProps<T> extends Omit<FormModalProps<T>, "onClose"> {
  /** On the button that opens it: "New server". */
  readonly label: string;
  readonly variant?: ButtonProps["variant"];
  readonly size?: ButtonProps["size"];
}

export function FormDialog<T>({ label, variant, size = "sm", ...form }: FormDialogProps<T>) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button {...(variant && { variant })} size={size} aria-haspopup="dialog" onClick={open}>
        {label}
      </Button>
      {isOpen && <FormModal {...form} onClose={close} />}
    </>
  );
}
