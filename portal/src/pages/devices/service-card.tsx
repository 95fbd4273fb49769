/** The cards of a device's services: single-property services share one card, every other service has its own. */
import { Button, Group, Text } from "@mantine/core";
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { ColourWheel } from "../../devices/colour-wheel.tsx";
import { type WheelRanges, wheelOf } from "../../devices/control-of.ts";
import { useTitles } from "../../devices/use-titles.ts";
import type { Colour } from "../../devices/wheel.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import type { Target } from "../../live/target.ts";
import { useDevicePage, useProperty } from "./device-page-context.tsx";
import { PropertyRow } from "./property-row.tsx";
import classes from "./service-card.module.css";
import { type RefreshState, serviceKey } from "./use-refresh.ts";

/** Whether the device has no other service of this class. */
export function isOnlyOne(all: readonly ServiceDescriptor[], { service }: ServiceDescriptor): boolean {
  return all.filter((each) => each.service === service).length === 1;
}

/** Groups services into cards, in order. The shared card of single-property services is at the position of the first of them. */
export function cardsOf(services: readonly ServiceDescriptor[]): readonly (readonly ServiceDescriptor[])[] {
  const single = services.filter(({ properties }) => properties.length === 1);
  return services.flatMap((service) => {
    if (service.properties.length !== 1) return [[service]];
    return service === single[0] ? [single] : [];
  });
}

interface ServiceViewProps {
  /** The device has no other service of this class. */
  readonly isOnly: boolean;
  readonly refreshState: RefreshState | undefined;
  readonly onDismiss: () => void;
}

interface CardProps {
  readonly services: readonly ServiceDescriptor[];
  readonly children: (service: ServiceDescriptor) => ServiceViewProps;
}

export function Card({ services, children }: CardProps) {
  const titles = useTitles();
  const titleOf = ({ service, index }: ServiceDescriptor, { isOnly }: ServiceViewProps) =>
    `${titles.ofClass(service)}${isOnly ? "" : ` ${index}`}`;
  const [first] = services;
  if (services.length === 1 && first && first.properties.length > 1) {
    const view = children(first);
    const title = titleOf(first, view);
    return (
      <Section title={title}>
        <ServiceBody service={first} title={title} {...view} />
      </Section>
    );
  }
  return (
    <div className={classes.together}>
      {services.map((service) => {
        const view = children(service);
        const title = titleOf(service, view);
        return (
          <section key={serviceKey(service)} aria-label={title}>
            <ServiceBody service={service} title={title} {...view} />
          </section>
        );
      })}
    </div>
  );
}

type BodyProps = ServiceViewProps & { readonly service: ServiceDescriptor; readonly title: string };

function ServiceBody({ service, title, isOnly, refreshState, onDismiss }: BodyProps) {
  const { device } = useDevicePage();
  const titles = useTitles();
  const wheel = wheelOf(service, device.type === "virtual");
  const targetOf = (property: string): Target => ({
    deviceId: device.id,
    service: service.service,
    index: service.index,
    property,
  });
  const isSingle = service.properties.length === 1;
  return (
    <>
      <RefreshResult service={service.service} state={refreshState} onDismiss={onDismiss} />
      <div className={classes.body} data-wheel={wheel !== undefined}>
        {wheel && <Wheel ranges={wheel} service={service} targetOf={targetOf} />}
        <div className={classes.rows}>
          {service.properties.map((descriptor) => {
            const own = titles.ofProperty(service.service, descriptor.property);
            return (
              <PropertyRow
                key={descriptor.property}
                target={targetOf(descriptor.property)}
                descriptor={descriptor}
                title={isSingle && !isOnly ? `${own} ${service.index}` : own}
                name={own === title ? own : `${title}: ${own}`}
              />
            );
          })}
        </div>
      </div>
    </>
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
  if (!found) throw new Error(`This service has no property ${name}.`);
  return found;
}

/** The properties that a refresh could not read; their last known values remain. */
function RefreshResult(props: {
  readonly service: string;
  readonly state: RefreshState | undefined;
  readonly onDismiss: () => void;
}) {
  const { service, state, onDismiss } = props;
  const titles = useTitles();
  if (!state || state.isPending) return null;
  if (state.error !== undefined) return <Failure error={state.error} retry={undefined} />;
  return (
    <div className={classes.failures} role="alert">
      <Text size="sm">Some values could not be read. The last known values are shown.</Text>
      {state.failures.map(({ property, name, detail }) => (
        <Text size="sm" key={property}>
          <StateWord tone="bad">
            {titles.ofProperty(service, property)}: {name}
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
