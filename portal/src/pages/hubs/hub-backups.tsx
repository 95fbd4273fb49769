/** The backups on the hub. They are created here, but fetched and restored on the hub, because each contains the hub's key and token. */
import { Button, Text } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";
import type { Client, HubBackupList } from "@porchlight/shared/api";
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { hubBackupsQuery } from "../../data/hubs.ts";
import { Failure } from "../../kit/display/failure.tsx";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { QueryView } from "../../kit/display/query-view.tsx";
import { CurrentProvider, useIsCurrent } from "../../kit/display/state.tsx";
import { Age, ageOf, useNow } from "../../kit/text/age.tsx";
import { bytesOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./hub-report.module.css";

export function HubBackups({ client }: { readonly client: Client }) {
  const api = useApi();
  const queries = useQueryClient();
  const isOnline = client.connection.state === "online";
  const query = hubBackupsQuery(api, client.id);
  const backups = useQuery({ ...query, enabled: isOnline });
  const making = useMutation({
    mutationFn: () => api.clients.createBackup(client.id),
    // Also after an error: the hub may have created the backup without a response.
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
      <HubReport client={client} query={backups} done="Listed">
        {(report) =>
          report.items.length === 0 ? <Text size="sm">There are no backups on the hub.</Text> : <Backups {...report} />
        }
      </HubReport>
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

interface HubReportProps<T> {
  readonly client: Client;
  readonly query: UseQueryResult<T>;
  /** The word before the age: "Checked". */
  readonly done: string;
  readonly children: (report: T) => ReactNode;
}

/**
 * Shows data that the hub itself reports, with the time of the report, or the reason why there is none. Keeps the last report while the hub
 * is offline.
 */
export function HubReport<T>({ client, query, done, children }: HubReportProps<T>) {
  const isOnline = client.connection.state === "online";
  const isCurrent = useIsCurrent() && isOnline;
  if (isOutdated(query.error))
    return <Text size="sm">The agent on this hub is too old for this. Update it: its version is shown above.</Text>;
  if (!isOnline && query.data === undefined)
    return <Text size="sm">The hub is offline, and nothing was loaded from it since you opened this page.</Text>;
  return (
    <QueryView query={isOnline ? query : { ...query, error: null }}>
      {(report) => (
        <>
          <CurrentProvider value={isCurrent}>{children(report)}</CurrentProvider>
          <p className={classes.moment}>
            <Moment at={query.dataUpdatedAt} done={done} />
            {isOnline ? "." : "; the hub is offline now."}
          </p>
        </>
      )}
    </QueryView>
  );
}

/** Uses the browser's clock only. */
function Moment({ at, done }: { readonly at: number; readonly done: string }) {
  const age = ageOf(useNow() - at);
  return <time dateTime={new Date(at).toISOString()}>{`${done} ${age === "now" ? "just now" : `${age} ago`}`}</time>;
}

function isOutdated(error: unknown): boolean {
  return isPorchlightError(error) && error.name === "Hub Outdated";
}
