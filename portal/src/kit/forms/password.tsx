/** A password field with a button that reveals the password. */
import { PasswordInput, type PasswordInputProps } from "@mantine/core";

type Props = Pick<PasswordInputProps, "label" | "description" | "error" | "autoComplete"> & {
  readonly value: string;
  readonly onValue: (value: string) => void;
};

export function PasswordField({ onValue, ...props }: Props) {
  return (
    <PasswordInput
      {...props}
      required
      withAsterisk={false}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": "Show password" }}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}
