/** Pairing: the code that a hub shows, what is known of that hub, and the word that lets it in. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { pairingQuery } from "../../data/hubs.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Loading } from "../../kit/display/query-view.tsx";
import { useCountdown } from "../../kit/forms/countdown.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { readCode } from "./code.ts";
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
        <CodeForm given={given} />
      )}
    </Page>
  );
}

/** @param given what the address has, when that is no code */
function CodeForm({ given }: { readonly given: string }) {
  const router = useRouter();
  const [text, setText] = useState(given);
  const [isTried, setTried] = useState(given !== "");
  const read = readCode(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.kind === "code") void router.navigate({ to: "/pair", search: (old) => ({ ...old, code: read.code }) });
  };
  const fault =
    read.kind === "wrong"
      ? read.why
      : read.kind === "short" && isTried
        ? `${counted(read.missing, "letter")} missing.`
        : undefined;
  return (
    <Section
      title="The code"
      lead="Eight letters, such as WDJB-MJHT. Hyphen and capitals do not matter; the link that the hub shows will do too."
    >
      <form onSubmit={submit}>
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label="Code"
            placeholder="WDJB-MJHT"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            data-autofocus
            value={text}
            error={fault}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit">Look at the hub</Button>
        </Group>
      </form>
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
  const wait = useCountdown(pairing.error);
  const again = () => {
    queries.removeQueries({ queryKey: ["pairings"] });
    void router.navigate({ to: "/pair", search: ({ environment }) => ({ environment }) });
  };
  if (pairing.isPending) return <Loading />;
  if (pairing.data) return <PairingAnswer pairing={pairing.data} onAnother={again} />;
  return (
    <Stack align="flex-start">
      <Failure error={pairing.error} {...(wait === 0 && { retry: () => void pairing.refetch() })} />
      {wait > 0 && <Text role="status">It can be tried again in {wait} s.</Text>}
      <Button variant="default" onClick={again}>
        Enter another code
      </Button>
    </Stack>
  );
}
