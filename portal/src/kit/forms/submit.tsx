/** A submit button that counts down the wait after a rate limit error. */
import { Button, type ButtonProps } from "@mantine/core";
import { useCountdown } from "./countdown.ts";

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
