/**
 * Lists everything besides sessions that has access to the account since a log-in the user recognizes, and revokes it singly or together.
 */
import { Select, Text } from "@mantine/core";
import type { AuditEntry, Grant } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { grantsQuery, pastLogInsQuery } from "../../data/subjects.ts";
import { Id } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { Age, timeOf } from "../../kit/text/age.tsx";
import { LastUsed } from "../../kit/text/token-times.tsx";
import { useApi } from "../../session/context.tsx";
import { ACTOR_WORDS } from "../audit-table.tsx";

const GRANT_WORDS: Readonly<Record<Grant["type"], string>> = {
  server_token: "Server key",
  user_token: "User token",
  client_token: "Hub",
  webhook: "Webhook",
  sink: "Sink",
};

/** The select's value for everything; a log-in's value is its time. */
const EVER = "ever";

export function AccessPage() {
  const [since, setSince] = useState(EVER);
  return (
    <Page
      title="Access"
      lead="Tokens, hubs, webhooks and sinks that have access to your account. They keep it when you change or reset the password. After a reset, choose the last session that you recognize, and end everything below that you do not."
    >
      <Since value={since} onChange={setSince} />
      <Given since={since === EVER ? undefined : since} />
    </Page>
  );
}

interface SinceProps {
  readonly value: string;
  readonly onChange: (since: string) => void;
}

function Since({ value, onChange }: SinceProps) {
  const logIns = useQuery(pastLogInsQuery(useApi()));
  return (
    <QueryView query={logIns}>
      {(entries) => (
        <Select
          label="Show what was created or changed since"
          maw="28rem"
          allowDeselect={false}
          value={value}
          onChange={(chosen) => onChange(chosen ?? EVER)}
          data={[{ value: EVER, label: "the account was created" }, ...choicesOf(entries)]}
        />
      )}
    </QueryView>
  );
}

/** Log-ins of the same second are one choice. */
function choicesOf(entries: readonly AuditEntry[]) {
  const byTime = new Map(entries.map((entry) => [entry.at, entry]));
  return [...byTime.values()].map(({ at, address }) => ({
    value: at,
    label: `the log-in on ${new Date(timeOf(at)).toLocaleString()}${address === undefined ? "" : ` from ${address}`}`,
  }));
}

function Given({ since }: { readonly since: string | undefined }) {
  const api = useApi();
  const queries = useQueryClient();
  const grants = useQuery(grantsQuery(api, since));
  const renew = () => queries.invalidateQueries({ queryKey: ["grants"] });
  const rows = grants.data ?? [];
  const endAll = rows.length > 0 && (
    <Confirm
      label="End all"
      title={`End all ${rows.length}?`}
      act={async () => {
        for (const grant of rows) await api.account.endGrant(grant);
      }}
      onDone={renew}
    >
      Every token in this list is revoked, and every webhook and sink in it is deleted. Hubs in it disconnect and must
      be paired again.
    </Confirm>
  );
  return (
    <Section title="Tokens, hubs, webhooks and sinks" actions={endAll}>
      <QueryView
        query={grants}
        isEmpty={({ length }) => length === 0}
        empty={<Nothing isSince={since !== undefined} />}
      >
        {(data) => (
          <DataTable
            label="list of what has access"
            rows={data.toReversed()}
            idOf={({ id }) => id}
            columns={[
              { name: "What", cell: (grant) => <What grant={grant} /> },
              { name: "Created", cell: (grant) => <When grant={grant} /> },
              { name: "Created by", cell: ({ madeBy }) => (madeBy ? ACTOR_WORDS[madeBy.type] : "–") },
              { name: "From", cell: ({ address }) => address ?? "–" },
              {
                name: "Last used",
                cell: ({ type, lastUsedAt }) => (type.endsWith("_token") ? <LastUsed at={lastUsedAt} /> : "–"),
              },
              { name: "Action", cell: (grant) => <End grant={grant} onDone={renew} /> },
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

function Nothing({ isSince }: { readonly isSince: boolean }) {
  if (isSince) return <Empty title="Nothing since then">Nothing was created or changed since that log-in.</Empty>;
  return <Empty title="Nothing else has access">Only your sessions have access to the account.</Empty>;
}

function What({ grant: { type, id, subjectId, alias } }: { readonly grant: Grant }) {
  return (
    <>
      <span>{GRANT_WORDS[type]}</span>
      {alias !== undefined && (
        <Text size="sm">
          <bdi>{alias}</bdi>
        </Text>
      )}
      <div>
        <Id value={subjectId ?? id} />
      </div>
    </>
  );
}

function When({ grant: { createdAt, changedAt } }: { readonly grant: Grant }) {
  return (
    <>
      <Age at={createdAt} />
      {changedAt !== undefined && (
        <Text size="sm" c="dimmed">
          changed <Age at={changedAt} />
        </Text>
      )}
    </>
  );
}

function End({ grant, onDone }: { readonly grant: Grant; readonly onDone: () => void }) {
  const api = useApi();
  const what = GRANT_WORDS[grant.type];
  return (
    <Confirm isInRow label="End" title={`${what}: end access?`} act={() => api.account.endGrant(grant)} onDone={onDone}>
      {grant.type === "client_token"
        ? "The hub disconnects at once. To connect it again, pair it again."
        : "It stops working at once. This cannot be undone."}
    </Confirm>
  );
}
