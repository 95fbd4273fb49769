/** Asks before what somebody has typed and not saved is lost: on the way to another page in words, and by the browser when the tab goes. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";

export interface UnsavedProps {
  /** Whether there is something to lose. */
  readonly isThere: boolean;
  /** What is lost, as the sentence's subject: "The metadata that you have typed". */
  readonly what: string;
}

export function Unsaved({ isThere, what }: UnsavedProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isElsewhere,
    enableBeforeUnload: true,
    disabled: !isThere,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === "blocked"}
      onClose={() => reset?.()}
      title="Leave without saving?"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack gap="md">
        <Text size="sm">{what} is not saved. It is lost when you leave this page.</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => reset?.()}>
            Stay here
          </Button>
          <Button color="bad" onClick={() => proceed?.()}>
            Leave, and lose it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Filters and parts of a page stand in its address too: what is typed stays while those change. */
function isElsewhere(way: {
  readonly current: { readonly pathname: string };
  readonly next: { readonly pathname: string };
}): boolean {
  return way.current.pathname !== way.next.pathname;
}
