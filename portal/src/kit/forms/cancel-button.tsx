/** The button that leaves a dialog and changes nothing: the same word and look in all of them. */
import { Button } from "@mantine/core";

export interface CancelButtonProps {
  readonly size?: "xs" | "sm";
  /** Where Enter must not act: it has the focus as the dialog opens. */
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
