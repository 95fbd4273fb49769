/** The dialog that confirms an action: it states the consequences and shows errors. It is its own file to load on first use. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Failure } from "../display/failure.tsx";
import { cut } from "../text/names.ts";
import { CancelButton } from "./buttons.tsx";

export interface Question {
  /** Label of both buttons, verb and object: "Delete webhook". */
  readonly label: string;
  /** The question: "Delete webhook?" */
  readonly title: string;
  /** The consequences, unless the question states them. */
  readonly children?: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
  /** Makes the button red; false when the action loses nothing. */
  readonly isDestructive?: boolean;
}

interface ConfirmDialogProps extends Question {
  readonly onClose: () => void;
}

export default function ConfirmDialog(props: ConfirmDialogProps) {
  const { label, title, children, act, onDone, onClose, isDestructive = true } = props;
  const deed = useMutation({
    mutationFn: act,
    onSuccess: () => {
      onClose();
      onDone?.();
    },
  });
  useReturnOfFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      title={<bdi title={title}>{cut(title, 120)}</bdi>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack gap="md">
        {children && (
          <Text size="sm" component="div">
            {children}
          </Text>
        )}
        {deed.error && <Failure error={deed.error} />}
        <Group justify="flex-end">
          <CancelButton hasFocus onClick={onClose} />
          <Button {...(isDestructive && { color: "bad" })} loading={deed.isPending} onClick={() => deed.mutate()}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Returns the focus to its previous element when a dialog closes. */
export function useReturnOfFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
