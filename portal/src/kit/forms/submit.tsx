/** The button that sends a form: it counts down what a refusal asks to wait. */
import { Button, type ButtonProps } from "@mantine/core";
import { useCountdown } from "./countdown.ts";

type Props = Pick<ButtonProps, "color" | "variant" | "fullWidth"> & {
  readonly label: string;
  readonly isPending: boolean;
  /** False while there is nothing to be sent. */
  readonly isReady?: boolean;
  /** Of the last try. */
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
