/** Chooses what a new card shows: a device, one or several of its properties, and whether as they are now or as they were. */
import { Checkbox, NativeSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Subject } from "../../charts/series/subject.ts";
import { environmentServicesQuery } from "../../data/environment-services.ts";
import { devicesQuery } from "../../data/queries.ts";
import type { Titles } from "../../data/titles.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { keyOf, type Target } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import { MOST_IN_CARD, type PinnedCard } from "./cards.ts";

export interface AddCardProps {
  readonly things: Things;
  /** Settles when they are written. */
  readonly onAdd: (cards: readonly PinnedCard[]) => Promise<void>;
  readonly onClose: () => void;
}

export default function AddCard({ things, onAdd, onClose }: AddCardProps) {
  const devices = things.devices.filter(({ id }) => things.servicesOf(id).length > 0);
  const [chosen, setChosen] = useState<string>();
  const [kind, setKind] = useState<PinnedCard["kind"]>("value");
  const [keys, setKeys] = useState<readonly string[]>([]);
  const deviceId = chosen ?? devices[0]?.id ?? "";
  const targets: readonly Target[] = things
    .servicesOf(deviceId)
    .flatMap(({ service, index, properties }) =>
      properties
        .filter(({ access }) => access.some((each) => each !== "write"))
        .map(({ property }) => ({ deviceId, service, index, property })),
    );
  const properties = targets.filter((target) => keys.includes(keyOf(target)));
  return (
    <FormModal
      title="Add card"
      submitLabel="Add card"
      isReady={properties.length > 0}
      // Values have a card each, and a chart has all of them.
      act={() =>
        onAdd(
          kind === "chart"
            ? [{ id: newCardId(), kind, size: "wide", properties }]
            : properties.map((property) => ({ id: newCardId(), kind, size: "small", properties: [property] })),
        )
      }
      onClose={onClose}
    >
      {() =>
        devices.length === 0 ? (
          <Text>There is no device with properties in this environment yet.</Text>
        ) : (
          <Stack>
            <SegmentedControl
              aria-label="What the card shows"
              value={kind}
              onChange={(value) => setKind(value === "chart" ? "chart" : "value")}
              data={[
                { value: "value", label: "Value now" },
                { value: "chart", label: "Chart" },
              ]}
            />
            <NativeSelect
              label="Device"
              value={deviceId}
              onChange={(event) => {
                setChosen(event.currentTarget.value);
                setKeys([]);
              }}
              data={devices.map((device) => ({ value: device.id, label: cut(nameOf(device), 60) }))}
            />
            <Checkbox.Group
              label="Properties"
              value={[...keys]}
              onChange={(next) => setKeys(next.slice(0, MOST_IN_CARD))}
            >
              <Stack gap="xs" mt="xs">
                {targets.map((target) => (
                  <Checkbox key={keyOf(target)} value={keyOf(target)} label={cut(propertyName(things, target), 60)} />
                ))}
              </Stack>
            </Checkbox.Group>
          </Stack>
        )
      }
    </FormModal>
  );
}

/** A name for a new card: chance makes it another for two people who add one at once. */
export function newCardId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the cards of a dashboard are of: devices and properties by the names that pages have for them. */
export interface Things {
  readonly isPending: boolean;
  readonly devices: readonly Device[];
  readonly servicesOf: (deviceId: string) => readonly ServiceDescriptor[];
  readonly titles: Titles;
}

export function useThings(environmentId: string): Things {
  const api = useApi();
  const devices = useQuery(devicesQuery(api, environmentId));
  const services = useQuery(environmentServicesQuery(api, environmentId));
  const titles = useTitles();
  return {
    isPending: devices.isPending || services.isPending,
    devices: devices.data ?? [],
    servicesOf: (deviceId) => services.data?.get(deviceId)?.items ?? [],
    titles,
  };
}

/** What a property is called within its device: "Fan: Power". */
export function propertyName({ titles, servicesOf }: Things, { deviceId, service, index, property }: Target): string {
  const isOnly = servicesOf(deviceId).filter((each) => each.service === service).length <= 1;
  const title = `${titles.ofClass(service)}${isOnly ? "" : ` ${index}`}`;
  const own = titles.ofProperty(service, property);
  return own === title ? own : `${title}: ${own}`;
}

export function descriptorOf({ servicesOf }: Things, { deviceId, service, index, property }: Target) {
  const found = servicesOf(deviceId).find((each) => each.service === service && each.index === index);
  return found?.properties.find((each) => each.property === property);
}

/** Of what is still there. @param withDevice whether its device is named, too */
export function subjectOf(things: Things, target: Target, withDevice: boolean): Subject | undefined {
  const device = things.devices.find(({ id }) => id === target.deviceId);
  if (!device) return undefined;
  const own = propertyName(things, target);
  const { id, clientId, connection } = device;
  return {
    target,
    name: withDevice ? `${nameOf(device)}: ${own}` : own,
    descriptor: descriptorOf(things, target),
    device: { id, clientId, connection },
  };
}
