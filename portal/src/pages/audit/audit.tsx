/** The audit: who changed what, when and from where, newest first. */
import { Button, Group } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AuditSearch } from "../../data/log-search.ts";
import { ecosystemsQuery } from "../../data/queries.ts";
import { auditQuery } from "../../data/requests.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, Loading } from "../../kit/display/query-view.tsx";
import { useApi } from "../../session/context.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/audit");

export function AuditPage() {
  const { ecosystemId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (change: AuditSearch) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const api = useApi();
  const { data: ecosystems = [] } = useQuery(ecosystemsQuery(api));
  const { actor, kind, since, until, all } = search;
  // What is done with the account itself belongs to no ecosystem.
  const isOfAccount = all === true || ecosystems.length < 2;
  const asked = { actor, since, until, ...(kind !== undefined && { action: `${kind}.*` }) };
  const query = useInfiniteQuery(auditQuery(api, { ecosystemId: isOfAccount ? undefined : ecosystemId, ...asked }));
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = query;
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = [actor, kind, since, until].some((each) => each !== undefined);
  return (
    <Page
      title="Audit"
      lead="Who changed what, when and from where, newest first. Entries are kept for 400 days and cannot be changed. A property that was set is not here: its record is the command. Users and server keys cannot read the audit: only the account can."
    >
      <AuditFilters search={search} onChange={choose} {...(ecosystems.length > 1 && { isOfAccount })} />
      {isPending && <Loading />}
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {data && rows.length === 0 && (
        <Empty title={isFiltered ? "No change like that" : "No change yet"}>
          {isFiltered
            ? "Nothing in the last 400 days matches the filters."
            : "As soon as somebody changes something, it stands here."}
        </Empty>
      )}
      {rows.length > 0 && <AuditTable ecosystemId={ecosystemId} rows={rows} />}
      {hasNextPage && (
        <Group>
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older ones
          </Button>
        </Group>
      )}
    </Page>
  );
}
