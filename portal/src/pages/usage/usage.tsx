/** How much is used of what: quotas, the rate limit, and which versions of the API are asked for. */
import { Progress, Text } from "@mantine/core";
import type { Quota } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { requestQuotasQuery } from "../../data/requests.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { useApi, useRateLimit } from "../../session/context.tsx";
import { fillOf, policyOf, quotaWords } from "./quota-words.ts";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/inside/ecosystems/$ecosystemId/usage");

export function UsagePage() {
  const { ecosystemId } = route.useParams();
  const quotas = useQuery(requestQuotasQuery(useApi()));
  return (
    <Page title="Usage" lead="How much there may be, and how much there is.">
      <RateLimit />
      <Section title="Quotas" lead="Of each the fullest place of the account is shown, since that one refuses first.">
        <QueryView query={quotas}>
          {(data) => (
            <DataTable
              label="Each quota"
              rows={data}
              idOf={({ name }) => name}
              columns={[
                { name: "What", cell: ({ name }) => quotaWords(name) },
                { name: "Used", isNumber: true, cell: ({ used }) => used.toLocaleString("en") },
                { name: "Limit", isNumber: true, cell: ({ limit }) => limit.toLocaleString("en") },
                { name: "How full", cell: (quota) => <Fullness quota={quota} /> },
              ]}
            />
          )}
        </QueryView>
      </Section>
      <Versions ecosystemId={ecosystemId} />
    </Page>
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
      {fill === "full" && <StateWord tone="bad">full: one more is refused</StateWord>}
    </>
  );
}

function RateLimit() {
  const seen = useRateLimit();
  const policy = seen && policyOf(seen.policy);
  return (
    <Section
      title="Rate limit"
      lead="Each token has its own. Past it a request is 429, with the time to wait. This is how this log-in stands."
    >
      {seen ? (
        <Facts>
          <Fact name="Can be asked now">
            {seen.remaining.toLocaleString("en")}
            {policy && ` of ${policy.quota.toLocaleString("en")} requests`}
          </Fact>
          <Fact name="All of them again">{seen.remaining === policy?.quota ? "now" : `in ${seen.resetS} s`}</Fact>
        </Facts>
      ) : (
        <Text c="dimmed">The service sets no limit.</Text>
      )}
    </Section>
  );
}
