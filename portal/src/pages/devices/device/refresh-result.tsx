/** What of a service could not be read when the device was asked; the last known values stand. */
import { Button, Group, Text } from "@mantine/core";
import { useTitles } from "../../../devices/use-titles.ts";
import { Failure } from "../../../kit/display/failure.tsx";
import { StateWord } from "../../../kit/display/state.tsx";
import classes from "./service-card.module.css";
import type { RefreshState } from "./use-refresh.ts";

export function RefreshResult(props: {
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
