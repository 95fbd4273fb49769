/** Pairs a hub: enter its code, review the hub, and approve it. */
import { Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { pairingQuery } from "../../data/hubs.ts";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading } from "../../kit/display/query-view.tsx";
import { pairCommand } from "../../kit/text/simulated-home.ts";
import { useApi } from "../../session/context.tsx";
import { readCode } from "./code.ts";
import { CodeFailure, CodeForm } from "./log-in-by-code.tsx";
import { PairingAnswer } from "./pairing-answer.tsx";
import { PairingWait } from "./pairing-wait.tsx";

const route = getRouteApi("/inside/pair");

export function PairPage() {
  const { code: given = "", approved } = route.useSearch();
  const read = readCode(given);
  return (
    <Page title="Pair hub" lead="Enter the code that the hub shows, compare its key, and approve it.">
      {approved !== undefined ? (
        <PairingWait clientId={approved} />
      ) : read.kind === "code" ? (
        <Waiting code={read.code} />
      ) : (
        <NoCode given={given} />
      )}
    </Page>
  );
}

/** @param given the invalid code from the address */
function NoCode({ given }: { readonly given: string }) {
  const router = useRouter();
  return (
    <Section
      title="Enter the code"
      lead="Eight letters, such as WDJB-MJHT. Hyphen and capitals do not matter. You can also open the link that the hub shows."
    >
      <CodeForm
        given={given}
        submitLabel="Continue"
        onCode={(code) => void router.navigate({ to: "/pair", search: (old) => ({ ...old, code }) })}
      />
      <Text size="sm" c="dimmed">
        No code? You find it in the log of the agent, and this command on the hub shows it too:
      </Text>
      <CodeBlock code={pairCommand(location.origin)} label="command that shows the code" />
    </Section>
  );
}

function Waiting({ code }: { readonly code: string }) {
  const pairing = useQuery(pairingQuery(useApi(), code));
  const queries = useQueryClient();
  const router = useRouter();
  const again = () => {
    queries.removeQueries({ queryKey: ["pairings"] });
    void router.navigate({ to: "/pair", search: ({ environment }) => ({ environment }) });
  };
  if (pairing.isPending) return <Loading />;
  if (pairing.data) return <PairingAnswer pairing={pairing.data} onAnother={again} />;
  return <CodeFailure error={pairing.error} onRetry={() => void pairing.refetch()} onAnother={again} />;
}
