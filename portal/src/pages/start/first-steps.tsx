/** The first steps: connect a hub, and for developers create a token, make a call and create a webhook. */
import { Anchor, Button, Group, Text, Title } from "@mantine/core";
import type { Environment } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { SecretOnce } from "../../kit/display/secret.tsx";
import { HubCommands } from "../../kit/display/shell-commands.tsx";
import { Age } from "../../kit/text/age.tsx";
import { useApi, useSession } from "../../session/context.tsx";
import { type Callers, type Done, firstCall, lastCallQuery, lastUsed } from "./first-look.ts";
import classes from "./first-steps.module.css";

interface FirstStepsProps {
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
      <Button size="xs" variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        Create user token
      </Button>
    </Group>
  );
  return (
    <ol className={classes.steps}>
      <StepCard number={1} title="Connect a hub" isDone={done.hub} state={done.hub ? "hub connected" : "no hub yet"}>
        <HubCommands>
          <Button renderRoot={(props) => <Link to="/pair" search={{ environment: environment?.id }} {...props} />}>
            Pair hub
          </Button>
        </HubCommands>
      </StepCard>
      <StepCard
        number={2}
        title="Create a token"
        isDone={done.token}
        isOptional
        state={done.token ? "token created" : FOR_DEVELOPERS}
      >
        <Text>
          Your own programs need a token for each API call. A user token gives access to the environments of its user.
          You are a user too. For your own server, create a{" "}
          <PathLink to={`/ecosystems/${ecosystemId}/servers`}>server key</PathLink>. For your customers, create{" "}
          <PathLink to={`/ecosystems/${ecosystemId}/users`}>users</PathLink>.
        </Text>
        {make.error && <Failure error={make.error} />}
        {token !== undefined && isShown ? (
          <SecretOnce label="token" value={token} onPutAway={() => setShown(false)} />
        ) : (
          makeButton
        )}
      </StepCard>
      <StepCard
        number={3}
        title="Call the API"
        isDone={done.call}
        isOptional
        state={done.call ? <Called callers={callers} /> : FOR_DEVELOPERS}
      >
        {environment && token !== undefined ? (
          <>
            <CodeBlock label="first call" code={firstCall(location.origin, token, environment.id)} />
            <Text c="dimmed">
              Paste it into a shell. It lists the devices of your environment. This step is checked off about ten
              seconds after the call.
            </Text>
          </>
        ) : (
          <>
            <Text>Create a user token to get commands that you can paste into a shell.</Text>
            {makeButton}
          </>
        )}
        {environment && (
          <Text c="dimmed">
            To try the API without a hub, create a{" "}
            <PathLink to={`/environments/${environment.id}/devices/new`}>virtual device</PathLink>.
          </Text>
        )}
      </StepCard>
      <StepCard
        number={4}
        title="Receive events"
        isDone={done.webhook}
        isOptional
        state={done.webhook ? "webhook created" : FOR_DEVELOPERS}
      >
        <Text>
          A <PathLink to={`/ecosystems/${ecosystemId}/webhooks`}>webhook</PathLink> sends signed events to your server,
          and retries for three days. No server?{" "}
          <PathLink to={`/ecosystems/${ecosystemId}/events`}>Watch events</PathLink> in the portal.
        </Text>
      </StepCard>
    </ol>
  );
}

const FOR_DEVELOPERS = "for developers, optional";

/** Creates a token of the account's own user, if that user exists in the ecosystem. */
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

/** The last call of a user or server, not of the portal. */
function Called({ callers }: { readonly callers: Callers | undefined }) {
  const tokenId = callers && lastUsed(callers.tokens);
  const call = useQuery({ ...lastCallQuery(useApi(), tokenId ?? ""), enabled: tokenId !== undefined }).data;
  if (!call) return "call made";
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

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** Collapsed until the user opens it. */
  readonly isOptional?: boolean;
  /** The progress of the step, or what it waits for. */
  readonly state: ReactNode;
  readonly children: ReactNode;
}

/**
 * One of the first steps: it shows its number, and a tick once the service has seen it. A step that was open when the page loaded stays
 * open after its completion, so that the page does not jump.
 */
function StepCard({ number, title, isDone, isOptional = false, state, children }: StepProps) {
  const [isOpenAtFirst] = useState(!isDone && !isOptional);
  return (
    <li className={classes.step}>
      <details open={isOpenAtFirst}>
        <summary className={classes.summary}>
          <span className={classes.marker} data-done={isDone}>
            {isDone ? <Icon name="check" size={16} /> : number}
          </span>
          <Title order={2}>
            {title}
            <span className="unseen">{isDone ? " (done)" : isOptional ? " (optional)" : " (to do)"}</span>
          </Title>
          <span className={classes.state} role="status">
            {state}
          </span>
        </summary>
        <div className={classes.body}>{children}</div>
      </details>
    </li>
  );
}
