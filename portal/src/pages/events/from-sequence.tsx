/** Asks for what happened before, from a sequence on. The address can ask for it too. */
import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { useApi } from "../../session/context.tsx";
import { type Past, pastEvents } from "./past.ts";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/events");

export interface FromSequenceProps {
  readonly ecosystemId: string;
  /** Sequence of the oldest event that is there. */
  readonly known: number | undefined;
  readonly onPast: (past: Past) => void;
}

export function FromSequence({ ecosystemId, known, onPast }: FromSequenceProps) {
  const { after } = route.useSearch();
  const router = useRouter();
  const api = useApi();
  const [text, setText] = useState(after === undefined ? "" : String(after));
  const asking = useMutation({
    mutationFn: (from: number) =>
      pastEvents((options) => api.events(options), { ecosystemId, after: from, until: known }),
    onSuccess: onPast,
  });
  const ask = useEffectEvent((from: number) => asking.mutate(from));
  useEffect(() => {
    if (after !== undefined) ask(after);
  }, [after]);
  const isNumber = /^\d{1,15}$/.test(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Number(text);
    if (wanted === after) return asking.mutate(wanted);
    void router.navigate({
      to: "/ecosystems/$ecosystemId/events",
      params: { ecosystemId },
      search: (old) => ({ ...old, after: wanted }),
      replace: true,
    });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <TextInput
          size="xs"
          label="Start after event number"
          placeholder="0 for all that is kept"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          error={text !== "" && !isNumber && "A sequence is a whole number."}
          onChange={(event) => setText(event.currentTarget.value.trim())}
        />
        <Button type="submit" size="xs" variant="default" disabled={!isNumber} loading={asking.isPending}>
          Show what came after it
        </Button>
      </Group>
      {asking.error && <Failure error={asking.error} />}
    </form>
  );
}
