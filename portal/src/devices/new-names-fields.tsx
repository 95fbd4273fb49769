/** A field for the name of each new device that has none, with what the device is known by. */
import { Stack, TextInput } from "@mantine/core";
import { Failure } from "../kit/display/failure.tsx";
import { LONGEST_NAME } from "../kit/text/names.ts";
import type { NewNames } from "./use-new-names.ts";

export function NewNamesFields({ names: { items, type, error } }: { readonly names: NewNames }) {
  return (
    <Stack gap="sm">
      {items.map(({ device: { id, meta, edgeId = id }, name }) => (
        <TextInput
          key={id}
          label={items.length === 1 ? "Name" : `Name of ${productOf(meta) ?? "device"}`}
          description={items.length === 1 && productOf(meta) !== undefined ? `${productOf(meta)}, ${edgeId}` : edgeId}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          value={name}
          onChange={({ currentTarget }) => type(id, currentTarget.value)}
        />
      ))}
      {error && <Failure error={error} />}
    </Stack>
  );
}

/** "IKEA LED1623G12"; undefined when the device does not say. */
function productOf({ "$.manufacturer": maker, "$.model": model }: Readonly<Record<string, unknown>>) {
  const words = [maker, model].filter((each) => typeof each === "string" && each !== "");
  return words.length === 0 ? undefined : words.join(" ");
}
