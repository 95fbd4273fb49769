/** The e-mail address field. */
import { TextInput, type TextInputProps } from "@mantine/core";

type Props = Pick<TextInputProps, "description" | "error"> & {
  /** Autofill purpose: the log-in name, or a contact address. */
  readonly autoComplete: "username" | "email";
  readonly value: string;
  readonly onValue: (value: string) => void;
};

export function EmailField({ onValue, ...props }: Props) {
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
