/** Which versions of the API each token asks for, so that no client is left behind when one ends. */
import { Text } from "@mantine/core";
import type { Token } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { type NamedToken, namedTokensQuery } from "../../data/named-tokens.ts";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Age } from "../../kit/text/age.tsx";
import { NameText } from "../../kit/text/name.tsx";
import { shortId } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { useTokenNames } from "../requests/use-token-names.ts";

interface Row {
  readonly token: NamedToken;
  readonly use: NonNullable<Token["versions"]>[number];
}

export function Versions({ ecosystemId }: { readonly ecosystemId: string }) {
  const tokens = useQuery(namedTokensQuery(useApi(), ecosystemId));
  const names = useTokenNames(ecosystemId);
  return (
    <Section
      title="API versions in use"
      lead="The version that each server key and user token requests, with the header x-api-version or in the path. v0 is the only version. An old version is supported for about a year after a newer one is released."
    >
      <QueryView query={tokens} isEmpty={(data) => rowsOf(data.tokens).length === 0} empty={<NoCalls />}>
        {(data) => (
          <>
            <DataTable
              label="Tokens and their versions"
              rows={rowsOf(data.tokens)}
              idOf={({ token, use }) => `${token.id} ${use.via} ${use.version ?? ""}`}
              columns={[
                {
                  name: "Token",
                  cell: ({ token }) => (
                    <>
                      <NameText text={names(token.id)} />
                      <Text size="xs" c="dimmed" className="mono" title={token.id}>
                        {shortId(token.id)}
                      </Text>
                    </>
                  ),
                },
                { name: "Version", cell: ({ use }) => use.version ?? "not given: newest" },
                { name: "Given in", cell: ({ use }) => use.via },
                { name: "Requests", isNumber: true, cell: ({ use }) => use.count.toLocaleString("en") },
                { name: "First seen", cell: ({ use }) => <Age at={use.firstSeenAt} /> },
                { name: "Last seen", cell: ({ use }) => <Age at={use.lastSeenAt} /> },
              ]}
            />
            {data.isCut && (
              <Text size="sm" c="dimmed">
                Shows the first 50 server keys and users. The others are on their own pages.
              </Text>
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}

function rowsOf(tokens: readonly NamedToken[]): Row[] {
  const rows = tokens.flatMap((token) => token.versions.map((use) => ({ token, use })));
  return rows.toSorted((one, other) => other.use.lastSeenAt.localeCompare(one.use.lastSeenAt));
}

function NoCalls() {
  return (
    <Empty title="No requests yet">Versions appear here about ten seconds after the first request of a token.</Empty>
  );
}
