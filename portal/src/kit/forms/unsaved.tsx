/** Warns before unsaved input is lost: with a dialog on navigation, and with the browser's own prompt when the tab closes. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { CancelButton } from "./buttons.tsx";

interface UnsavedProps {
  /** Whether there is unsaved input. */
  readonly isThere: boolean;
  /** The unsaved input, with its verb: "Your changes to the metadata are". */
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

/** The address also holds filters and tabs. Changing those keeps the input, so they do not need a warning. */
function isElsewhere(way: {
  readonly current: { readonly pathname: string };
  readonly next: { readonly pathname: string };
}): boolean {
  return way.current.pathname !== way.next.pathname;
}
