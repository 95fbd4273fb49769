/** Actions on several selected devices: switch, add to a zone, rename. Each device reports its own result. */
import { Button, Group, Menu, Text } from "@mantine/core";
import type { Device, Zone } from "@porchlight/shared/api";
import { useState } from "react";
import type { ServicesByDevice } from "../../data/services.ts";
import { servicesFor } from "../../devices/device-tiles.tsx";
import { mainControlsOf } from "../../devices/main-control.ts";
import RenameDevicesDialog from "../../devices/rename-devices-dialog.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { Name } from "../../kit/text/name.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useWrites } from "../../live/context.tsx";
import { useItems } from "../zones/use-items.ts";
import classes from "./devices.module.css";

interface SelectedActionsProps {
  readonly environmentId: string;
  readonly devices: readonly Device[];
  readonly zones: readonly Zone[];
  readonly services: ServicesByDevice | undefined;
  readonly onClear: () => void;
}

export default function SelectedActions({ environmentId, devices, zones, services, onClear }: SelectedActionsProps) {
  const writes = useWrites();
  const items = useItems(environmentId);
  const [isRenaming, setRenaming] = useState(false);
  // Locks are excluded: each one must be unlocked individually.
  const switches = devices.flatMap(({ id }) =>
    mainControlsOf(id, servicesFor(services, id) ?? []).toggles.filter(({ target }) => target.service !== "Lock"),
  );
  const able = new Set(switches.map(({ target }) => target.deviceId)).size;
  const turn = (isOn: boolean) => {
    for (const { target } of switches) writes.ask(target, isOn);
  };
  const putInto = (zone: Zone) =>
    items.mutate({
      changes: devices.map(({ id }) => ({ kind: "put", zoneId: zone.id, item: id })),
      done: `${counted(devices.length, "device")} added to ${cut(nameOf(zone), 60)}.`,
    });
  return (
    <section className={classes.selected} aria-label="Selected devices">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {counted(devices.length, "device")} selected
        </Text>
        <Button size="xs" variant="default" disabled={able === 0} onClick={() => turn(true)}>
          Turn on{able < devices.length && ` (${able})`}
        </Button>
        <Button size="xs" variant="default" disabled={able === 0} onClick={() => turn(false)}>
          Turn off{able < devices.length && ` (${able})`}
        </Button>
        <Menu shadow="md">
          <Menu.Target>
            <Button size="xs" variant="default" disabled={zones.length === 0} loading={items.isPending}>
              Add to zone
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu}>
            {zones.map((zone) => (
              <Menu.Item key={zone.id} onClick={() => putInto(zone)}>
                <Name of={zone} />
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button size="xs" variant="default" onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
      {items.isSuccess && (
        <Text size="sm" role="status">
          {items.variables.done}
        </Text>
      )}
      {items.error && <Failure error={items.error} putAway={() => items.reset()} />}
      {isRenaming && <RenameDevicesDialog devices={devices} onClose={() => setRenaming(false)} />}
    </section>
  );
}
