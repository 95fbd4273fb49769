/** One service of a device: a control for each property, and a way to ask the device itself. */
import { ActionIcon, Button, Group, Text, Tooltip } from "@mantine/core";
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { Failure } from "../../../kit/display/failure.tsx";
import { Icon } from "../../../kit/display/icon.tsx";
import { Section } from "../../../kit/display/page.tsx";
import { StateWord } from "../../../kit/display/state.tsx";
import type { Target } from "../../../live/target.ts";
import { ColourWheel } from "../control/colour-wheel.tsx";
import { type WheelRanges, wheelOf } from "../control/control-of.ts";
import type { Colour } from "../control/wheel.ts";
import { PropertyRow } from "../property/property-row.tsx";
import { useDevicePage, useProperty } from "./device-page-context.tsx";
import classes from "./service-card.module.css";
import { canRefresh, type RefreshState } from "./use-refresh.ts";

export interface ServiceCardProps {
  readonly service: ServiceDescriptor;
  /** The device has no other of this class. */
  readonly isOnly: boolean;
  readonly refreshState: RefreshState | undefined;
  readonly onRefresh: () => void;
  readonly onDismiss: () => void;
}

export function ServiceCard({ service, isOnly, refreshState, onRefresh, onDismiss }: ServiceCardProps) {
  const { device } = useDevicePage();
  const wheel = wheelOf(service, device.type === "virtual");
  const title = isOnly ? service.service : `${service.service} ${service.index}`;
  const label = `Refresh ${title}: ask the device now`;
  const actions = canRefresh(service) && (
    <Tooltip label="Ask the device now">
      <ActionIcon
        variant="subtle"
        color="gray"
        loading={refreshState?.isPending ?? false}
        onClick={onRefresh}
        aria-label={label}
      >
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
  const targetOf = (property: string): Target => ({
    deviceId: device.id,
    service: service.service,
    index: service.index,
    property,
  });
  return (
    <Section title={title} actions={actions}>
      <RefreshResult state={refreshState} onDismiss={onDismiss} />
      <div className={classes.body} data-wheel={wheel !== undefined}>
        {wheel && <Wheel ranges={wheel} service={service} targetOf={targetOf} />}
        <div className={classes.rows}>
          {service.properties.map((descriptor) => (
            <PropertyRow
              key={descriptor.property}
              target={targetOf(descriptor.property)}
              descriptor={descriptor}
              isOnly={isOnly}
            />
          ))}
        </div>
      </div>
    </Section>
  );
}

interface WheelProps {
  readonly ranges: WheelRanges;
  readonly service: ServiceDescriptor;
  readonly targetOf: (property: string) => Target;
}

function Wheel({ ranges, service, targetOf }: WheelProps) {
  const hue = useProperty(targetOf("hue"), descriptorOf(service, "hue"));
  const saturation = useProperty(targetOf("saturation"), descriptorOf(service, "saturation"));
  return (
    <ColourWheel
      ranges={ranges}
      colour={colourOf(hue.value, saturation.value)}
      known={colourOf(hue.known.value, saturation.known.value)}
      isPending={hue.isPending || saturation.isPending}
      onAsk={(change) => {
        if (change.hue !== undefined) hue.ask(change.hue);
        if (change.saturation !== undefined) saturation.ask(change.saturation);
      }}
    />
  );
}

function colourOf(hue: unknown, saturation: unknown): Colour | undefined {
  return typeof hue === "number" && typeof saturation === "number" ? { hue, saturation } : undefined;
}

function descriptorOf({ properties }: ServiceDescriptor, name: string): PropertyDescriptor {
  const found = properties.find(({ property }) => property === name);
  if (!found) throw new Error(`The service has no ${name}.`);
  return found;
}

/** What could not be read; the last known values stand. */
function RefreshResult(props: { readonly state: RefreshState | undefined; readonly onDismiss: () => void }) {
  const { state, onDismiss } = props;
  if (!state || state.isPending) return null;
  if (state.error !== undefined) return <Failure error={state.error} retry={undefined} />;
  return (
    <div className={classes.failures} role="alert">
      <Text size="sm">Not everything could be read. The last known values are shown.</Text>
      {state.failures.map(({ property, name, detail }) => (
        <Text size="sm" key={property}>
          <StateWord tone="bad">
            {property}: {name}
          </StateWord>{" "}
          {detail}
        </Text>
      ))}
      <Group>
        <Button size="compact-sm" variant="default" onClick={onDismiss}>
          Dismiss
        </Button>
      </Group>
    </div>
  );
}
