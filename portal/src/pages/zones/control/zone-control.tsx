/** One property of all devices in a zone: how it stands, a field to set it, and a button that asks the devices. */
import { ActionIcon, Text } from "@mantine/core";
import { useTitles } from "../../../devices/use-titles.ts";
import { Icon } from "../../../kit/display/icon.tsx";
import { Hint } from "../../../kit/lazy/hint.tsx";
import { counted } from "../../../kit/text/quantity.ts";
import type { Forest } from "../tree/forest.ts";
import { type Settable, summaryOf } from "./summary.ts";
import { useWide } from "./use-wide.ts";
import { ValueField } from "./value-field.tsx";
import { WideResult } from "./wide-result.tsx";
import classes from "./zone-control.module.css";

interface ZoneControlProps {
  readonly environmentId: string;
  readonly zoneId: string;
  readonly forest: Forest;
  readonly settable: Settable;
}

export function ZoneControl({ environmentId, zoneId, forest, settable }: ZoneControlProps) {
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
