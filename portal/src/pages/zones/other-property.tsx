/** Sets any property of a zone's devices by selector and JSON value, for non-standard classes. */
import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { JsonFault, readJson } from "../../kit/forms/json-text.ts";
import type { Forest } from "./forest.ts";
import { useWide, WideResult } from "./wide-result.tsx";
import classes from "./zone-control.module.css";

/** Maximum nesting that the field accepts; the service validates deeper values. */
const LEVELS = 64;

interface OtherPropertyProps {
  readonly environmentId: string;
  readonly zoneId: string;
  readonly forest: Forest;
}

export function OtherProperty({ environmentId, zoneId, forest }: OtherPropertyProps) {
  const [selector, setSelector] = useState("");
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string>();
  const wide = useWide(environmentId, zoneId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = read(text);
    setFault(value instanceof JsonFault ? value.message : undefined);
    if (!(value instanceof JsonFault)) wide.mutate({ selector, value });
  };
  return (
    <form className={classes.control} onSubmit={submit}>
      <Group gap="sm" align="flex-start">
        <TextInput
          size="xs"
          label="Another property"
          placeholder="Service.property"
          autoComplete="off"
          value={selector}
          onChange={(event) => setSelector(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          label="Value, as JSON"
          placeholder='true, 21.5, "auto"'
          autoComplete="off"
          value={text}
          error={fault}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          mt={22}
          size="xs"
          type="submit"
          variant="default"
          disabled={selector === "" || text === ""}
          loading={wide.isPending}
        >
          Set all
        </Button>
        <Button
          mt={22}
          size="xs"
          variant="default"
          disabled={selector === "" || wide.isPending}
          onClick={() => wide.mutate({ selector })}
        >
          Read devices
        </Button>
      </Group>
      <WideResult wide={wide} forest={forest} />
    </form>
  );
}

function read(text: string): unknown {
  try {
    return readJson(text, LEVELS);
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
}
