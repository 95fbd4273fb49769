/** The table of requests. */
import { Anchor, Text } from "@mantine/core";
import type { LoggedRequest } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { namedTokensQuery, ownLogInQuery, tokenName } from "../../data/subjects.ts";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { errorPage } from "../../kit/text/documents.ts";
import { cut, shortId } from "../../kit/text/names.ts";
import { tookOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./request-table.module.css";

interface RequestTableProps {
  readonly ecosystemId: string;
  readonly rows: readonly LoggedRequest[];
}

export function RequestTable({ ecosystemId, rows }: RequestTableProps) {
  const names = useTokenNames(ecosystemId);
  return (
    <DataTable
      label="Requests"
      rows={rows}
      // A client can choose its own request ID, so IDs are not unique.
      idOf={(row) => `${row.id} ${row.at} ${row.path} ${row.durationMs}`}
      columns={[
        { name: "Status", cell: (row) => <Status status={row.status} /> },
        { name: "Request", isWide: true, cell: (row) => <Asked row={row} /> },
        {
          name: "Error",
          cell: ({ problem }) => (problem ? <Anchor href={errorPage(problem)}>{problem}</Anchor> : "–"),
        },
        { name: "Duration", isNumber: true, cell: ({ durationMs }) => tookOf(durationMs) },
        { name: "Time", cell: ({ at }) => <Age at={at} /> },
        {
          name: "Token",
          cell: ({ tokenId }) => (tokenId ? <bdi title={tokenId}>{names(tokenId)}</bdi> : "none"),
        },
        { name: "Request ID", cell: ({ id }) => <RequestLink ecosystemId={ecosystemId} id={id} /> },
      ]}
    />
  );
}

export function Status({ status }: { readonly status: number }) {
  return <StateWord tone={status >= 500 ? "bad" : status >= 400 ? "warn" : "good"}>{status}</StateWord>;
}

/** Shows the path, which identifies the object; the route is the same for all objects of a kind. */
function Asked({ row: { method, path, route } }: { readonly row: LoggedRequest }) {
  const shown = decoded(path);
  return (
    <>
      <span className="mono">
        {method} <bdi title={shown}>{cut(shown, 120)}</bdi>
      </span>
      {route !== path && (
        <Text size="xs" c="dimmed" className="mono">
          {route}
        </Text>
      )}
    </>
  );
}

/** The percent-decoded path, when it is valid. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function RequestLink({ ecosystemId, id }: { readonly ecosystemId: string; readonly id: string }) {
  return (
    <Anchor
      className={`mono ${classes.id}`}
      size="sm"
      title={id}
      renderRoot={(props) => (
        <Link to="/ecosystems/$ecosystemId/requests" params={{ ecosystemId }} search={{ request: id }} {...props} />
      )}
    >
      {cut(id, 24)}
    </Anchor>
  );
}

/** Returns a token's name by its ID; a shortened ID when the owner is unknown or the token is revoked. */
export function useTokenNames(ecosystemId: string): (tokenId: string) => string {
  const api = useApi();
  const { data } = useQuery(namedTokensQuery(api, ecosystemId));
  const { data: logIn } = useQuery(ownLogInQuery(api));
  return (tokenId) => {
    if (tokenId === logIn?.id) return "this session";
    const known = data?.tokens.find(({ id }) => id === tokenId);
    return known ? tokenName(known) : shortId(tokenId);
  };
}
