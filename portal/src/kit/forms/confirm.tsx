/** A button that asks before it acts, because the action cannot be undone or gives access: it says what will happen, and what went wrong. */
import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../display/failure.tsx";
import { CancelButton } from "./cancel-button.tsx";

export interface ConfirmProps {
  /** On both buttons, verb and object: "Delete webhook". */
  readonly label: string;
  /** The question: "Delete webhook?" */
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly size?: "xs" | "sm";
  /** A row of a table has quieter buttons than a page. */
  readonly isInRow?: boolean;
  /** Red, unless nothing is lost by it. */
  readonly isDestructive?: boolean;
}

export function Confirm(props: ConfirmProps) {
  const { label, title, children, act, onDone, size = "xs", isInRow = false, isDestructive = true } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const deed = useMutation({
    mutationFn: act,
    onSuccess: () => {
      close();
      onDone?.();
    },
  });
  return (
    <>
      <Button {...lookOf(isInRow, isDestructive)} size={size} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": "Close" }}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {deed.error && <Failure error={deed.error} />}
          <Group justify="flex-end">
            <CancelButton hasFocus onClick={close} />
            <Button {...(isDestructive && { color: "bad" })} loading={deed.isPending} onClick={() => deed.mutate()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

/** Of the button that asks; the one in the dialog that does it is filled. */
function lookOf(isInRow: boolean, isDestructive: boolean): ButtonProps {
  if (isInRow) return { variant: "subtle", color: isDestructive ? "bad" : "gray" };
  return isDestructive ? { variant: "outline", color: "bad" } : { variant: "default" };
}
