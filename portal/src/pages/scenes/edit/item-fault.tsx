/** What the service says of one item of a scene, where that item stands. */
import { Text } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";

/** @param at place in the list that was sent */
export function ItemFault({ error, at }: { readonly error: unknown; readonly at: number }) {
  const said = isPorchlightError(error)
    ? error.problem?.errors?.find(({ pointer }) => pointer === `/items/${at}` || pointer.startsWith(`/items/${at}/`))
    : undefined;
  if (!said) return null;
  return (
    <Text size="sm" c="bad" role="alert">
      {said.message}
    </Text>
  );
}
