/** What the service has seen of the first steps, live. */
import { useQuery } from "@tanstack/react-query";
import { callersQuery, firstHubsQuery } from "../../data/first-look.ts";
import { webhooksQuery } from "../../data/queries.ts";
import { useApi } from "../../session/context.tsx";
import { type Done, doneOf } from "./steps.ts";

/** While a step is waited for that has no event, ms. */
const SOON = 3000;

/** @param isWatched whether the steps are looked at: then what has no event is asked for every few seconds */
export function useSeen(ecosystemId: string, isWatched: boolean) {
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
