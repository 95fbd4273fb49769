/** A button that opens a small form in a dialog. */
import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { FormModal, type FormModalProps } from "./form-modal.tsx";

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
