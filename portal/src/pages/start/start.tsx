/** The first page: the first steps until a hub is connected, then the overview. */
import { Button } from "@mantine/core";
import type { Ecosystem, Environment } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { webhooksQuery } from "../../data/queries.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Loading } from "../../kit/display/query-view.tsx";
import { useApi } from "../../session/context.tsx";
import { callersQuery, type Done, doneOf, firstHubsQuery } from "./first-look.ts";
import { FirstSteps } from "./first-steps.tsx";
import { Overview } from "./overview.tsx";

interface StartProps {
  readonly ecosystem: Ecosystem | undefined;
  readonly environment: Environment | undefined;
}

export function StartPage({ ecosystem, environment }: StartProps) {
  return ecosystem ? (
    <Start key={ecosystem.id} ecosystemId={ecosystem.id} environment={environment} />
  ) : (
    <Page title="Start">
      <Loading />
    </Page>
  );
}

/** Storage key in this browser: the user has hidden the first steps, or had a hub on arrival. It is not secret. */
const putAwayKey = (ecosystemId: string) => `porchlight-first-steps-${ecosystemId}`;

interface Props {
  readonly ecosystemId: string;
  readonly environment: Environment | undefined;
}

function Start({ ecosystemId, environment }: Props) {
  const [isPutAway, setPutAway] = useState(() => localStorage.getItem(putAwayKey(ecosystemId)) !== null);
  const seen = useSeen(ecosystemId, !isPutAway);
  const { done } = seen;
  const [isSettled, setSettled] = useState(false);
  const putAway = useCallback(
    (isAway: boolean) => {
      if (isAway) localStorage.setItem(putAwayKey(ecosystemId), "away");
      else localStorage.removeItem(putAwayKey(ecosystemId));
      setPutAway(isAway);
    },
    [ecosystemId],
  );
  // A user who sees the hub's step completed stays on the page; later visits show the overview.
  useEffect(() => {
    if (!done || isSettled) return;
    setSettled(true);
    if (done.hub) putAway(true);
  }, [done, isSettled, putAway]);
  if (isPutAway)
    return (
      <Page
        title="Overview"
        actions={
          <Button variant="subtle" color="gray" size="xs" onClick={() => putAway(false)}>
            First steps
          </Button>
        }
      >
        <Overview ecosystemId={ecosystemId} environment={environment} />
      </Page>
    );
  const failed = [seen.callers, seen.hubs, seen.webhooks].find(({ error }) => error !== null);
  return (
    <Page
      title="First steps"
      lead="Connect a hub to see and control a home. Each step is checked off when the service sees that it is done."
      actions={
        <Button variant="default" size="xs" onClick={() => putAway(true)}>
          {done?.hub ? "Go to overview" : "Dismiss"}
        </Button>
      }
    >
      {failed && <Failure error={failed.error} retry={() => void failed.refetch()} />}
      {done && isSettled ? (
        <FirstSteps ecosystemId={ecosystemId} environment={environment} callers={seen.callers.data} done={done} />
      ) : (
        !failed && <Loading />
      )}
    </Page>
  );
}

/** Poll interval in ms while a step without events is pending. */
const SOON = 3000;

/**
 * The live progress of the first steps.
 * @param isWatched whether the steps are visible: data without events is then polled every few seconds
 */
function useSeen(ecosystemId: string, isWatched: boolean) {
  const api = useApi();
  const callers = useQuery({
    ...callersQuery(api, ecosystemId),
    refetchInterval: ({ state }) =>
      isWatched && !state.data?.tokens.some(({ lastUsedAt }) => lastUsedAt !== undefined) ? SOON : 30_000,
  });
  const hubs = useQuery({ ...firstHubsQuery(api), enabled: isWatched });
  const webhooks = useQuery({
    ...webhooksQuery(api, ecosystemId),
    refetchInterval: ({ state }) => (isWatched && state.data?.length === 0 ? SOON : 30_000),
  });
  const { data: called } = callers;
  const done: Done | undefined =
    called && hubs.data && webhooks.data
      ? doneOf({ tokens: called.tokens, hubs: hubs.data, webhooks: webhooks.data })
      : undefined;
  return { callers, hubs, webhooks, done };
}
