/** The usage page: quotas, database size, rate limit, and requested API versions. */
import { Progress, Text } from "@mantine/core";
import type { Quota, StorageKind, Token } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { requestQuotasQuery, usageQuery } from "../data/requests.ts";
import { type NamedToken, namedTokensQuery } from "../data/subjects.ts";
import { Fact, Facts } from "../kit/display/facts.tsx";
import { Page, Section } from "../kit/display/page.tsx";
import { Empty, QueryView } from "../kit/display/query-view.tsx";
import { StateWord } from "../kit/display/state.tsx";
import { DataTable } from "../kit/display/table.tsx";
import { Age } from "../kit/text/age.tsx";
import { NameText } from "../kit/text/name.tsx";
import { shortId } from "../kit/text/names.ts";
import { useApi, useRateLimit } from "../session/context.tsx";
import { fillOf, MEGABYTE, megabytes, policyOf, quotaWords } from "./quota-words.ts";
import { useTokenNames } from "./requests/request-table.tsx";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/usage");

export function UsagePage() {
  const { ecosystemId } = route.useParams();
  const quotas = useQuery(requestQuotasQuery(useApi()));
  return (
    <Page title="Usage" lead="How much of each quota and rate limit you use.">
      <RateLimit />
      <Section title="Quotas" lead="Each row shows the ecosystem or environment that is closest to the limit.">
        <QueryView query={quotas}>
          {(data) => (
            <DataTable
              label="list of quotas"
              rows={data}
              idOf={({ name }) => name}
              columns={[
                { name: "Quota", cell: ({ name }) => quotaWords(name) },
                { name: "Used", isNumber: true, cell: ({ used }) => used.toLocaleString("en") },
                { name: "Limit", isNumber: true, cell: ({ limit }) => limit.toLocaleString("en") },
                { name: "Usage", cell: (quota) => <Fullness quota={quota} /> },
              ]}
            />
          )}
        </QueryView>
      </Section>
      <Storage />
      <Versions ecosystemId={ecosystemId} />
    </Page>
  );
}

const KIND_WORDS: Readonly<Record<StorageKind, string>> = {
  objects: "Objects and their metadata",
  events: "Events",
  keptAnswers: "Answers kept for idempotency keys",
  history: "History",
  commands: "Commands",
  deliveries: "Webhook deliveries",
  audit: "Audit",
  requests: "Request log",
  exports: "Export",
};

function Storage() {
  const usage = useQuery(usageQuery(useApi()));
  return (
    <Section
      title="Storage"
      lead="The space that your data takes, of the quota “Megabytes per account”. When it is full, nothing can be created or changed. Reading, deleting and commands work as before."
    >
      <QueryView query={usage}>
        {({ items, bytes: used, limitBytes }) => (
          <>
            <Facts>
              <Fact name="Used">{`${megabytes(used)} of ${(limitBytes / MEGABYTE).toLocaleString("en")} MB`}</Fact>
            </Facts>
            <DataTable
              label="list of storage"
              rows={items.toSorted((one, other) => other.bytes - one.bytes)}
              idOf={({ kind }) => kind}
              columns={[
                { name: "Data", cell: ({ kind }) => KIND_WORDS[kind] },
                { name: "Megabytes", isNumber: true, cell: ({ bytes }) => megabytes(bytes) },
              ]}
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function Fullness({ quota: { name, used, limit } }: { readonly quota: Quota }) {
  const fill = fillOf(used, limit);
  const percent = Math.min(100, (used / limit) * 100);
  return (
    <>
      <Progress
        value={percent}
        color={fill === "plenty" ? "gray" : fill === "near" ? "amber" : "bad"}
        aria-label={`${quotaWords(name)}: ${Math.round(percent)} % used`}
      />
      {fill === "near" && <StateWord tone="warn">near the limit</StateWord>}
      {fill === "full" && <StateWord tone="bad">limit reached</StateWord>}
    </>
  );
}

function RateLimit() {
  const seen = useRateLimit();
  const policy = seen && policyOf(seen.policy);
  return (
    <Section
      title="Rate limit"
      lead="Each token has its own rate limit. Requests beyond it get status 429 and the time to wait. These are the values of this session."
    >
      {seen ? (
        <Facts>
          <Fact name="Available now">
            {seen.remaining.toLocaleString("en")}
            {policy && ` of ${policy.quota.toLocaleString("en")} requests`}
          </Fact>
          <Fact name="Full again">{seen.remaining === policy?.quota ? "now" : `in ${seen.resetS} s`}</Fact>
        </Facts>
      ) : (
        <Text c="dimmed">The service has no rate limit.</Text>
      )}
    </Section>
  );
}

/** The API versions that each token requests, so that no client is overlooked when a version ends. */
interface Row {
  readonly token: NamedToken;
  readonly use: NonNullable<Token["versions"]>[number];
}

function Versions({ ecosystemId }: { readonly ecosystemId: string }) {
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
