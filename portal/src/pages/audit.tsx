/** The audit log: who changed what, when and from where, newest first. */
import { Button, Group, Select } from "@mantine/core";
import { durationWords, SERVICE_TIMES } from "@porchlight/shared/presentation";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { AUDIT_ACTORS, type AuditSearch } from "../data/log-search.ts";
import { ecosystemsQuery } from "../data/queries.ts";
import { auditQuery } from "../data/requests.ts";
import { Failure } from "../kit/display/failure.tsx";
import { Page } from "../kit/display/page.tsx";
import { Empty, Loading } from "../kit/display/query-view.tsx";
import { ConsoleCommand } from "../kit/display/shell-commands.tsx";
import { LogScope, TimeRangeFields, withChosen } from "../kit/forms/log-filters.tsx";
import { CONSOLE_COMMANDS } from "../kit/text/shell-commands.ts";
import { useApi } from "../session/context.tsx";
import { ACTOR_WORDS, AuditTable, KINDS } from "./audit-table.tsx";

const KEPT = durationWords(SERVICE_TIMES.auditKept);

const route = getRouteApi("/inside/ecosystems/$ecosystemId/audit");

export function AuditPage() {
  const { ecosystemId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (change: AuditSearch) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const api = useApi();
  const { data: ecosystems = [] } = useQuery(ecosystemsQuery(api));
  const { actor, kind, since, until, all } = search;
  // Actions on the account itself belong to no ecosystem.
  const isOfAccount = all === true || ecosystems.length < 2;
  const asked = { actor, since, until, ...(kind !== undefined && { action: `${kind}.*` }) };
  const query = useInfiniteQuery(auditQuery(api, { ecosystemId: isOfAccount ? undefined : ecosystemId, ...asked }));
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = query;
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = [actor, kind, since, until].some((each) => each !== undefined);
  return (
    <Page
      title="Audit"
      lead={`Who changed what, when and from where. Entries are kept for ${KEPT} and cannot be edited. Property values that were set are not listed here: see Requests for their commands. Only the account can read the audit log, not its users or server keys.`}
    >
      <AuditFilters search={search} onChange={choose} {...(ecosystems.length > 1 && { isOfAccount })} />
      {isPending && <Loading />}
      {error && <Failure error={error} retry={() => void query.refetch()} />}
      {data && rows.length === 0 && <NoChanges ecosystemId={ecosystemId} isFiltered={isFiltered} />}
      {rows.length > 0 && <AuditTable ecosystemId={ecosystemId} rows={rows} />}
      {hasNextPage && (
        <Group>
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older entries
          </Button>
        </Group>
      )}
    </Page>
  );
}

function NoChanges({ ecosystemId, isFiltered }: { readonly ecosystemId: string; readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching changes">No change of the last {KEPT} matches the filters.</Empty>;
  return (
    <Empty
      command={
        <ConsoleCommand command={CONSOLE_COMMANDS.audit(ecosystemId)}>To list them in a terminal, run:</ConsoleCommand>
      }
      title="No changes yet"
    >
      Changes to your ecosystem, such as a new hub or user, appear here at once.
    </Empty>
  );
}

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
  /** Undefined when the account has only one ecosystem. */
  readonly isOfAccount?: boolean;
}

/** The filters of the audit log: actor, kind of object, time and scope. The address stores them. */
function AuditFilters({ search, onChange, isOfAccount }: AuditFiltersProps) {
  const { actor, kind } = search;
  return (
    <Group gap="sm" align="flex-end">
      <Select
        size="xs"
        label="Changed by"
        placeholder="Anyone"
        data={AUDIT_ACTORS.map((value) => ({ value, label: ACTOR_WORDS[value] ?? value }))}
        value={actor ?? null}
        onChange={(value) => onChange({ actor: AUDIT_ACTORS.find((each) => each === value) })}
        clearable
        clearButtonProps={{ "aria-label": "Clear: anyone" }}
      />
      <Select
        size="xs"
        label="Changed object"
        placeholder="Anything"
        data={withChosen(KINDS, kind)}
        value={kind ?? null}
        onChange={(value) => onChange({ kind: value ?? undefined })}
        clearable
        searchable
        clearButtonProps={{ "aria-label": "Clear: anything" }}
      />
      <TimeRangeFields range={search} onChange={onChange} />
      {isOfAccount !== undefined && <LogScope isOfAccount={isOfAccount} onChange={onChange} />}
    </Group>
  );
}
