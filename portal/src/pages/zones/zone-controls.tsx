/** Controls all devices of a zone at once: its settable properties, their current state, and the devices that failed. */
import { ActionIcon, Button, Group, NumberInput, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { catalogueQuery } from "../../data/catalogue.ts";
import { environmentServicesQuery } from "../../data/services.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { Icon } from "../../kit/display/icon.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { Hint } from "../../kit/text/hint.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { booleanWords, withUnit } from "../../kit/text/value-words.ts";
import { useApi } from "../../session/context.tsx";
import { type Settable, settables, summaryOf } from "./control-summary.ts";
import { devicesWithin, type Forest } from "./forest.ts";
import { OtherProperty } from "./other-property.tsx";
import { useWide, WideResult } from "./wide-result.tsx";
import classes from "./zone-control.module.css";

interface ZoneControlsProps {
  readonly environmentId: string;
  readonly zoneId: string;
  readonly forest: Forest;
}

export function ZoneControls({ environmentId, zoneId, forest }: ZoneControlsProps) {
  const api = useApi();
  const devices = devicesWithin(forest, zoneId);
  const catalogue = useQuery(catalogueQuery(api)).data;
  const services = useQuery(environmentServicesQuery(api, environmentId));
  if (devices.size === 0)
    return <Empty title="No devices in this zone">Add devices to the zone to control them together here.</Empty>;
  return (
    <QueryView query={services}>
      {(known) => {
        const found = settables(
          catalogue ?? [],
          [...devices].map((id) => [id, known.get(id)?.items ?? []]),
        );
        return (
          <>
            {catalogue && found.length === 0 && (
              <Text c="dimmed">None of its devices has a standard property that you can set.</Text>
            )}
            {found.map((settable) => {
              const key = `${settable.service}.${settable.property.property}`;
              return <ZoneControl key={key} {...{ environmentId, zoneId, forest, settable }} />;
            })}
            <OtherProperty {...{ environmentId, zoneId, forest }} />
          </>
        );
      }}
    </QueryView>
  );
}

interface ZoneControlProps {
  readonly environmentId: string;
  readonly zoneId: string;
  readonly forest: Forest;
  readonly settable: Settable;
}

/** One property of all devices in a zone: its state, a field for the new value, and a button that sends it. */
function ZoneControl({ environmentId, zoneId, forest, settable }: ZoneControlProps) {
  const { service, property, items } = settable;
  const selector = `${service}.${property.property}`;
  const title = useTitles().ofProperty(service, property.property);
  const devices = new Set(items.map(({ deviceId }) => deviceId)).size;
  const wide = useWide(environmentId, zoneId);
  return (
    <div className={classes.control}>
      <div className={classes.line}>
        <div className={classes.what}>
          <span title={selector}>{title}</span>
          <Text size="sm" c="dimmed">
            <bdi>{summaryOf(settable)}</bdi> · {counted(devices, "device")}
          </Text>
        </div>
        <ValueField settable={settable} isBusy={wide.isPending} onSet={(value) => wide.mutate({ selector, value })} />
        {property.access.includes("read") && (
          <Hint label="Read from the devices now">
            <ActionIcon
              variant="subtle"
              color="gray"
              loading={wide.isPending}
              aria-label={`Read ${selector} from the devices`}
              onClick={() => wide.mutate({ selector })}
            >
              <Icon name="refresh" />
            </ActionIcon>
          </Hint>
        )}
      </div>
      <WideResult wide={wide} forest={forest} />
    </div>
  );
}

interface ValueFieldProps {
  readonly settable: Settable;
  readonly isBusy: boolean;
  readonly onSet: (value: unknown) => void;
}

/** A field for a value that is set on many devices, with its send button. */
function ValueField({ settable, isBusy, onSet }: ValueFieldProps) {
  const { property, service } = settable;
  const name = `${service}.${property.property}`;
  if (property.type === "boolean") {
    const [yes, no] = booleanWords(property.property);
    return (
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => onSet(true)}
          aria-label={`All ${yes}: ${name}`}
        >
          All {yes}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => onSet(false)}
          aria-label={`All ${no}: ${name}`}
        >
          All {no}
        </Button>
      </Group>
    );
  }
  return property.values ? (
    <OneOf settable={settable} isBusy={isBusy} onSet={onSet} />
  ) : (
    <Amount settable={settable} isBusy={isBusy} onSet={onSet} />
  );
}

function OneOf({ settable: { property, service }, isBusy, onSet }: ValueFieldProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const values = property.values ?? [];
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        size="xs"
        w="8rem"
        aria-label={`${service}.${property.property} of all`}
        placeholder="Choose"
        data={values.map(String)}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        size="xs"
        variant="default"
        disabled={isBusy || chosen === null}
        onClick={() => onSet(values.find((value) => String(value) === chosen))}
      >
        Set all
      </Button>
    </Group>
  );
}

function Amount({ settable: { property, service, items }, isBusy, onSet }: ValueFieldProps) {
  const [typed, setTyped] = useState<string | number>("");
  const { min, max, step, unit } = property;
  const range = min !== undefined && max !== undefined ? `${min} to ${max}` : String(items[0]?.value ?? "");
  return (
    <Group gap="xs" wrap="nowrap">
      <NumberInput
        size="xs"
        w="8rem"
        aria-label={`${service}.${property.property} of all`}
        placeholder={range}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        step={step ?? 1}
        allowDecimal={property.type !== "integer"}
        suffix={withUnit("", unit)}
        value={typed}
        onChange={setTyped}
      />
      <Button size="xs" variant="default" disabled={isBusy || typeof typed !== "number"} onClick={() => onSet(typed)}>
        Set all
      </Button>
    </Group>
  );
}
