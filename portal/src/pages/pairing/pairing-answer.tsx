/** A waiting hub: its identity, its future environment, and the buttons that approve or reject it. */
import { Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import type { Pairing } from "@porchlight/shared/api";
import { freeName } from "@porchlight/shared/presentation";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { clientsQuery, ecosystemsQuery, environmentsQuery } from "../../data/queries.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { AliasInput, aliasError } from "../../kit/forms/alias-field.tsx";
import { useCountdown } from "../../kit/forms/form-error.ts";
import { timeOf, useNow } from "../../kit/text/age.tsx";
import { cut, LONGEST_NAME, nameOf } from "../../kit/text/names.ts";
import { untilOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { fingerprintParts } from "./code.ts";
import classes from "./pairing.module.css";

const route = getRouteApi("/inside/pair");

interface PairingAnswerProps {
  readonly pairing: Pairing;
  readonly onAnother: () => void;
}

export function PairingAnswer({ pairing, onAnother }: PairingAnswerProps) {
  const { userCode } = pairing;
  const { environment: asked } = route.useSearch();
  const api = useApi();
  const router = useRouter();
  const { data: environments = [] } = useQuery(environmentsQuery(api));
  const [chosen, setChosen] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const [alias, setAlias] = useState("");
  const environmentId = chosen ?? environments.find(({ id }) => id === asked)?.id ?? environments[0]?.id;
  const { data: hubs } = useQuery({ ...clientsQuery(api, environmentId ?? ""), enabled: environmentId !== undefined });
  const name = typed ?? (hubs ? freeName("Hub", hubs.map(nameOf)) : "");
  const approving = useMutation({
    mutationFn: () =>
      api.pairings.approve(userCode, {
        environmentId: environmentId ?? "",
        ...(name.trim() !== "" && { name: name.trim() }),
        ...(alias !== "" && { alias }),
      }),
    onSuccess: ({ id }) => router.navigate({ to: "/pair", search: { approved: id }, replace: true }),
  });
  const denying = useMutation({ mutationFn: () => api.pairings.deny(userCode) });
  const wait = useCountdown(approving.error ?? denying.error);
  const left = timeOf(pairing.expiresAt) - useNow();
  if (denying.isSuccess) return <Denied onAnother={onAnother} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    approving.mutate();
  };
  return (
    <>
      <Section
        title="This hub asks to be paired"
        lead="An approved hub can read and control the devices of this environment. Approve it only if the hub in front of you shows the same code and key."
      >
        <Facts>
          <Fact name="Code">
            <span className={classes.code}>{userCode}</span>
          </Fact>
          <Fact name="Key">
            <Fingerprint of={pairing.fingerprint} />
          </Fact>
          <Fact name="Edge ID">
            <span className="mono">{pairing.edgeId}</span>
          </Fact>
          <Fact name="Requested from">
            <span className="mono">{pairing.address}</span>
          </Fact>
          <Fact name="Agent">{pairing.agentVersion}</Fact>
          <Fact name="Code valid">{left > 0 ? `for ${untilOf(left)}` : "no longer: the hub shows a new one"}</Fact>
        </Facts>
      </Section>
      <Section title="Add to environment">
        <form onSubmit={submit}>
          <Stack maw="40rem">
            <EnvironmentSelect value={environmentId} onChange={setChosen} />
            <TextInput
              label="Name"
              description="What people call this hub. A hub that was paired here before keeps its name."
              autoComplete="off"
              maxLength={LONGEST_NAME}
              value={name}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <AliasInput value={alias} onChange={setAlias} error={approving.error} />
            {approving.error && aliasError(approving.error) === undefined && <Failure error={approving.error} />}
            {denying.error && <Failure error={denying.error} />}
            {wait > 0 && <Text role="status">Try again in {wait} s.</Text>}
            <Group>
              <Button type="submit" loading={approving.isPending} disabled={environmentId === undefined || wait > 0}>
                Key matches: approve hub
              </Button>
              <Button
                variant="default"
                loading={denying.isPending}
                disabled={wait > 0}
                onClick={() => denying.mutate()}
              >
                Deny hub
              </Button>
              <Button variant="subtle" color="gray" onClick={onAnother}>
                Enter another code
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
    </>
  );
}

/** Shown in parts, so that the eye keeps its place; copied and read as a whole. */
function Fingerprint({ of }: { readonly of: string }) {
  return (
    <span className={classes.fingerprint}>
      <span className="unseen">{of}</span>
      <span aria-hidden="true">
        {fingerprintParts(of).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their positions
          <span key={at}>{part}</span>
        ))}
      </span>
    </span>
  );
}

function EnvironmentSelect(props: { readonly value: string | undefined; readonly onChange: (id: string) => void }) {
  const api = useApi();
  const { data: environments = [] } = useQuery(environmentsQuery(api));
  const { data: ecosystems = [] } = useQuery(ecosystemsQuery(api));
  const groups = ecosystems.map((ecosystem) => ({
    group: cut(nameOf(ecosystem), 60),
    items: environments
      .filter(({ ecosystemId }) => ecosystemId === ecosystem.id)
      .map((each) => ({ value: each.id, label: cut(nameOf(each), 60) })),
  }));
  return (
    <Select
      label="Environment"
      description="The environment that its devices belong to."
      data={groups}
      value={props.value ?? null}
      allowDeselect={false}
      searchable
      onChange={(id) => id !== null && props.onChange(id)}
    />
  );
}

function Denied({ onAnother }: { readonly onAnother: () => void }) {
  return (
    <Section title="Hub denied">
      <Text>Its code no longer works. If it was your hub, start pairing on it again.</Text>
      <Group>
        <Button variant="default" onClick={onAnother}>
          Enter another code
        </Button>
      </Group>
    </Section>
  );
}
