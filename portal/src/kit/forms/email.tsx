/** The field of an e-mail address. */
import { TextInput, type TextInputProps } from "@mantine/core";

type Props = Pick<TextInputProps, "description" | "error"> & {
  /** What a browser fills in: who logs in, or how somebody is reached. */
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
