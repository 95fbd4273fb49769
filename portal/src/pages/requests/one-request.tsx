/** The request that an error refers to. The log is written with a delay, so the page polls until the request must be there. */
import { Anchor, Text } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";
import type { LoggedRequest } from "@porchlight/shared/api";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { deviceQuery } from "../../data/queries.ts";
import { commandQuery, requestsQuery } from "../../data/requests.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock, Id } from "../../kit/display/id.tsx";
import { OutcomeWord } from "../../kit/display/outcome.tsx";
import { Section } from "../../kit/display/page.tsx";
import { Empty, Loading } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { Age, useNow } from "../../kit/text/age.tsx";
import { errorPage } from "../../kit/text/documents.ts";
import { Name, NameText } from "../../kit/text/name.tsx";
import { tookOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { Status, useTokenNames } from "./request-table.tsx";

/** How long the page polls, in ms: the service writes the log within ten seconds. */
const PATIENCE = 15_000;
const LOOK_AGAIN = 1500;

interface OneRequestProps {
  readonly ecosystemId: string;
  readonly requestId: string;
}

export function OneRequest({ ecosystemId, requestId }: OneRequestProps) {
  const [since] = useState(() => Date.now());
  const isPatient = useNow() - since < PATIENCE;
  const query = useInfiniteQuery({
    // Searches all ecosystems, because the ID is unique.
    ...requestsQuery(useApi(), { ecosystemId: undefined, requestId }),
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.items.length || !isPatient ? false : LOOK_AGAIN),
  });
  const { data, error } = query;
  const found = data?.pages.flatMap(({ items }) => items) ?? [];
  const back = (
    <Anchor renderRoot={(props) => <Link to="/ecosystems/$ecosystemId/requests" params={{ ecosystemId }} {...props} />}>
      All requests
    </Anchor>
  );
  return (
    <>
      <div>{back}</div>
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {found.map((row) => (
        <Shown key={`${row.at} ${row.path} ${row.durationMs}`} row={row} ecosystemId={ecosystemId} />
      ))}
      {found.length === 0 && !error && (
        <div role="status">
          {isPatient ? (
            <>
              <Text mb="sm">Looking for {requestId}. Requests appear here after up to ten seconds.</Text>
              <Loading />
            </>
          ) : (
            <Empty title="Request not found">
              There is no request <code className="mono">{requestId}</code> of this account in the last{" "}
              {durationWords(SERVICE_TIMES.requestsKept)}. Requests without a valid token are in no account's log. The
              operator of the service finds them in the service's log.
            </Empty>
          )}
        </div>
      )}
    </>
  );
}

function Shown({ row, ecosystemId }: { readonly row: LoggedRequest; readonly ecosystemId: string }) {
  const names = useTokenNames(ecosystemId);
  const { id, at, method, route, path, status, durationMs, tokenId, problem, problemBody, commandId } = row;
  return (
    <Section title={`${method} ${route}`}>
      <Facts>
        <Fact name="Status">
          <Status status={status} />
        </Fact>
        <Fact name="Error">
          {problem && (
            <>
              {problem}: <Anchor href={errorPage(problem)}>cause and solution</Anchor>
            </>
          )}
        </Fact>
        <Fact name="Path">
          <bdi className="mono">{path}</bdi>
        </Fact>
        <Fact name="Time">
          <Age at={at} /> ({at})
        </Fact>
        <Fact name="Duration">{tookOf(durationMs)}</Fact>
        <Fact name="Token">{tokenId === undefined ? "none" : <NameText text={names(tokenId)} />}</Fact>
        <Fact name="Token ID">{tokenId && <Id value={tokenId} label="token ID" />}</Fact>
        <Fact name="Request ID">
          <Id value={id} label="request ID" />
        </Fact>
        <Fact name="Command">{commandId && <CommandState commandId={commandId} />}</Fact>
      </Facts>
      {problemBody && (
        <>
          <Text size="sm" c="dimmed">
            Response body, without secrets
          </Text>
          <CodeBlock code={JSON.stringify(problemBody, null, 2)} label="response body" />
        </>
      )}
    </Section>
  );
}

/** The command that a request created: its state, and the device of its property. */
function CommandState({ commandId }: { readonly commandId: string }) {
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
