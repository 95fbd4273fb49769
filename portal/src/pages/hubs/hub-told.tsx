/** What a hub itself has told, with the moment at which it did; and why nothing is known, where that is so. */
import { Text } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";
import type { Client } from "@porchlight/shared/api";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CurrentProvider, useIsCurrent } from "../../kit/display/current.ts";
import { QueryView } from "../../kit/display/query-view.tsx";
import { ageOf, useNow } from "../../kit/text/age.tsx";
import classes from "./hub-told.module.css";

export interface HubToldProps<T> {
  readonly client: Client;
  readonly query: UseQueryResult<T>;
  /** Before the age: "Checked". */
  readonly done: string;
  readonly children: (told: T) => ReactNode;
}

/** What was told last stays while the hub is away: it is then of that moment, and says so. */
export function HubTold<T>({ client, query, done, children }: HubToldProps<T>) {
  const isOnline = client.connection.state === "online";
  const isCurrent = useIsCurrent() && isOnline;
  if (isOutdated(query.error))
    return <Text size="sm">The agent on this hub is too old for this. Update it: its version is shown above.</Text>;
  if (!isOnline && query.data === undefined)
    return <Text size="sm">The hub is offline, and nothing was loaded from it since you opened this page.</Text>;
  return (
    <QueryView query={isOnline ? query : { ...query, error: null }}>
      {(told) => (
        <>
          <CurrentProvider value={isCurrent}>{children(told)}</CurrentProvider>
          <p className={classes.moment}>
            <Moment at={query.dataUpdatedAt} done={done} />
            {isOnline ? "." : "; the hub is offline now."}
          </p>
        </>
      )}
    </QueryView>
  );
}

/** By the clock of this browser alone. */
function Moment({ at, done }: { readonly at: number; readonly done: string }) {
  const age = ageOf(useNow() - at);
  return <time dateTime={new Date(at).toISOString()}>{`${done} ${age === "now" ? "just now" : `${age} ago`}`}</time>;
}

export function isOutdated(error: unknown): boolean {
  return isPorchlightError(error) && error.name === "Hub Outdated";
}
