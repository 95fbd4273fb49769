/** Renames one or several devices in their metadata. Their aliases, which programs use, stay unchanged. */
import { Text, TextInput } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormModal } from "../kit/forms/form-dialog.tsx";
import { cut, LONGEST_NAME, nameOf } from "../kit/text/names.ts";
import { useApi } from "../session/context.tsx";
import { rename } from "./rename.ts";

interface RenameDevicesDialogProps {
  readonly devices: readonly Device[];
  readonly onClose: () => void;
}

export default function RenameDevicesDialog({ devices, onClose }: RenameDevicesDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const changed = devices.flatMap((device) => {
    const name = typed.get(device.id);
    return name !== undefined && name.trim() !== nameOf(device) ? [{ id: device.id, name: name.trim() }] : [];
  });
  const act = async () => {
    try {
      for (const { id, name } of changed) await rename(api.devices, id, name);
    } finally {
      // The devices before a failed one already have their names.
      await queries.invalidateQueries({ queryKey: ["devices"] });
    }
  };
  return (
    <FormModal
      title={devices.length === 1 ? "Rename device" : "Rename devices"}
      submitLabel={devices.length === 1 ? "Rename" : "Rename all"}
      isReady={changed.length > 0}
      act={act}
      onClose={onClose}
    >
      {() => (
        <>
          <Text size="sm" c="dimmed">
            Names need not be unique. Leave a name empty to use the device's own name.
          </Text>
          {devices.map((device, at) => (
            <TextInput
              key={device.id}
              label={devices.length === 1 ? "Name" : cut(nameOf(device), 60)}
              data-autofocus={at === 0 || undefined}
              autoComplete="off"
              maxLength={LONGEST_NAME}
              value={typed.get(device.id) ?? nameOf(device)}
              onChange={({ currentTarget }) =>
                setTyped((before) => new Map(before).set(device.id, currentTarget.value))
              }
            />
          ))}
        </>
      )}
    </FormModal>
  );
}
