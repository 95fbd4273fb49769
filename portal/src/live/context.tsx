/** The live stream of the current ecosystem: it keeps fetched data up to date and passes each event to the pages. */
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
import { environmentServicesKey, type ServicesByDevice, withDeviceValue, withValue } from "../data/services.ts";
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

/** @param ecosystemId the ecosystem to follow; there is no stream while it is undefined */
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
      // An expired log-in shows here first. Requesting a token reveals it, and the frame then navigates to the log-in form.
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
      // Repeat the queries that failed while the service was unreachable, so that their errors disappear.
      if (liveness.kind === "live" && wasLost) void queries.invalidateQueries();
      wasLost = liveness.kind === "lost";
    });
  }, [watch, history, queries]);

  return <LiveContext value={{ watch, listeners, history, writes }}>{children}</LiveContext>;
}

/** Whether the displayed data currently follows the service. */
export function useLiveness(): Liveness {
  const { watch } = useLive();
  return useSyncExternalStore(watch.subscribe, watch.current);
}

/** Calls `listener` with every event while the component is mounted. */
export function useEvents(listener: (event: PorchlightEvent) => void): void {
  const { listeners } = useLive();
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    const listen = (event: PorchlightEvent) => onEvent(event);
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, [listeners]);
}

/** The past values of properties in this session. */
export const useHistory = (): History => useLive().history;

/** Sets properties and tracks the progress of each write. */
export const useWrites = (): Writes => useLive().writes;

/** A first fetch may have read its data before the stream began: repeat it once the stream is up. */
async function fetchAnew(queries: QueryClient): Promise<void> {
  const first = queries.getQueryCache().findAll({
    predicate: ({ state }) => state.fetchStatus === "fetching" && state.data === undefined,
  });
  await Promise.allSettled(first.map(({ promise }) => promise));
  await queries.invalidateQueries();
}

/** After a target was unreachable: refetch the online states of hubs and devices together, so that they agree. */
export function lookAround(queries: QueryClient): void {
  for (const root of ["devices", "clients"]) void queries.invalidateQueries({ queryKey: [root] });
}

/** Writes a new value directly into the cached services of its device and its environment. */
function putValue(queries: QueryClient, item: PropertyItem): void {
  queries.setQueryData<ServiceList>(["services", item.deviceId], (list) => list && withValue(list, item));
  const inEnvironment = environmentServicesKey(item.id);
  queries.setQueryData<ServicesByDevice>(inEnvironment, (all) => all && withDeviceValue(all, item));
}

function later(ms: number, job: () => void): () => void {
  const timer = setTimeout(job, ms);
  return () => clearTimeout(timer);
}

/** Minimum interval between two passes, in ms. */
const APART = 500;

/** Coalesces frequent requests: passes on the first at once and the others at most twice a second. */
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
