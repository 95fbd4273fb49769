/** Chooses the devices whose values a scene captures, by zone or singly. Lists only devices with a known, settable value. */
import { Button, Checkbox, Text, TextInput } from "@mantine/core";
import type { Device, Zone } from "@porchlight/shared/api";
import { useMemo, useState } from "react";
import { cut, nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { devicesWithin, type Forest, itemsOf } from "../zones/forest.ts";
import classes from "./edit.module.css";
import type { SceneHome } from "./scene-home.ts";
import { capturable } from "./zone-items.ts";

interface DeviceChoiceProps {
  readonly home: SceneHome;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** From this number of devices on there is a search field. */
const MANY = 12;
/** Number of devices that are shown at first. */
const FEW = 200;

export function DeviceChoice({ home, chosen, onChange }: DeviceChoiceProps) {
  const { forest } = home;
  const usable = useMemo(() => capturable(home), [home]);
  const [text, setText] = useState("");
  const [most, setMost] = useState(FEW);
  const set = (ids: Iterable<string>, isIn: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) isIn ? next.add(id) : next.delete(id);
    onChange(next);
  };
  const wanted = text.trim().toLowerCase();
  const found = [...forest.devices.values()].filter(
    (each) => usable.has(each.id) && `${nameOf(each)} ${each.alias ?? ""}`.toLowerCase().includes(wanted),
  );
  const rooms = roomsOf(forest, found.slice(0, most));
  const left = forest.devices.size - usable.size;
  return (
    <div className={classes.choice}>
      {usable.size > MANY && (
        <TextInput
          label="Find a device"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <div className={classes.rooms}>
        {rooms.map(({ zone, devices }) => (
          <RoomFields key={zone?.id ?? ""} {...{ forest, zone, devices, usable, chosen }} onChange={set} />
        ))}
      </div>
      {found.length === 0 && <Text c="dimmed">No device has this in its name.</Text>}
      {found.length > most && (
        <div>
          <Button size="xs" variant="default" onClick={() => setMost(most + FEW)}>
            Show more of {found.length.toLocaleString("en")}
          </Button>
        </div>
      )}
      {left > 0 && (
        <Text size="sm" c="dimmed">
          {counted(left, "device")} {left === 1 ? "is" : "are"} not offered: no known value that can be set.
        </Text>
      )}
    </div>
  );
}

interface Room {
  readonly zone: Zone | undefined;
  readonly devices: readonly Device[];
}

/** Each zone with its direct devices, then the devices without a zone; a device can be in several. */
function roomsOf(forest: Forest, devices: readonly Device[]): readonly Room[] {
  const found = new Map(devices.map((device) => [device.id, device]));
  const rooms = [...forest.zones.values()].map((zone) => ({
    zone,
    devices: itemsOf(forest, zone.id).flatMap((id) => found.get(id) ?? []),
  }));
  const free = { zone: undefined, devices: forest.free.flatMap((id) => found.get(id) ?? []) };
  return [...rooms, free].filter((room) => room.devices.length > 0);
}

interface RoomProps {
  readonly forest: Forest;
  readonly zone: Zone | undefined;
  readonly devices: readonly Device[];
  readonly usable: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (ids: Iterable<string>, isIn: boolean) => void;
}

/** A zone's checkbox selects everything within the zone, including devices that are listed elsewhere. */
function RoomFields({ forest, zone, devices, usable, chosen, onChange }: RoomProps) {
  const within = zone
    ? [...devicesWithin(forest, zone.id)].filter((id) => usable.has(id))
    : devices.map(({ id }) => id);
  const count = within.filter((id) => chosen.has(id)).length;
  const name = zone ? cut(nameOf(zone), 60) : "Not in a zone";
  return (
    <fieldset className={classes.room}>
      <legend className="unseen">{name}</legend>
      <Checkbox
        label={<bdi className={classes.zone}>{name}</bdi>}
        aria-label={`All of ${name}`}
        checked={count === within.length}
        indeterminate={count > 0 && count < within.length}
        onChange={(event) => onChange(within, event.currentTarget.checked)}
      />
      <div className={classes.devices}>
        {devices.map((device) => (
          <Checkbox
            key={device.id}
            label={<bdi>{cut(nameOf(device), 60)}</bdi>}
            checked={chosen.has(device.id)}
            onChange={(event) => onChange([device.id], event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
