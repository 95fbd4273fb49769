/** The button that calls a scene, and the outcome of the call for each device. */
import { Anchor, Button, Text } from "@mantine/core";
import type { Scene } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { devicesQuery } from "../../data/queries.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { OutcomeWord } from "../../kit/display/outcome.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { outcomeWords } from "../../kit/text/value-words.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./call.module.css";
import { doneDevices, failureGroups, type SceneCall } from "./use-scene-call.ts";

interface CallButtonProps {
  readonly scene: Pick<Scene, "id" | "alias" | "meta">;
  readonly call: SceneCall;
  /** True on the scene's page, where it is the primary action. */
  readonly isPrimary?: boolean;
}

export function CallButton({ scene, call, isPrimary = false }: CallButtonProps) {
  return (
    <Button
      size="md"
      variant={isPrimary ? "filled" : "default"}
      fullWidth
      loading={call.isPending}
      leftSection={<Icon name="play" />}
      aria-label={`Call scene: ${nameOf(scene)}`}
      onClick={call.call}
    >
      Call scene
    </Button>
  );
}

/** Number of entries at first; a button shows more. */
const FEW = 12;

interface CallResultProps {
  readonly environmentId: string;
  readonly call: SceneCall;
}

export function CallResult({ environmentId, call }: CallResultProps) {
  const { isPending, only, error, outcome } = call;
  return (
    <>
      <div role="status">
        {isPending && (
          <Text size="sm" c="dimmed">
            {only ? `Setting ${counted(only.length, "device")} again…` : "Setting the devices…"} Waiting for their
            answer.
          </Text>
        )}
        {!isPending && outcome && <Outcomes environmentId={environmentId} call={call} />}
      </div>
      {!isPending && error && <Failure error={error} />}
    </>
  );
}

function Outcomes({ environmentId, call }: CallResultProps) {
  const devices = useQuery(devicesQuery(useApi(), environmentId)).data ?? [];
  const titles = useTitles();
  const [isAll, setAll] = useState(false);
  const { outcome, again } = call;
  if (!outcome) return null;
  const { confirmed, failures } = outcome;
  const name = (id: string) => nameOf(devices.find((each) => each.id === id) ?? { id });
  const values = confirmed.length + failures.length;
  const done = doneDevices(outcome);
  const groups = failureGroups(failures);
  const shown = isAll ? groups : groups.slice(0, FEW);
  return (
    <div className={classes.outcomes}>
      <Text size="sm" fw={600}>
        {values === 0 && "This scene set nothing: no device has what it sets."}
        {values > 0 &&
          (failures.length === 0
            ? `Confirmed by ${done.length === 1 ? "the device" : `all ${done.length} devices`}.`
            : `Confirmed: ${confirmed.length} of ${counted(values, "value")}.`)}
      </Text>
      {failures.length > 0 && (
        <>
          <ul className={classes.failures} aria-label="Not confirmed">
            {shown.map(({ first, all }) => (
              <li key={`${first.deviceId} ${first.outcome} ${first.name} ${first.detail}`}>
                <Anchor
                  renderRoot={(props) => (
                    <Link
                      to="/environments/$environmentId/devices/$deviceId"
                      params={{ environmentId, deviceId: first.deviceId }}
                      {...props}
                    />
                  )}
                >
                  <NameText text={name(first.deviceId)} />
                </Anchor>{" "}
                (<bdi>{[...new Set(all.map((each) => titles.ofProperty(each.service, each.property)))].join(", ")}</bdi>
                ): <OutcomeWord outcome={first.outcome} />. {first.name}. {first.detail} {outcomeWords(first)}
              </li>
            ))}
          </ul>
          <div className={classes.ways}>
            <Button size="xs" variant="default" onClick={again}>
              Try those again
            </Button>
            {groups.length > shown.length && (
              <Button size="xs" variant="subtle" color="gray" onClick={() => setAll(true)}>
                Show all {groups.length}
              </Button>
            )}
          </div>
        </>
      )}
      {done.length > 0 && (
        <details className={classes.done}>
          <summary>Devices that have confirmed ({done.length.toLocaleString("en")})</summary>
          <ul className={classes.failures}>
            {done.map((id) => (
              <li key={id}>
                <NameText text={name(id)} />: confirmed
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
