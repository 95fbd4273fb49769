/** The button that sends a form: it counts down what a refusal asks to wait. */
import { Button, type ButtonProps } from "@mantine/core";
import { useCountdown } from "./countdown.ts";

type Props = Pick<ButtonProps, "color" | "variant" | "fullWidth"> & {
  readonly label: string;
  readonly isPending: boolean;
  /** Of the last try. */
  readonly error: unknown;
};

export function Submit({ label, isPending, error, ...look }: Props) {
  const wait = useCountdown(error);
  return (
    <Button {...look} type="submit" loading={isPending} disabled={wait > 0}>
      {wait > 0 ? `Try again in ${wait} s` : label}
    </Button>
  );
}
