/** Restarts the hub's agent after a confirmation. It reports success only after a response from an agent with a shorter uptime. */
import { Alert, Text } from "@mantine/core";
import type { Client } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Section } from "../../kit/display/page.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { useNow } from "../../kit/text/age.tsx";
import { spanOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./hub-report.module.css";
import { RESTART_MS, restartState } from "./restart-state.ts";

export function HubRestart({ client }: { readonly client: Client }) {
  const api = useApi();
  /** Time of the request by `performance.now()`, in ms. */
  const [askedAt, setAskedAt] = useState<number>();
  const isOnline = client.connection.state === "online";
  return (
    <Section
      title="Restart"
      lead="Stops the agent in an orderly way and starts it again with its current settings."
      actions={
        isOnline && (
          <div className={classes.controls}>
            <Confirm
              label="Restart hub"
              title="Restart hub?"
              isDestructive={false}
              act={async () => {
                const before = performance.now();
                await api.clients.restart(client.id);
                setAskedAt(before);
              }}
            >
              Its devices cannot be reached for some seconds. Commands in progress are finished first. Values that
              devices report meanwhile are read when the agent is back.
            </Confirm>
          </div>
        )
      }
    >
      {askedAt === undefined ? (
        !isOnline && <Text size="sm">The hub is offline, so it cannot be restarted from here.</Text>
      ) : (
        <Progress client={client} askedAt={askedAt} />
      )}
    </Section>
  );
}

function Progress({ client, askedAt }: { readonly client: Client; readonly askedAt: number }) {
  const api = useApi();
  const queries = useQueryClient();
  // Re-renders every second.
  useNow();
  const heard = useQuery({
    queryKey: ["clients", "restart", client.id, askedAt],
    queryFn: async ({ signal }) => {
      const { uptimeMs, version } = await api.clients.status(client.id, { signal });
      return { uptimeMs, version, sinceMs: performance.now() - askedAt };
    },
    refetchInterval: ({ state: { data } }) => (data && restartState(0, data) === "back" ? false : 1000),
    retry: false,
  });
  const sinceMs = performance.now() - askedAt;
  const state = restartState(sinceMs, heard.data);
  useEffect(() => {
    // Data from before the restart is outdated.
    if (state === "back")
      for (const what of ["one", "status", "doctor", "drivers"])
        void queries.invalidateQueries({ queryKey: ["clients", what, client.id] });
  }, [state, queries, client.id]);
  if (state === "back")
    return (
      <Alert color="good" variant="light" role="status" title="The hub is back">
        It came back after {spanOf(heard.data?.sinceMs ?? sinceMs)}, with version {heard.data?.version}.
      </Alert>
    );
  if (state === "late")
    return (
      <Alert color="bad" variant="light" role="alert" title="The hub has not come back">
        It accepted the restart {spanOf(sinceMs)} ago, and a restart takes less than {spanOf(RESTART_MS)}. Check on the
        hub itself: <code>systemctl status porchlight-agent</code>. This page keeps checking.
      </Alert>
    );
  return (
    <Alert color="amber" variant="light" role="status" title="Restarting">
      The hub accepted the restart {spanOf(sinceMs)} ago and is not back yet.
    </Alert>
  );
}
