/** The dialog for a new card: a device, one or several of its properties, and current values or a chart. */
import { Checkbox, NativeSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { keyOf, type Target } from "../../live/target.ts";
import { MOST_IN_CARD, type PinnedCard } from "./cards.ts";
import { newCardId, propertyName, type Things } from "./use-dashboard.ts";

interface AddCardProps {
  readonly things: Things;
  /** Settles when the cards are saved. */
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
      // Each value gets a card of its own; a chart contains all properties.
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
