/** Backups that lie on the hub: made from here, fetched and restored there, because each holds the hub's key and token. */
import { Button, Text } from "@mantine/core";
import type { Client, HubBackupList } from "@porchlight/shared/api";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { hubBackupsQuery } from "../../data/hubs.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { Age } from "../../kit/text/age.tsx";
import { bytesOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./hub-told.module.css";
import { HubTold, isOutdated } from "./hub-told.tsx";

export function HubBackups({ client }: { readonly client: Client }) {
  const api = useApi();
  const queries = useQueryClient();
  const isOnline = client.connection.state === "online";
  const query = hubBackupsQuery(api, client.id);
  const backups = useQuery({ ...query, enabled: isOnline });
  const making = useMutation({
    mutationFn: () => api.clients.createBackup(client.id),
    // Also after a failure: without an answer it may have been made.
    onSettled: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  });
  return (
    <Section
      title="Backups"
      lead="Backups stay on the hub, because they contain the hub's key and token. The hub keeps the newest five."
      actions={
        isOnline &&
        !isOutdated(backups.error) && (
          <div className={classes.controls}>
            <Button size="xs" variant="default" loading={making.isPending} onClick={() => making.mutate()}>
              Create backup
            </Button>
          </div>
        )
      }
    >
      {making.error && <Failure error={making.error} putAway={() => making.reset()} />}
      <HubTold client={client} query={backups} done="Listed">
        {(told) =>
          told.items.length === 0 ? <Text size="sm">There are no backups on the hub.</Text> : <Backups {...told} />
        }
      </HubTold>
    </Section>
  );
}

function Backups({ folder, items }: HubBackupList) {
  const [newest] = items;
  return (
    <>
      <ul className={classes.list} aria-label="Backups on the hub">
        {items.map(({ name, createdAt, bytes }) => (
          <li key={name}>
            <span>
              <Age at={createdAt} />
            </span>
            <div className={classes.what}>
              <span className="mono">{name}</span>
              <span className={classes.cure}>{bytesOf(bytes)}</span>
            </div>
          </li>
        ))}
      </ul>
      {newest && (
        <Text size="sm" component="div">
          <p>
            Backups are stored in <span className="mono">{folder}</span> on the hub. Keep a copy in a safe place, as you
            would keep a key. To restore a backup, run on the hub:
          </p>
          <CodeBlock code={restoring(`${folder}/${newest.name}`)} label="the commands" />
        </Text>
      )}
    </>
  );
}

const restoring = (file: string) =>
  `sudo systemctl stop porchlight-agent\nsudo porchlight-agent restore ${file} --replace\nsudo systemctl start porchlight-agent`;
