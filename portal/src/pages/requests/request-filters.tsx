/** What is shown of the request log: by status, token and whose. The address has it, so that it can be passed on. */
import { Autocomplete, Group, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { namedTokensQuery, tokenName } from "../../data/named-tokens.ts";
import { ownLogInQuery } from "../../data/subjects.ts";
import { useApi } from "../../session/context.tsx";

export interface RequestFilters {
  readonly request?: string | undefined;
  readonly status?: number | undefined;
  readonly token?: string | undefined;
  /** Of the whole account. */
  readonly all?: boolean | undefined;
  /** With what this portal itself changed and was refused. */
  readonly own?: boolean | undefined;
}

/** Those that are asked for most often. */
const STATUSES = [
  "400",
  "401",
  "403",
  "404",
  "409",
  "412",
  "422",
  "429",
  "500",
  "502",
  "503",
  "504",
  "200",
  "201",
  "202",
];

export interface RequestsFilterProps {
  readonly ecosystemId: string;
  readonly filters: RequestFilters;
  readonly onChange: (change: Partial<RequestFilters>) => void;
  /** Undefined where the account has one ecosystem. */
  readonly isOfAccount?: boolean;
}

export function RequestsFilter({ ecosystemId, filters, onChange, isOfAccount }: RequestsFilterProps) {
  const api = useApi();
  const { data } = useQuery(namedTokensQuery(api, ecosystemId));
  const { data: logIn } = useQuery(ownLogInQuery(api));
  const tokens = data?.tokens.map((token) => ({
    value: token.id,
    label: `${token.id === logIn?.id ? "this log-in" : tokenName(token)}, …${token.id.slice(-6)}`,
  }));
  return (
    <Group gap="sm" align="flex-end">
      <StatusField status={filters.status} onChange={(status) => onChange({ status })} />
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
        clearButtonProps={{ "aria-label": "Any token" }}
      />
      <RequestIdField onFind={(request) => onChange({ request })} />
      {isOfAccount !== undefined && (
        <SegmentedControl
          size="xs"
          aria-label="Whose"
          data={[
            { value: "one", label: "This ecosystem" },
            { value: "all", label: "The whole account" },
          ]}
          value={isOfAccount ? "all" : "one"}
          onChange={(value) => onChange({ all: value === "all" || undefined })}
        />
      )}
    </Group>
  );
}

type Choice = { readonly value: string; readonly label: string };

/** A token that was revoked, or is of somebody who is not in the list, can be in an address all the same. */
function withChosen(choices: readonly Choice[], chosen: string | undefined): Choice[] {
  const isThere = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isThere ? [...choices] : [...choices, { value: chosen, label: chosen }];
}

function StatusField(props: {
  readonly status: number | undefined;
  readonly onChange: (status: number | undefined) => void;
}) {
  const [text, setText] = useState(props.status === undefined ? "" : String(props.status));
  const isOne = /^[1-5]\d\d$/.test(text);
  return (
    <Autocomplete
      size="xs"
      label="Status"
      placeholder="Any"
      inputMode="numeric"
      data={STATUSES}
      maxLength={3}
      value={text}
      clearable
      clearButtonProps={{ "aria-label": "Any status" }}
      error={text !== "" && text.length === 3 && !isOne && "100 to 599"}
      onChange={(next) => {
        setText(next);
        if (next === "") props.onChange(undefined);
        else if (/^[1-5]\d\d$/.test(next)) props.onChange(Number(next));
      }}
      w="8rem"
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
