/** The button that leaves a dialog and changes nothing: the same word and look in all of them. */
import { Button } from "@mantine/core";

export interface CancelButtonProps {
  readonly size?: "xs" | "sm";
  readonly onClick: () => void;
}

export function CancelButton({ size = "sm", onClick }: CancelButtonProps) {
  return (
    <Button size={size} variant="default" onClick={onClick}>
      Cancel
    </Button>
  );
}
