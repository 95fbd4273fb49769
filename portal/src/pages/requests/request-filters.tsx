/** The filters of the request log: status, method, path, time, token and scope. The address stores them, so that they can be shared. */
import { Group, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { RequestsSearch } from "../../data/log-search.ts";
import { namedTokensQuery, ownLogInQuery, tokenName } from "../../data/subjects.ts";
import { LogScope, TimeRangeFields, withChosen } from "../../kit/forms/log-filters.tsx";
import { useApi } from "../../session/context.tsx";

type Filters = Pick<RequestsSearch, "status" | "method" | "path" | "since" | "until" | "token">;

/** Status classes, and the statuses that people search most. */
const STATUSES = [
  { value: "2xx", label: "2xx succeeded" },
  { value: "4xx", label: "4xx client error" },
  { value: "5xx", label: "5xx server error" },
  ...["400", "401", "403", "404", "409", "412", "422", "429", "500", "502", "503", "504"].map((value) => ({
    value,
    label: value,
  })),
];
const METHODS = ["GET", "PUT", "POST", "PATCH", "DELETE"];

interface RequestsFilterProps {
  readonly ecosystemId: string;
  readonly filters: Filters;
  readonly onChange: (change: RequestsSearch) => void;
  /** Undefined when the account has only one ecosystem. */
  readonly isOfAccount?: boolean;
}

export function RequestsFilter({ ecosystemId, filters, onChange, isOfAccount }: RequestsFilterProps) {
  const api = useApi();
  const { data } = useQuery(namedTokensQuery(api, ecosystemId));
  const { data: logIn } = useQuery(ownLogInQuery(api));
  const tokens = data?.tokens.map((token) => ({
    value: token.id,
    label: `${token.id === logIn?.id ? "this session" : tokenName(token)}, …${token.id.slice(-6)}`,
  }));
  return (
    <Group gap="sm" align="flex-end">
      <Select
        size="xs"
        label="Status"
        placeholder="Any"
        data={withChosen(STATUSES, filters.status)}
        value={filters.status ?? null}
        onChange={(value) => onChange({ status: value ?? undefined })}
        clearable
        searchable
        w="9rem"
        clearButtonProps={{ "aria-label": "Clear: any status" }}
      />
      <Select
        size="xs"
        label="Method"
        placeholder="Any"
        data={METHODS}
        value={filters.method ?? null}
        onChange={(value) => onChange({ method: value ?? undefined })}
        clearable
        w="8rem"
        clearButtonProps={{ "aria-label": "Clear: any method" }}
      />
      <PathField path={filters.path} onChange={(path) => onChange({ path })} />
      <TimeRangeFields range={filters} onChange={onChange} />
      <Select
        size="xs"
        label="Token"
        placeholder="Any"
        data={withChosen(tokens ?? [], filters.token)}
        value={filters.token ?? null}
        onChange={(value) => onChange({ token: value ?? undefined })}
        clearable
        searchable
        limit={200}
        miw="16rem"
        clearButtonProps={{ "aria-label": "Clear: any token" }}
      />
      <RequestIdField onFind={(request) => onChange({ request })} />
      {isOfAccount !== undefined && <LogScope isOfAccount={isOfAccount} onChange={onChange} />}
    </Group>
  );
}

function PathField(props: {
  readonly path: string | undefined;
  readonly onChange: (path: string | undefined) => void;
}) {
  const [text, setText] = useState(props.path ?? "");
  const submit = () => props.onChange(text.trim() || undefined);
  return (
    <TextInput
      size="xs"
      label="Path"
      placeholder="Part of a path, then Enter"
      autoComplete="off"
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === "Enter" && submit()}
      onBlur={submit}
    />
  );
}

function RequestIdField({ onFind }: { readonly onFind: (requestId: string) => void }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== "") onFind(text);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        label="Request ID"
        placeholder="x-request-id, then Enter"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value.trim())}
      />
    </form>
  );
}
