/** A field for a value in JSON. Few properties need one, so it loads separately. */
import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "./control.module.css";
import { readTypedJson } from "./control-of.ts";
import type { ControlProps } from "./fields.tsx";

export default function JsonField({ label, value, isPending, onAsk }: ControlProps) {
  const [draft, setDraft] = useState<string>();
  const read = draft === undefined ? undefined : readTypedJson(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (read?.kind !== "value") return;
    onAsk(read.value);
    setDraft(undefined);
  };
  return (
    <form className={classes.typed} onSubmit={submit} data-pending={isPending || undefined}>
      <Textarea
        size="xs"
        aria-label={`${label}, as JSON`}
        autosize
        minRows={1}
        maxRows={12}
        spellCheck={false}
        placeholder="no value"
        value={draft ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        error={read?.kind === "fault" ? read.fault : undefined}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Button size="xs" variant="default" type="submit" disabled={read?.kind !== "value"}>
        Set
      </Button>
    </form>
  );
}
