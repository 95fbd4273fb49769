/** What is shown of the audit: by who did it, with what kind of object, when, and whose. The address has it. */
import { Group, Select } from "@mantine/core";
import { AUDIT_ACTORS, type AuditSearch } from "../../data/log-search.ts";
import { LogScope, withChosen } from "../../kit/forms/log-scope.tsx";
import { TimeRangeFields } from "../../kit/forms/time-range.tsx";
import { ACTOR_WORDS, KINDS } from "./audit-words.ts";

export interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
  /** Undefined where the account has one ecosystem. */
  readonly isOfAccount?: boolean;
}

export function AuditFilters({ search, onChange, isOfAccount }: AuditFiltersProps) {
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
