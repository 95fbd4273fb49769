/** Why a write was not confirmed, what became of it, and what can be done: the control is back at what the device said. */
import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Failure } from "../../../kit/display/failure.tsx";
import { OutcomeWord } from "../../../kit/display/outcome.tsx";
import { RequestLink } from "../../../kit/display/request-link.tsx";
import { StateWord } from "../../../kit/display/state.tsx";
import { outcomeWords } from "../../../kit/text/value-words.ts";
import { useWrites } from "../../../live/context.tsx";
import { isContradicted } from "../../../live/contradicted.ts";
import { type Property, useDevicePage } from "../device/device-page-context.tsx";
import classes from "./property-row.module.css";

/** How long a change is kept for a hub when that is asked for here, seconds. */
const UNTIL_BACK = 3600;

export function Refused({
  property,
  words,
}: {
  readonly property: Property;
  readonly words: (value: unknown) => string;
}) {
  const writes = useWrites();
  const { answer } = useDevicePage();
  const { state, target, ask } = property;
  const inquiry = useMutation({ mutationFn: () => writes.inquire(target) });
  if (state.kind !== "refused") return null;
  const { refusal, asked, at } = state;
  const { name, detail, outcome, requestId, commandId } = refusal;
  // That nothing was sent stays true; that the device cannot be reached does not.
  const isOver = outcome !== "unknown" && isContradicted(name, at, answer);
  const value = words(asked).slice(0, 80);
  return (
    <div className={classes.refused} data-outcome={outcome ?? "not_sent"} role={isOver ? "status" : "alert"}>
      <div>
        {outcome === "confirmed" ? <StateWord tone="good">carried out</StateWord> : <OutcomeWord outcome={outcome} />}
      </div>
      <div>
        {isOver ? (
          <bdi>
            {value} was requested at {new Date(at).toLocaleTimeString()}, when the device could not be reached. It can
            be reached now.
          </bdi>
        ) : (
          <bdi>
            {name}: {value} was asked for. {detail} {outcomeWords(refusal)}
          </bdi>
        )}
      </div>
      {inquiry.data && (inquiry.data.state === "sent" || inquiry.data.state === "queued") && (
        <div>The service does not know yet. The command is {inquiry.data.state}.</div>
      )}
      {inquiry.error && <Failure error={inquiry.error} />}
      <Group gap="xs">
        {outcome !== "rejected" && (
          <Button size="compact-sm" variant="default" onClick={() => ask(asked)}>
            Try again
          </Button>
        )}
        {name === "Hub Offline" && !isOver && (
          <Button size="compact-sm" variant="default" onClick={() => ask(asked, { ttlSeconds: UNTIL_BACK })}>
            Set when the hub is back (within 1 h)
          </Button>
        )}
        {outcome === "unknown" && commandId !== undefined && (
          <Button size="compact-sm" variant="default" loading={inquiry.isPending} onClick={() => inquiry.mutate()}>
            Check result
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => writes.dismiss(target)}>
          Dismiss
        </Button>
        {requestId !== undefined && <RequestLink requestId={requestId} />}
      </Group>
    </div>
  );
}
