/** Asks for the code that a hub or a program shows. */
import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { counted } from "../../kit/text/quantity.ts";
import { readCode } from "./code.ts";

interface CodeFormProps {
  /** What the address has, when that is no code. */
  readonly given: string;
  readonly submitLabel: string;
  readonly onCode: (code: string) => void;
}

export function CodeForm({ given, submitLabel, onCode }: CodeFormProps) {
  const [text, setText] = useState(given);
  const [isTried, setTried] = useState(given !== "");
  const read = readCode(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.kind === "code") onCode(read.code);
  };
  const fault =
    read.kind === "wrong"
      ? read.why
      : read.kind === "short" && isTried
        ? `${counted(read.missing, "letter")} missing.`
        : undefined;
  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="sm">
        <TextInput
          aria-label="Code"
          placeholder="WDJB-MJHT"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          data-autofocus
          value={text}
          error={fault}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">{submitLabel}</Button>
      </Group>
    </form>
  );
}
