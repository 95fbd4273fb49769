/** The alias of any object: set, change, remove. The service validates it, and the field shows its errors. */
import { Box, Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failure } from "../display/failure.tsx";
import { saysWhen, unlessNamed } from "./form-error.ts";

/** Errors that an alias field shows itself: for `FormDialog`'s `atFields`. */
export const ALIAS_ERRORS = ["Alias Invalid", "Alias Exists"] as const;

/** The error's message for the alias field; undefined when the error concerns something else. */
export function aliasError(error: unknown): string | undefined {
  return saysWhen(error, ...ALIAS_ERRORS);
}

interface AliasInputProps {
  readonly value: string;
  readonly onChange: (alias: string) => void;
  /** The error of the last attempt to send it. */
  readonly error?: unknown;
  readonly label?: string;
  readonly description?: string;
}

/** The alias field in the form of a new object. */
export function AliasInput({ value, onChange, error, label = "Alias", description = ABOUT }: AliasInputProps) {
  return (
    <TextInput
      label={label}
      description={description}
      autoComplete="off"
      value={value}
      error={aliasError(error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const ABOUT = "Optional. A name that programs refer to it by, unique in the ecosystem.";

interface AliasFieldProps {
  /** Root of the query keys of its kind: "zones". */
  readonly kind: string;
  readonly id: string;
  readonly alias: string | undefined;
  /** The SDK's resource for its kind: `api.zones`. */
  readonly source: { update(id: string, body: { readonly alias: string | null }): Promise<unknown> };
}

/** The alias field of an existing object, with a save button. An empty field removes the alias. */
export function AliasField({ kind, id, alias, source }: AliasFieldProps) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const saving = useMutation({
    mutationFn: (next: string) => source.update(id, { alias: next === "" ? null : next }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [kind] });
      setTyped(undefined);
    },
  });
  const other = unlessNamed(saving.error, ...ALIAS_ERRORS);
  const isChanged = typed !== undefined && typed !== (alias ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) saving.mutate(typed);
  };
  const change = (text: string) => {
    setTyped(text);
    saving.reset();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <Box flex="1 1 14rem">
          <AliasInput
            value={typed ?? alias ?? ""}
            onChange={change}
            error={saving.error}
            description={alias === undefined ? ABOUT : "Unique in the ecosystem. Leave empty to remove the alias."}
          />
        </Box>
        <Button type="submit" variant="default" disabled={!isChanged} loading={saving.isPending}>
          Save alias
        </Button>
        {isChanged && (
          <Button variant="subtle" color="gray" onClick={() => setTyped(undefined)}>
            Discard
          </Button>
        )}
      </Group>
      {other && <Failure error={other} />}
      {saving.isSuccess && typed === undefined && (
        <Text size="sm" role="status" mt="xs">
          Saved.
        </Text>
      )}
    </form>
  );
}
