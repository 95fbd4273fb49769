/** The name of an environment: given, changed, taken away. In a file of its own because it writes one key of the metadata and keeps the others. */
import { Box, Button, Group, Text, TextInput } from "@mantine/core";
import { retryOnConflict } from "@porchlight/sdk";
import type { Environment } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { LONGEST_NAME, NAME_KEY } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

export interface NameFieldProps {
  readonly environment: Environment;
}

export function NameField({ environment: { id, meta } }: NameFieldProps) {
  const { environments } = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const name = givenName(meta) ?? "";
  const saving = useMutation({
    mutationFn: (next: string) =>
      retryOnConflict(async () => {
        const { value, etag } = await environments.getTagged(id);
        const { [NAME_KEY]: _before, ...others } = value.meta;
        await environments.update(
          id,
          { meta: next === "" ? others : { ...others, [NAME_KEY]: next } },
          { ifMatch: etag },
        );
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["environments"] });
      setTyped(undefined);
    },
  });
  const isChanged = typed !== undefined && typed.trim() !== name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) saving.mutate(typed.trim());
  };
  const change = (text: string) => {
    setTyped(text);
    saving.reset();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" mb="md">
        <Box flex="1 1 14rem">
          <TextInput
            label="Name"
            description="What people see. Without a name, the portal shows the alias."
            autoComplete="off"
            maxLength={LONGEST_NAME}
            value={typed ?? name}
            onChange={(event) => change(event.currentTarget.value)}
          />
        </Box>
        <Button type="submit" variant="default" disabled={!isChanged} loading={saving.isPending}>
          Save name
        </Button>
        {isChanged && (
          <Button variant="subtle" color="gray" onClick={() => setTyped(undefined)}>
            Discard
          </Button>
        )}
      </Group>
      {saving.error && <Failure error={saving.error} />}
      {saving.isSuccess && typed === undefined && (
        <Text size="sm" role="status" mb="md">
          Saved.
        </Text>
      )}
    </form>
  );
}
