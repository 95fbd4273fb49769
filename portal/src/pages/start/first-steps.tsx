/** The first steps: a token, a call with it, a hub, a webhook. */
import { Anchor, Button, Group, Text } from "@mantine/core";
import type { Environment } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type Callers, lastCallQuery } from "../../data/first-look.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { Age } from "../../kit/text/age.tsx";
import { SIMULATED_DEVICES, simulatedHub } from "../../kit/text/simulated-home.ts";
import { useApi, useSession } from "../../session/context.tsx";
import classes from "./first-steps.module.css";
import { StepCard } from "./step.tsx";
import { type Done, firstCall, lastUsed } from "./steps.ts";

export interface FirstStepsProps {
  readonly ecosystemId: string;
  readonly environment: Environment | undefined;
  readonly callers: Callers | undefined;
  readonly done: Done;
}

export function FirstSteps({ ecosystemId, environment, callers, done }: FirstStepsProps) {
  const [token, setToken] = useState<string>();
  const [isShown, setShown] = useState(true);
  const make = useMakeToken(callers, (made) => {
    setToken(made);
    setShown(true);
  });
  const makeButton = make.isPossible && (
    <Group>
      <Button size="xs" loading={make.isPending} onClick={() => make.mutate()}>
        Make a user token
      </Button>
    </Group>
  );
  const origin = location.origin;
  return (
    <ol className={classes.steps}>
      <StepCard number={1} title="Get a token" isDone={done.token} state={done.token ? "there is one" : "no token yet"}>
        <Text>
          Every call carries a token. A user token reaches the environments of its user, and you are a user yourself.
          Your own server takes a <PathLink to={`/ecosystems/${ecosystemId}/servers`}>server key</PathLink>, and the
          people whom you serve become <PathLink to={`/ecosystems/${ecosystemId}/users`}>users</PathLink>.
        </Text>
        {make.error && <Failure error={make.error} />}
        {token !== undefined && isShown ? (
          <SecretOnce label="token" value={token} onPutAway={() => setShown(false)} />
        ) : (
          makeButton
        )}
      </StepCard>
      <StepCard number={2} title="Call the API" isDone={done.call} state={<Called callers={callers} />}>
        {environment && token !== undefined ? (
          <>
            <CodeBlock label="first call" code={firstCall(origin, token, environment.id)} />
            <Text c="dimmed">
              Paste it into a shell: it lists the devices of your environment. The step ticks within some ten seconds of
              the call.
            </Text>
          </>
        ) : (
          <>
            <Text>With a user token, you get commands to paste into a shell.</Text>
            {makeButton}
          </>
        )}
      </StepCard>
      <StepCard
        number={3}
        title="Connect a hub"
        isDone={done.hub}
        state={done.hub ? "a hub has been here" : "no hub has been here yet"}
      >
        <Text>
          A hub shows a code when it is paired; <PathLink to="/pair">enter it here</PathLink>. Without hardware, let a
          simulated home in. In a checkout of Porchlight, these are its devices:
        </Text>
        <CodeBlock label="simulated devices" code={SIMULATED_DEVICES} />
        <Text>And in a second terminal its hub, which shows its code and waits for you:</Text>
        <CodeBlock label="simulated hub" code={simulatedHub(origin)} />
        {environment && (
          <Text c="dimmed">
            Without a hub, a <PathLink to={`/environments/${environment.id}/devices/new`}>virtual device</PathLink> is
            enough to write a program against.
          </Text>
        )}
      </StepCard>
      <StepCard
        number={4}
        title="Receive events"
        isDone={done.webhook}
        state={done.webhook ? "there is a webhook" : "no webhook yet"}
      >
        <Text>
          A <PathLink to={`/ecosystems/${ecosystemId}/webhooks`}>webhook</PathLink> sends what happens to a server of
          yours, signed and repeated until it has arrived. Without a server,{" "}
          <PathLink to={`/ecosystems/${ecosystemId}/events`}>watch events here</PathLink>.
        </Text>
      </StepCard>
    </ol>
  );
}

/** As the account's own user, where it is one of the ecosystem. */
function useMakeToken(callers: Callers | undefined, onMade: (token: string) => void) {
  const api = useApi();
  const queries = useQueryClient();
  const session = useSession();
  const own = callers?.users.find(({ key }) => session.kind === "in" && key === session.accountId);
  const make = useMutation({
    mutationFn: async () => own && api.users.createToken(own.id),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: ["tokens"] });
      if (made?.token) onMade(made.token);
    },
  });
  return { ...make, isPossible: own !== undefined };
}

/** The last call that was no page's. */
function Called({ callers }: { readonly callers: Callers | undefined }) {
  const tokenId = callers && lastUsed(callers.tokens);
  const call = useQuery({ ...lastCallQuery(useApi(), tokenId ?? ""), enabled: tokenId !== undefined }).data;
  if (tokenId === undefined) return "no call yet";
  if (!call) return "a call has been made";
  return (
    <>
      {call.method} <code className="mono">{call.route}</code>: {call.status}, <Age at={call.at} />
    </>
  );
}

function PathLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to={to} {...props} />}>
      {children}
    </Anchor>
  );
}
