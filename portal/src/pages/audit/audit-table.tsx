/** Audit entries, a row each. */
import { Text } from "@mantine/core";
import type { AuditEntry } from "@porchlight/shared/api";
import { Id } from "../../kit/display/id.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { cut } from "../../kit/text/names.ts";
import { ACTOR_WORDS, detailText } from "./audit-words.ts";
import { useSubjectNames } from "./use-subject-names.ts";

export interface AuditTableProps {
  readonly ecosystemId: string;
  readonly rows: readonly AuditEntry[];
}

export function AuditTable({ ecosystemId, rows }: AuditTableProps) {
  return (
    <DataTable
      label="Changes"
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        { name: "Time", cell: ({ at }) => <Age at={at} /> },
        { name: "Change", isWide: true, cell: (entry) => <What entry={entry} /> },
        { name: "Changed by", cell: ({ actor }) => <Actor ecosystemId={ecosystemId} actor={actor} /> },
        {
          name: "From",
          cell: ({ address }) => (address === undefined ? "–" : <span className="mono">{address}</span>),
        },
        {
          name: "Object",
          cell: ({ objectId }) => (objectId === undefined ? "–" : <Id value={objectId} label="object ID" />),
        },
      ]}
    />
  );
}

function What({ entry: { action, detail } }: { readonly entry: AuditEntry }) {
  const text = detailText(detail);
  return (
    <>
      <span className="mono">{action}</span>
      {text !== "" && (
        <Text size="xs" c="dimmed" title={text}>
          <bdi>{cut(text, 160)}</bdi>
        </Text>
      )}
    </>
  );
}

function Actor({ ecosystemId, actor }: { readonly ecosystemId: string; readonly actor: AuditEntry["actor"] }) {
  const names = useSubjectNames(ecosystemId);
  const { type, id } = actor;
  return (
    <>
      {ACTOR_WORDS[type] ?? type}
      {id !== undefined && type !== "account" && (
        <Text size="xs" c="dimmed" title={id}>
          <NameText text={names(id)} />
        </Text>
      )}
    </>
  );
}
