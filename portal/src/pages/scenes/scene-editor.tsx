/** The editable parts of a scene's page: its name, values and triggers, and the bar that saves them together. */
import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import type { Tagged } from "@porchlight/sdk";
import type { Scene, SceneItem } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { environmentQuery } from "../../data/places.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { FormModal } from "../../kit/forms/form-dialog.tsx";
import { Unsaved } from "../../kit/forms/unsaved.tsx";
import { cut, LONGEST_NAME, nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import { useApi } from "../../session/context.tsx";
import { DeviceChoice } from "./device-choice.tsx";
import classes from "./edit.module.css";
import { ItemsEditor, itemTitles } from "./items-editor.tsx";
import type { SceneHome } from "./scene-home.ts";
import { triggerFault } from "./triggers.ts";
import { TriggersEditor } from "./triggers-editor.tsx";
import { type Drafting, useDraft } from "./use-draft.ts";
import { captured, firstValue, withCurrent, withMore, withZone, zoneProperties } from "./zone-items.ts";

interface SceneEditorProps {
  readonly scene: Tagged<Scene>;
  readonly home: SceneHome;
}

export function SceneEditor({ scene, home }: SceneEditorProps) {
  const drafting = useDraft(scene);
  const { draft, change, error, isChanged } = drafting;
  const { environmentId } = scene.value;
  const environment = useQuery(environmentQuery(useApi(), environmentId));
  const [adding, setAdding] = useState<"devices" | "zone">();
  const toAdd = {
    ...{ home, items: draft.items },
    onChange: (items: readonly SceneItem[]) => change({ items }),
    onClose: () => setAdding(undefined),
  };
  const form = useId();
  const isReady =
    isChanged &&
    !drafting.isConflict &&
    draft.items.length > 0 &&
    environment.data !== undefined &&
    draft.triggers.every((trigger) => triggerFault(trigger, environment.data) === undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) drafting.save();
  };
  return (
    <>
      <Unsaved isThere={isChanged} what="Your changes to the scene are" />
      <Section
        title="Values"
        lead={`${counted(draft.items.length, "value")}. Nothing is set until the scene is called.`}
        actions={
          <>
            <Button size="xs" variant="default" onClick={() => change({ items: withCurrent(home, draft.items) })}>
              Take current values
            </Button>
            <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setAdding("devices")}>
              Add devices
            </Button>
            <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setAdding("zone")}>
              Add zone
            </Button>
          </>
        }
      >
        <ItemsEditor {...{ environmentId, home, items: draft.items, error }} onChange={(items) => change({ items })} />
        {draft.items.length === 0 && <Text c="dimmed">A scene sets at least one value. Add a device or a zone.</Text>}
      </Section>
      <QueryView query={environment}>
        {(known) => (
          <TriggersEditor
            {...{ environment: known, home, items: draft.items, triggers: draft.triggers }}
            onChange={(triggers) => change({ triggers })}
          />
        )}
      </QueryView>
      <Section title="Name">
        <form id={form} onSubmit={submit}>
          <TextInput
            label="Name"
            autoComplete="off"
            maxLength={LONGEST_NAME}
            maw="30rem"
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        </form>
      </Section>
      <SaveBar drafting={drafting} form={form} isReady={isReady} />
      {adding === "devices" && <AddDevices {...toAdd} />}
      {adding === "zone" && <AddZone {...toAdd} />}
    </>
  );
}

interface SaveBarProps {
  readonly drafting: Drafting;
  /** ID of the form that the bar submits. */
  readonly form: string;
  /** Nothing is missing. */
  readonly isReady: boolean;
}

function SaveBar({ drafting, form, isReady }: SaveBarProps) {
  const { isChanged, isSaving, isSaved, isConflict, error, discard } = drafting;
  return (
    <>
      {error && <Failure error={error} />}
      {isConflict && (
        <Text role="alert" c="bad" size="sm">
          Somebody else has changed this scene meanwhile, so nothing was saved. Discard your changes to see theirs.
        </Text>
      )}
      {(isChanged || isSaving) && (
        <div className={classes.save}>
          <Text size="sm">Not saved yet: a call sets the values as they were saved last.</Text>
          <Group gap="xs">
            <Button variant="subtle" color="gray" disabled={isSaving} onClick={discard}>
              Discard
            </Button>
            <Button type="submit" form={form} variant="default" loading={isSaving} disabled={!isReady}>
              Save scene
            </Button>
          </Group>
        </div>
      )}
      <Text size="sm" role="status">
        {isSaved && "Saved."}
      </Text>
    </>
  );
}

interface AddDevicesProps {
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  readonly onChange: (items: readonly SceneItem[]) => void;
  readonly onClose: () => void;
}

/** Adds devices to a scene, with their current values. */
function AddDevices({ home, items, onChange, onClose }: AddDevicesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <FormModal
      title="Add devices"
      submitLabel="Add devices"
      isReady={chosen.size > 0}
      act={async () => onChange(withMore(home, items, captured(home, [...chosen])))}
      onClose={onClose}
    >
      {() => <DeviceChoice home={home} chosen={chosen} onChange={setChosen} />}
    </FormModal>
  );
}

interface AddZoneProps {
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  readonly onChange: (items: readonly SceneItem[]) => void;
  readonly onClose: () => void;
}

/** Adds values for all devices of a zone. The values themselves are edited on the page. */
function AddZone({ home, items, onChange, onClose }: AddZoneProps) {
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
