/** The cancel button of a dialog, with the same word and look in all of them. */
import { Button } from "@mantine/core";

interface CancelButtonProps {
  readonly size?: "xs" | "sm";
  /** Gives the button the initial focus, for dialogs in which Enter must not act. */
  readonly hasFocus?: boolean;
  readonly onClick: () => void;
}

export function CancelButton({ size = "sm", hasFocus = false, onClick }: CancelButtonProps) {
  return (
    <Button size={size} variant="default" data-autofocus={hasFocus || undefined} onClick={onClick}>
      Cancel
    </Button>
  );
}
