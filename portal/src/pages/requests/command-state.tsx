/** The command that a request made: what became known of it, and the device whose property it sets. */
import { Text } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { deviceQuery } from "../../data/queries.ts";
import { commandQuery } from "../../data/requests.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Id } from "../../kit/display/id.tsx";
import { OutcomeWord } from "../../kit/display/outcome.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Name } from "../../kit/text/name.tsx";

import { useApi } from "../../session/context.tsx";

export function CommandState({ commandId }: { readonly commandId: string }) {
  const { data, error } = useQuery(commandQuery(useApi(), commandId));
  return (
    <>
      <Id value={commandId} label="command ID" />
      {data && (
        <div>
          {data.outcome === undefined || data.outcome === "confirmed" ? (
            <StateWord tone={data.state === "confirmed" ? "good" : "none"}>{data.state}</StateWord>
          ) : (
            <OutcomeWord outcome={data.outcome} />
          )}{" "}
          <bdi>
            {data.service}:{data.index}.{data.property}
          </bdi>{" "}
          of <DeviceLink deviceId={data.deviceId} />
        </div>
      )}
      {error &&
        (isPorchlightError(error) && error.status === 404 ? (
          <Text size="sm" c="dimmed">
            The service no longer stores this command.
          </Text>
        ) : (
          <Failure error={error} />
        ))}
    </>
  );
}

function DeviceLink({ deviceId }: { readonly deviceId: string }) {
  const { data } = useQuery(deviceQuery(useApi(), deviceId));
  if (!data) return <Id value={deviceId} label="device ID" />;
  const { environmentId } = data;
  return (
    <Link to="/environments/$environmentId/devices/$deviceId" params={{ environmentId, deviceId }}>
      <Name of={data} />
    </Link>
  );
}
