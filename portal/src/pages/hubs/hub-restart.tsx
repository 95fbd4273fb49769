/** Restarts the agent on a hub: asks first, says that it restarts, and believes that it is back only when a younger agent answers. */
import { Alert, Text } from "@mantine/core";
import type { Client } from "@porchlight/shared/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Section } from "../../kit/display/page.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { useNow } from "../../kit/text/age.tsx";
import { spanOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./hub-told.module.css";
import { RESTART_MS, restartState } from "./restart-state.ts";

export function HubRestart({ client }: { readonly client: Client }) {
  const api = useApi();
  /** When it was asked, by the page's own clock, ms. */
  const [askedAt, setAskedAt] = useState<number>();
  const isOnline = client.connection.state === "online";
  return (
    <Section
      title="Restart"
      lead="The agent on the hub ends what it is doing in order, and starts anew with the settings as they are then."
      actions={
        isOnline && (
          <div className={classes.controls}>
            <Confirm
              label="Restart"
              elseLabel="Not now"
              title="Restart the agent on this hub?"
              color="amber"
              act={async () => {
                const before = performance.now();
                await api.clients.restart(client.id);
                setAskedAt(before);
              }}
            >
              Its devices cannot be reached for some seconds. A command that is on its way is ended first; values that
              devices report meanwhile are read again when the agent is back.
            </Confirm>
          </div>
        )
      }
    >
      {askedAt === undefined ? (
        !isOnline && <Text size="sm">The hub is not connected: it cannot be asked to restart.</Text>
      ) : (
        <Progress client={client} askedAt={askedAt} />
      )}
    </Section>
  );
}

function Progress({ client, askedAt }: { readonly client: Client; readonly askedAt: number }) {
  const api = useApi();
  const queries = useQueryClient();
  // Draws it again each second.
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
    // What it told before it restarted is not so any more.
    if (state === "back")
      for (const what of ["one", "status", "doctor", "drivers"])
        void queries.invalidateQueries({ queryKey: ["clients", what, client.id] });
  }, [state, queries, client.id]);
  if (state === "back")
    return (
      <Alert color="good" variant="light" role="status" title="The hub is back">
        It was back after {spanOf(heard.data?.sinceMs ?? sinceMs)}, with version {heard.data?.version}.
      </Alert>
    );
  if (state === "late")
    return (
      <Alert color="bad" variant="light" role="alert" title="The hub has not come back">
        It accepted the restart {spanOf(sinceMs)} ago, and a restart takes less than {spanOf(RESTART_MS)}. Look at the
        hub itself: <code>systemctl status porchlight-agent</code>. This page goes on asking.
      </Alert>
    );
  return (
    <Alert color="amber" variant="light" role="status" title="Restarting">
      The hub accepted {spanOf(sinceMs)} ago. It is not known to be back yet.
    </Alert>
  );
}
