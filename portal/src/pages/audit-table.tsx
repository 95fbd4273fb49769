/** The table of audit entries. */
import { Text } from "@mantine/core";
import type { AuditEntry } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { serversQuery, usersQuery } from "../data/queries.ts";
import { Id } from "../kit/display/id.tsx";
import { DataTable } from "../kit/display/table.tsx";
import { Age } from "../kit/text/age.tsx";
import { NameText } from "../kit/text/name.tsx";
import { cut, nameOf, shortId } from "../kit/text/names.ts";
import { useApi } from "../session/context.tsx";

interface AuditTableProps {
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

/** Returns the name of a user or server key by its ID; a shortened ID when it is deleted or belongs to another ecosystem. */
function useSubjectNames(ecosystemId: string): (id: string) => string {
  const api = useApi();
  const { data: users = [] } = useQuery(usersQuery(api, ecosystemId));
  const { data: servers = [] } = useQuery(serversQuery(api, ecosystemId));
  return (id) => {
    const found = [...users, ...servers].find((each) => each.id === id);
    const name = found ? nameOf(found) : id;
    return name === id ? shortId(id) : name;
  };
}

/** Labels of the audit's kinds of actors. */
type ActorType = AuditEntry["actor"]["type"];

export const ACTOR_WORDS: Readonly<Record<string, string>> = {
  account: "Account",
  server: "Server key",
  user: "User",
  client: "Hub",
  service: "The service",
  unknown: "Unknown",
} satisfies Readonly<Record<ActorType, string>>;

/** Kinds of objects in the audit, by the part of the action before the dot. */
export const KINDS = [
  { value: "login", label: "Sessions" },
  { value: "account", label: "Account" },
  { value: "password", label: "Passwords" },
  { value: "session", label: "Portal log-ins" },
  { value: "token", label: "Tokens" },
  { value: "ecosystem", label: "Ecosystems" },
  { value: "environment", label: "Environments" },
  { value: "zone", label: "Zones" },
  { value: "device", label: "Devices" },
  { value: "client", label: "Hubs" },
  { value: "pairing", label: "Pairings" },
  { value: "user", label: "Users" },
  { value: "access", label: "User access" },
  { value: "server", label: "Server keys" },
  { value: "webhook", label: "Webhooks" },
];

/** Formats an entry's details: "reason failing, count 3". */
function detailText(detail: AuditEntry["detail"]): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
