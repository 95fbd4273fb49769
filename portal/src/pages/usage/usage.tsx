/** How much is used of what: quotas, the database, the rate limit, and which versions of the API are asked for. */
import { Progress, Text } from "@mantine/core";
import type { Quota, StorageKind } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { requestQuotasQuery, usageQuery } from "../../data/requests.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { useApi, useRateLimit } from "../../session/context.tsx";
import { fillOf, MEGABYTE, megabytes, policyOf, quotaWords } from "./quota-words.ts";
import { Versions } from "./versions.tsx";

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
