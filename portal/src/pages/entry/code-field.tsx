/** The field of a code that came in an email. */
import { TextInput } from "@mantine/core";
import { saysWhen } from "../../kit/forms/form-error.ts";

export interface CodeFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Of the last try. */
  readonly error: Error | null;
}

export function CodeField({ value, onValue, error }: CodeFieldProps) {
  return (
    <TextInput
      label="Code from the e-mail"
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      error={saysWhen(error, "Reset Code Invalid")}
    />
  );
}
