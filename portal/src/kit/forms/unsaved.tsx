/** Asks before what somebody has typed and not saved is lost: on the way to another page in words, and by the browser when the tab goes. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { CancelButton } from "./cancel-button.tsx";

export interface UnsavedProps {
  /** Whether there is something to lose. */
  readonly isThere: boolean;
  /** What is lost, with its verb: "Your changes to the metadata are". */
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
        <Text size="sm">{what} not saved. If you leave this page, your changes are lost.</Text>
        <Group justify="flex-end">
          <CancelButton hasFocus onClick={() => reset?.()} />
          <Button color="bad" onClick={() => proceed?.()}>
            Leave without saving
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
