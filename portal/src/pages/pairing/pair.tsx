/** Pairing: the code that a hub shows, what is known of that hub, and the word that lets it in. */
import { Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { pairingQuery } from "../../data/hubs.ts";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading } from "../../kit/display/query-view.tsx";
import { useApi } from "../../session/context.tsx";
import { readCode } from "./code.ts";
import { CodeFailure } from "./code-failure.tsx";
import { CodeForm } from "./code-form.tsx";
import { PairingAnswer } from "./pairing-answer.tsx";
import { PairingWait } from "./pairing-wait.tsx";

const route = getRouteApi("/inside/pair");

export function PairPage() {
  const { code: given = "", approved } = route.useSearch();
  const read = readCode(given);
  return (
    <Page title="Pair a hub" lead="The hub shows a code. Enter it here, compare the key, and let the hub in.">
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

/** @param given what the address has, when that is no code */
function NoCode({ given }: { readonly given: string }) {
  const router = useRouter();
  return (
    <Section
      title="The code"
      lead="Eight letters, such as WDJB-MJHT. Hyphen and capitals do not matter; the link that the hub shows will do too."
    >
      <CodeForm
        given={given}
        submitLabel="Look at the hub"
        onCode={(code) => void router.navigate({ to: "/pair", search: (old) => ({ ...old, code }) })}
      />
      <Text size="sm" c="dimmed">
        No code to be seen? It stands in the log of the agent, and this shows it too:
      </Text>
      <CodeBlock code={`porchlight-agent pair --cloud ${location.origin}`} label="the command" />
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
