/** One property: its control or its value, how old or how sure that is, and more about it when it is opened. */
import { ActionIcon, Button, Group } from "@mantine/core";
import type { PropertyDescriptor } from "@porchlight/shared/api";
import { useId, useState } from "react";
import { ControlView } from "../../../devices/control/control.tsx";
import { type Control, controlOf } from "../../../devices/control/control-of.ts";
import { Failure } from "../../../kit/display/failure.tsx";
import { Icon } from "../../../kit/display/icon.tsx";
import { useWanted } from "../../../kit/lazy/use-wanted.ts";
import { valueWords } from "../../../kit/text/value-words.ts";
import type { Target } from "../../../live/target.ts";
import { type Property, useDevicePage, useProperty } from "../device/device-page-context.tsx";
import classes from "./property-row.module.css";
import { Refused } from "./refused.tsx";
import { ValueState } from "./value-state.tsx";

const loadChart = () => import("./property-history.tsx");
const loadWhy = () => import("./why-dialog.tsx");

export interface PropertyRowProps {
  readonly target: Target;
  readonly descriptor: PropertyDescriptor;
  /** What people call the property. */
  readonly title: string;
  /** The same for who does not see where it stands: "Fan: Power". */
  readonly name: string;
}

export function PropertyRow({ target, descriptor, title, name }: PropertyRowProps) {
  const { device } = useDevicePage();
  const property = useProperty(target, descriptor);
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { Part: WhyDialog, error: whyError } = useWanted(loadWhy, isAsking);
  const { Part: PropertyHistory, error } = useWanted(loadChart, isOpen);
  const detail = useId();
  const control = controlOf(target.service, descriptor, device.type === "virtual");
  return (
    <div className={classes.row}>
      <div className={classes.line}>
        <div className={classes.name}>
          <bdi>{title}</bdi>
        </div>
        <div className={classes.control}>
          <Body control={control} property={property} descriptor={descriptor} name={name} />
        </div>
        <div className={classes.state}>
          <ValueState
            property={property}
            isTold={descriptor.access.some((each) => each !== "write")}
            words={(value) => valueWords(value, target.property, descriptor.unit)}
          />
        </div>
        <Group gap={0} wrap="nowrap">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            fw={400}
            aria-haspopup="dialog"
            aria-label={`Why is ${name} as it is?`}
            onClick={() => setAsking(true)}
          >
            Why?
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-controls={detail}
            aria-label={`History of ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? "up" : "down"} />
          </ActionIcon>
        </Group>
      </div>
      {isAsking && WhyDialog && <WhyDialog target={target} title={title} onClose={() => setAsking(false)} />}
      {isAsking && whyError && <Failure error={whyError} putAway={() => setAsking(false)} />}
      <Refused property={property} words={(value) => valueWords(value, target.property, descriptor.unit)} />
      <div id={detail}>
        {isOpen && (
          <div className={classes.detail}>
            {PropertyHistory && <PropertyHistory target={target} descriptor={descriptor} name={name} />}
            {error && <Failure error={error} putAway={() => setOpen(false)} />}
          </div>
        )}
      </div>
    </div>
  );
}

interface BodyProps {
  readonly control: Control;
  readonly property: Property;
  readonly descriptor: PropertyDescriptor;
  readonly name: string;
}

function Body({ control, property, descriptor, name }: BodyProps) {
  const { value, known, isPending, ask } = property;
  const words = (each: unknown) => valueWords(each, descriptor.property, descriptor.unit);
  switch (control.kind) {
    case "reading":
      return (
        <bdi className={classes.reading} data-empty={value === undefined || undefined} title={words(value)}>
          {words(value)}
        </bdi>
      );
    case "occurrence":
      return (
        <Group gap="sm">
          <bdi className={classes.reading} data-empty={value === undefined || undefined}>
            {value === undefined ? "nothing yet" : words(value)}
          </bdi>
          {control.values.map((each) => (
            <Button key={String(each)} size="compact-sm" variant="default" onClick={() => ask(each)}>
              {words(each)}
            </Button>
          ))}
        </Group>
      );
    default:
      return (
        <ControlView
          control={control}
          label={name}
          value={value}
          known={known.value}
          isPending={isPending}
          unit={descriptor.unit}
          words={words}
          onAsk={(asked) => ask(asked)}
        />
      );
  }
}
