/** The fields of a log-in: the e-mail address, and the password with a button that reveals it. */
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";

type EmailProps = Pick<TextInputProps, "description" | "error"> & {
  /** Autofill purpose: the log-in name, or a contact address. */
  readonly autoComplete: "username" | "email";
  readonly value: string;
  readonly onValue: (value: string) => void;
};

export function EmailField({ onValue, ...props }: EmailProps) {
  return (
    <TextInput
      {...props}
      label="E-mail address"
      type="email"
      required
      withAsterisk={false}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}

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
