/**
 * The buttons of a form: submit, which counts down the wait after a rate limit error, and cancel, with the same word and look in all
 * dialogs.
 */
import { Button, type ButtonProps } from "@mantine/core";
import { useCountdown } from "./form-error.ts";

type Props = Pick<ButtonProps, "color" | "variant" | "fullWidth"> & {
  readonly label: string;
  readonly isPending: boolean;
  /** False while there is nothing to send. */
  readonly isReady?: boolean;
  /** The error of the last attempt. */
  readonly error: unknown;
};

export function Submit({ label, isPending, isReady = true, error, ...look }: Props) {
  const wait = useCountdown(error);
  return (
    <Button {...look} type="submit" loading={isPending} disabled={wait > 0 || !isReady}>
      {wait > 0 ? `Try again in ${wait} s` : label}
    </Button>
  );
}

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
