/**
 * The values of a scene by device and zone, with the same controls as on a device's page. A zone's values are limited to what its devices
 * have in common.
 */
import { ActionIcon, Button, Text } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";
import type { SceneItem } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import type { Titles } from "../../data/catalogue.ts";
import { ControlView } from "../../devices/control.tsx";
import { controlOf } from "../../devices/control-of.ts";
import JsonField from "../../devices/json-field.tsx";
import { useTitles } from "../../devices/use-titles.ts";
import { Icon } from "../../kit/display/icon.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { cut } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import { nameIn } from "../zones/forest.ts";
import classes from "./edit.module.css";
import { zoneWords } from "./item-words.ts";
import { describedBy, type SceneHome, selectedBy } from "./scene-home.ts";
import { type Override, overridesOf } from "./zone-items.ts";

interface ItemsEditorProps {
  readonly environmentId: string;
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  readonly onChange: (items: readonly SceneItem[]) => void;
  /** The error of the last attempt to save. */
  readonly error: unknown;
}

/** An item with its index, which identifies it: two items can set the same property. */
interface Placed {
  readonly item: SceneItem;
  readonly at: number;
}

export function ItemsEditor({ environmentId, home, items, onChange, error }: ItemsEditorProps) {
  const titleOf = itemTitles(home, useTitles());
  const { forest } = home;
  const overrides = overridesOf(home, items);
  const groups = Map.groupBy(
    items.map((item, at): Placed => ({ item, at })),
    ({ item }) => item.target,
  );
  return (
    <div>
      {[...groups].map(([target, own]) => {
        const isZone = forest.zones.has(target);
        const isThere = isZone || forest.devices.has(target);
        const name = isThere ? nameIn(forest, target) : target;
        return (
          <section key={target} className={classes.target} aria-label={name}>
            <div className={classes.head}>
              {isThere ? (
                <span>
                  <Link to={addressOf(environmentId, isZone ? "zones" : "devices", target)}>
                    <NameText text={isZone ? `${name} (zone)` : name} />
                  </Link>
                  {isZone && <ZoneWords home={home} zoneId={target} items={own.map(({ item }) => item)} />}
                </span>
              ) : (
                <span>
                  <bdi className="mono">{target}</bdi> (deleted)
                </span>
              )}
              <Button
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={`Remove ${name} from the scene`}
                onClick={() => onChange(items.filter((item) => item.target !== target))}
              >
                Remove
              </Button>
            </div>
            {own.map(({ item, at }) => (
              <div key={at}>
                <ItemRow
                  {...{ home, item, name, about: titleOf(item) }}
                  onValue={(value) => onChange(items.with(at, { ...item, value: value as SceneItem["value"] }))}
                  onRemove={() => onChange(items.toSpliced(at, 1))}
                />
                <OverrideNote override={overrides[at]} home={home} />
                <ItemFault error={error} at={at} />
              </div>
            ))}
          </section>
        );
      })}
    </div>
  );
}

function addressOf(environmentId: string, kind: "zones" | "devices", id: string): string {
  return `/environments/${environmentId}/${kind}/${id}`;
}

interface ZoneWordsProps {
  readonly home: SceneHome;
  readonly zoneId: string;
  readonly items: readonly SceneItem[];
}

function ZoneWords({ home, zoneId, items }: ZoneWordsProps) {
  const words = zoneWords(home, zoneId, items);
  return (
    words && (
      <Text size="sm" c="dimmed">
        <bdi>{cut(words, 90)}</bdi>
      </Text>
    )
  );
}

interface ItemRowProps {
  readonly home: SceneHome;
  readonly item: SceneItem;
  /** The name of the device or zone. */
  readonly name: string;
  readonly about: ItemTitle;
  readonly onValue: (value: unknown) => void;
  readonly onRemove: () => void;
}

function ItemRow({ home, item, name, about: { title, property, unit }, onValue, onRemove }: ItemRowProps) {
  const found = describedBy(home, item);
  const label = `${name}: ${title}`;
  const shared = {
    ...{ label, unit, value: item.value, known: item.value, isPending: false, onAsk: onValue },
    words: (value: unknown) => valueWords(value, property, unit),
  };
  const control = found && controlOf(found.service.service, found.descriptor);
  const isSettable = control && control.kind !== "reading" && control.kind !== "occurrence";
  return (
    <div className={classes.item}>
      <bdi title={item.service}>{title}</bdi>
      <div className={classes.control}>
        {isSettable ? <ControlView {...shared} control={control} /> : <Unknown {...shared} />}
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${label} from the scene`} onClick={onRemove}>
        <Icon name="close" />
      </ActionIcon>
    </div>
  );
}

/** The control of a property that no device in the target has, so its constraints are unknown. */
function Unknown(props: Parameters<typeof JsonField>[0]) {
  return (
    <div>
      <JsonField {...props} />
      <Text size="sm" c="dimmed">
        Nothing has this property now, so a call leaves it out or reports it as not sent.
      </Text>
    </div>
  );
}

interface OverrideNoteProps {
  readonly override: Override | undefined;
  readonly home: SceneHome;
}

/** The note at a value that a later item overrides, which explains why a lamp differs from its zone. */
function OverrideNote({ override, home }: OverrideNoteProps) {
  if (!override) return null;
  if (override.kind === "part")
    return (
      <Text size="sm" c="dimmed">
        Except {counted(override.devices, "device")} with a value of {override.devices === 1 ? "its" : "their"} own.
      </Text>
    );
  return (
    <Text size="sm" c="bad">
      Has no effect: <NameText text={nameIn(home.forest, override.by)} /> sets the same, and the later value counts.
    </Text>
  );
}

/** Shows the service's error about one item at that item. @param at index in the list that was sent */
export function ItemFault({ error, at }: { readonly error: unknown; readonly at: number }) {
  const fault = isPorchlightError(error)
    ? error.problem?.errors?.find(({ pointer }) => pointer === `/items/${at}` || pointer.startsWith(`/items/${at}/`))
    : undefined;
  if (!fault) return null;
  return (
    <Text size="sm" c="bad" role="alert">
      {fault.message}
    </Text>
  );
}

/** The display name of an item's property, distinguished from others of its class on the same device. */
interface ItemTitle {
  readonly title: string;
  /** The property's API name, which determines the value's format. */
  readonly property: string;
  readonly unit: string | undefined;
}

export function itemTitles(home: SceneHome, titles: Titles): (item: SceneItem) => ItemTitle {
  return (item) => {
    const { service, property } = selectedBy(item.service) ?? { service: item.service, property: item.service };
    const found = describedBy(home, item);
    const alike = (home.services.get(item.target)?.items ?? []).filter((each) => each.service === service).length;
    const [own, ofClass] = [titles.ofProperty(service, property), titles.ofClass(service)];
    const index = alike > 1 && found ? ` ${found.service.index}` : "";
    const isAlone = own === ofClass || found?.service.properties.length === 1;
    const title = isAlone ? `${own}${index}` : `${ofClass}${index}, ${own.charAt(0).toLowerCase()}${own.slice(1)}`;
    return { title, property, unit: found?.descriptor.unit };
  };
}
