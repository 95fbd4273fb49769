/**
 * The dialog that adds values for all devices of a zone: choose the zone and the properties. The values themselves are edited on the page.
 */
import { Checkbox, NativeSelect, Stack, Text } from "@mantine/core";
import type { SceneItem } from "@porchlight/shared/api";
import { useState } from "react";
import { useTitles } from "../../devices/use-titles.ts";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import { itemTitles } from "./items-editor.tsx";
import type { SceneHome } from "./scene-home.ts";
import { firstValue, withZone, zoneProperties } from "./zone-items.ts";

interface AddZoneProps {
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  readonly onChange: (items: readonly SceneItem[]) => void;
  readonly onClose: () => void;
}

export function AddZone({ home, items, onChange, onClose }: AddZoneProps) {
  const zones = [...home.forest.zones.values()];
  const [wanted, setZone] = useState<string>();
  // Another user may have deleted the chosen zone meanwhile.
  const zoneId = (zones.find(({ id }) => id === wanted) ?? zones[0])?.id ?? "";
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const titleOf = itemTitles(home, useTitles());
  const known = new Set(items.filter(({ target }) => target === zoneId).map(({ service }) => service));
  const offered = zoneProperties(home, zoneId).map((each) => ({
    ...each,
    item: { target: zoneId, service: each.selector, value: firstValue(home, zoneId, each) },
  }));
  const free = offered.filter(({ selector }) => !known.has(selector));
  const added = free.filter(({ selector }) => chosen.includes(selector)).map(({ item }) => item);
  return (
    <FormModal
      title="Add zone"
      submitLabel="Add zone"
      isReady={added.length > 0}
      act={async () => onChange(withZone(home, items, added))}
      onClose={onClose}
    >
      {() =>
        zones.length === 0 ? (
          <Text size="sm">This environment has no zones yet. Create one on the page “Zones”.</Text>
        ) : (
          <Stack>
            <NativeSelect
              label="Zone"
              description="A value is for all devices in it, and in the zones within it, that have the property when the scene is called."
              value={zoneId}
              onChange={(event) => {
                setZone(event.currentTarget.value);
                setChosen([]);
              }}
              data={zones.map((zone) => ({ value: zone.id, label: cut(nameOf(zone), 60) }))}
            />
            {free.length === 0 ? (
              <Text size="sm" role="status">
                {offered.length === 0
                  ? "No device in this zone has a property that can be set."
                  : "The scene sets everything in this zone already."}
              </Text>
            ) : (
              <Checkbox.Group label="Properties" value={[...chosen]} onChange={setChosen}>
                <Stack gap="xs" mt="xs">
                  {free.map(({ selector, devices, item }) => {
                    const { title, property, unit } = titleOf(item);
                    return (
                      <Checkbox
                        key={selector}
                        value={selector}
                        label={<bdi>{cut(title, 60)}</bdi>}
                        description={
                          <>
                            {counted(devices, "device")}, begins with{" "}
                            <bdi>{cut(valueWords(item.value, property, unit), 60)}</bdi>
                          </>
                        }
                      />
                    );
                  })}
                </Stack>
              </Checkbox.Group>
            )}
          </Stack>
        )
      }
    </FormModal>
  );
}
