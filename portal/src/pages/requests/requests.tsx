/** The request log: API requests and their responses, newest first, or the single request that an error refers to. */
import { Button, Group, Switch, Text } from "@mantine/core";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { RequestsSearch } from "../../data/log-search.ts";
import { ecosystemsQuery } from "../../data/queries.ts";
import { requestsQuery } from "../../data/requests.ts";
import { ownLogInQuery } from "../../data/subjects.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, Loading } from "../../kit/display/query-view.tsx";
import { ConsoleCommand } from "../../kit/display/shell-commands.tsx";
import { CONSOLE_COMMANDS } from "../../kit/text/shell-commands.ts";
import { useApi } from "../../session/context.tsx";
import { OneRequest } from "./one-request.tsx";
import { RequestsFilter } from "./request-filters.tsx";
import { RequestTable } from "./request-table.tsx";

const KEPT = durationWords(SERVICE_TIMES.requestsKept);

const route = getRouteApi("/inside/ecosystems/$ecosystemId/requests");

export function RequestsPage() {
  const { ecosystemId } = route.useParams();
  const { request } = route.useSearch();
  return (
    <Page
      title="Requests"
      lead={`API requests of the last ${KEPT}. Failed ones have their response body, without secrets. Requests by which the portal only reads are not logged. New requests appear after about ten seconds.`}
    >
      {request === undefined ? (
        <Requests ecosystemId={ecosystemId} />
      ) : (
        <OneRequest ecosystemId={ecosystemId} requestId={request} key={request} />
      )}
    </Page>
  );
}

function Requests({ ecosystemId }: { readonly ecosystemId: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (change: RequestsSearch) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const api = useApi();
  const { status, method, path, since, until, token: tokenId, all, own = false } = search;
  const { data: ecosystems = [] } = useQuery(ecosystemsQuery(api));
  const { data: logIn } = useQuery(ownLogInQuery(api));
  // With a single ecosystem, the log of the account is that of the ecosystem.
  const isOfAccount = all === true || ecosystems.length < 2;
  const query = useInfiniteQuery(
    requestsQuery(api, {
      ecosystemId: isOfAccount ? undefined : ecosystemId,
      status,
      method,
      path,
      since,
      until,
      tokenId,
    }),
  );
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = query;
  const found = data?.pages.flatMap(({ items }) => items) ?? [];
  const hidesOwn = !own && tokenId === undefined;
  const rows = hidesOwn ? found.filter((each) => each.tokenId !== logIn?.id) : found;
  const hidden = found.length - rows.length;
  const isFiltered = [status, method, path, since, until, tokenId].some((each) => each !== undefined);
  return (
    <>
      <RequestsFilter
        ecosystemId={ecosystemId}
        filters={search}
        onChange={choose}
        {...(ecosystems.length > 1 && { isOfAccount })}
      />
      <Switch
        size="sm"
        label="Include changes and errors of this portal"
        checked={own}
        disabled={tokenId !== undefined}
        onChange={(event) => choose({ own: event.currentTarget.checked || undefined })}
      />
      {isPending && <Loading />}
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {data && rows.length === 0 && <NoRequests ecosystemId={ecosystemId} isFiltered={isFiltered} hidden={hidden} />}
      {rows.length > 0 && <RequestTable ecosystemId={ecosystemId} rows={rows} />}
      {hasNextPage && (
        <Group gap="sm">
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older requests
          </Button>
          <Text size="sm" c="dimmed">
            {found.length} requests searched
            {hidden > 0 && `, ${hidden} of them by this portal`}.
          </Text>
        </Group>
      )}
    </>
  );
}

interface NoRequestsProps {
  readonly ecosystemId: string;
  readonly isFiltered: boolean;
  /** Number of hidden requests of this portal. */
  readonly hidden: number;
}

function NoRequests({ ecosystemId, isFiltered, hidden }: NoRequestsProps) {
  if (isFiltered) return <Empty title="No matching requests">No request of the last {KEPT} matches the filters.</Empty>;
  return (
    <Empty
      command={
        <ConsoleCommand command={CONSOLE_COMMANDS.requests(ecosystemId)}>To send a first request, run:</ConsoleCommand>
      }
      title={hidden > 0 ? "Only requests by this portal" : "No requests yet"}
    >
      Requests by your programs appear here about ten seconds later, with route, status and duration.
    </Empty>
  );
}
