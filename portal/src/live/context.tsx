/** The live stream of the ecosystem that is looked at: it keeps what was fetched true, and tells pages of each event. */
import type { PorchlightEvent } from "@porchlight/sdk";
import type { PropertyItem, ServiceList } from "@porchlight/shared/api";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { environmentServicesKey } from "../data/environment-services.ts";
import { type ServicesByDevice, withDeviceValue, withValue } from "../data/new-value.ts";
import { useAccess } from "../session/context.tsx";
import { staleBy } from "./changes.ts";
import { History } from "./history.ts";
import { type Liveness, LivenessWatch } from "./liveness-watch.ts";
import { browserLock, type LiveItem, SharedStream } from "./shared-stream.ts";
import { Writes } from "./writes.ts";

interface Live {
  readonly watch: LivenessWatch;
  readonly listeners: Set<(event: PorchlightEvent) => void>;
  readonly history: History;
  readonly writes: Writes;
}

const LiveContext = createContext<Live | undefined>(undefined);

function useLive(): Live {
  const live = use(LiveContext);
  if (!live) throw new Error("There is no LiveProvider above this component.");
  return live;
}

/** @param ecosystemId whose events; nothing is live while it is undefined */
export function LiveProvider(props: { readonly ecosystemId: string | undefined; readonly children: ReactNode }) {
  const { ecosystemId, children } = props;
  const { api, direct, session } = useAccess();
  const queries = useQueryClient();
  const [watch] = useState(() => new LivenessWatch({ now: Date.now, timer: later }));
  const listeners = useRef(new Set<(event: PorchlightEvent) => void>()).current;
  const [history] = useState(() => new History(Date.now));
  const [writes] = useState(
    () =>
      new Writes({
        ...{ api: direct, now: Date.now, timer: later },
        onConfirmed: (item) => putValue(queries, item),
        onUnreachable: () => lookAround(queries),
      }),
  );

  useEffect(() => {
    if (ecosystemId === undefined) return;
    const gathered = new Gathered((roots) => {
      for (const root of roots) void queries.invalidateQueries({ queryKey: [root] });
    });
    const onItem = (item: LiveItem) => {
      if (item.kind === "connection") history.connection(item.connection);
      watch.take(item);
      if (item.kind === "connection" || item.kind === "heard") return;
      if (item.kind === "refetch") {
        history.missed();
        writes.recheck();
        return void fetchAnew(queries);
      }
      if (item.event.type === "property.changed") putValue(queries, item.event.data.item);
      history.hear(item.event);
      writes.hear(item.event);
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
    watch.begin();
    return () => {
      stream.close();
      gathered.close();
      watch.end();
    };
  }, [ecosystemId, api, session, queries, listeners, history, writes, watch]);
  useEffect(() => {
    let wasLost = false;
    return watch.subscribe(() => {
      const liveness = watch.current();
      history.follow(liveness);
      // What could not be asked for while the service was away has an answer now, and the error goes.
      if (liveness.kind === "live" && wasLost) void queries.invalidateQueries();
      wasLost = liveness.kind === "lost";
    });
  }, [watch, history, queries]);

  return <LiveContext value={{ watch, listeners, history, writes }}>{children}</LiveContext>;
}

/** Whether what is shown follows the service now. */
export function useLiveness(): Liveness {
  const { watch } = useLive();
  return useSyncExternalStore(watch.subscribe, watch.current);
}

/** Calls `listener` with every event while the component stands. */
export function useEvents(listener: (event: PorchlightEvent) => void): void {
  const { listeners } = useLive();
  const told = useEffectEvent(listener);
  useEffect(() => {
    const listen = (event: PorchlightEvent) => told(event);
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, [listeners]);
}

/** What properties were in this session. */
export const useHistory = (): History => useLive().history;

/** Sets properties, and knows how each write stands. */
export const useWrites = (): Writes => useLive().writes;

/** What is being fetched for the first time may have been read before the stream began: it is asked for once more when it is there. */
async function fetchAnew(queries: QueryClient): Promise<void> {
  const first = queries.getQueryCache().findAll({
    predicate: ({ state }) => state.fetchStatus === "fetching" && state.data === undefined,
  });
  await Promise.allSettled(first.map(({ promise }) => promise));
  await queries.invalidateQueries();
}

/** Something could not be reached: whether hubs and devices are online is asked anew, so that both say the same. */
export function lookAround(queries: QueryClient): void {
  for (const root of ["devices", "clients"]) void queries.invalidateQueries({ queryKey: [root] });
}

/** A new value goes straight into what was fetched of its device and its environment. */
function putValue(queries: QueryClient, item: PropertyItem): void {
  queries.setQueryData<ServiceList>(["services", item.deviceId], (list) => list && withValue(list, item));
  const inEnvironment = environmentServicesKey(item.id);
  queries.setQueryData<ServicesByDevice>(inEnvironment, (all) => all && withDeviceValue(all, item));
}

function later(ms: number, job: () => void): () => void {
  const timer = setTimeout(job, ms);
  return () => clearTimeout(timer);
}

// Gathers what is asked for often, and passes it on at most twice a second, the first at once.

/** ms */
const APART = 500;

class Gathered {
  readonly #pass: (what: ReadonlySet<string>) => void;
  #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pass: (what: ReadonlySet<string>) => void) {
    this.#pass = pass;
  }

  add(what: string): void {
    this.#waiting.add(what);
    if (this.#timer === undefined) this.#flush();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    this.#pass(waiting);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting.size > 0) this.#flush();
    }, APART);
  }
}
