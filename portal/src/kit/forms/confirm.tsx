/** A button whose deed must be thought about, because it cannot be taken back or lets somebody in: it asks first, says what will happen, and says what went wrong. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../display/failure.tsx";

export interface ConfirmProps {
  /** On the button: "Delete". */
  readonly label: string;
  /** The question: "Delete the webhook?" */
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly size?: "xs" | "sm" | "compact-sm";
  /** On the button that leaves things as they are: "Keep it". */
  readonly elseLabel?: string;
  /** Of the button that does it: red for what destroys. */
  readonly color?: "bad" | "amber";
}

export function Confirm(props: ConfirmProps) {
  const { label, title, children, act, onDone, size = "xs", elseLabel = "Keep it", color = "bad" } = props;
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
      <Button size={size} variant="default" onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ "aria-label": "Close" }}>
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {deed.error && <Failure error={deed.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {elseLabel}
            </Button>
            <Button color={color} loading={deed.isPending} onClick={() => deed.mutate()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
