/** The live stream of the ecosystem that is looked at: it keeps what was fetched true, and tells pages of each event. */
import type { ConnectionState, PorchlightEvent } from "@porchlight/sdk";
import type { ServiceList } from "@porchlight/shared/api";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from "react";
import { useAccess } from "../session/context.tsx";
import { staleBy, withValue } from "./changes.ts";
import { Gathered } from "./gathered.ts";
import { browserLock, type LiveItem, SharedStream } from "./shared-stream.ts";

export type LiveConnection = ConnectionState | { readonly state: "connecting" };

interface Live {
  readonly connection: LiveConnection;
  readonly listeners: Set<(event: PorchlightEvent) => void>;
}

const LiveContext = createContext<Live>({ connection: { state: "connecting" }, listeners: new Set() });

/** @param ecosystemId whose events; nothing is live while it is undefined */
export function LiveProvider(props: { readonly ecosystemId: string | undefined; readonly children: ReactNode }) {
  const { ecosystemId, children } = props;
  const { api, session } = useAccess();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<LiveConnection>({ state: "connecting" });
  const listeners = useRef(new Set<(event: PorchlightEvent) => void>()).current;

  useEffect(() => {
    if (ecosystemId === undefined) return;
    const gathered = new Gathered((roots) => {
      for (const root of roots) void queries.invalidateQueries({ queryKey: [root] });
    });
    const onItem = (item: LiveItem) => {
      if (item.kind === "connection") return setConnection(item.connection);
      if (item.kind === "refetch") return void queries.invalidateQueries();
      applyValue(queries, item.event);
      for (const root of staleBy(item.event)) gathered.add(root);
      for (const listener of listeners) listener(item.event);
    };
    const stream = new SharedStream({
      ecosystemId,
      open: (options) => api.events(options),
      lock: browserLock,
      channel: new BroadcastChannel(`porchlight-live-${ecosystemId}`),
      onItem,
      // A log-in that has ended shows here first: ask for it, and the frame leads to the form.
      onRefused: () => void session.token().catch(() => undefined),
    });
    return () => {
      stream.close();
      gathered.close();
      setConnection({ state: "connecting" });
    };
  }, [ecosystemId, api, session, queries, listeners]);

  return <LiveContext value={{ connection, listeners }}>{children}</LiveContext>;
}

/** How the stream stands. */
export const useConnection = (): LiveConnection => use(LiveContext).connection;

/** Calls `listener` with every event while the component stands. */
export function useEvents(listener: (event: PorchlightEvent) => void): void {
  const { listeners } = use(LiveContext);
  const told = useEffectEvent(listener);
  useEffect(() => {
    const listen = (event: PorchlightEvent) => told(event);
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, [listeners]);
}

/** A new value goes straight into what was fetched of its device. */
function applyValue(queries: QueryClient, event: PorchlightEvent): void {
  if (event.type !== "property.changed") return;
  const { item } = event.data;
  queries.setQueryData<ServiceList>(["services", item.deviceId], (list) => list && withValue(list, item));
}
