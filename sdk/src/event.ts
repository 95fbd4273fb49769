/** Events: those of a stream with the data of their type, snapshots and resets, and the pages of the event log. */
import type {
  Alert,
  AlertTest,
  Client,
  CommandTold,
  Device,
  Environment,
  Event,
  EventPage,
  PropertyItem,
  Scene,
  SceneCalled,
  User,
  Zone,
} from "@porchlight/shared/api";
import type { EventPrefix, EventTypeOf } from "@porchlight/shared/events";
import { Collection, type Page, type PageOptions } from "./collection.ts";
import type { PorchlightError } from "./errors.ts";
import type { Transport } from "./transport.ts";

export interface PropertyChange {
  readonly item: PropertyItem;
  readonly previousValue?: unknown;
  readonly cause: {
    readonly kind: "command" | "device" | "local" | "refresh" | "scene";
    /** The command that set this property. */
    readonly commandId?: string;
    readonly sceneId?: string;
    /** The command of the scene's call as a whole. */
    readonly sceneCommandId?: string;
    /** The trigger, when a hub called the scene on its own. */
    readonly by?: "api" | "event" | "time" | "sun";
    readonly tokenId?: string;
    /** Time from acceptance to confirmation of the command. */
    readonly durationMs?: number;
  };
}

/** `data` of the events, by prefix. */
interface DataOf {
  readonly property: PropertyChange;
  readonly device: Device;
  readonly hub: Client;
  readonly command: CommandTold;
  readonly zone: Zone;
  readonly scene: Scene | SceneCalled;
  readonly environment: Environment;
  readonly user: User;
  readonly webhook: unknown;
  readonly alert: Alert | AlertTest;
}

type Of<Type extends string, Data> = Omit<Event, "type" | "data"> & { readonly type: Type; readonly data: Data };

/** An event of a known type. A newer service may have more types, so a `switch` needs a `default`. */
export type PorchlightEvent = { [P in EventPrefix]: Of<EventTypeOf<P>, DataOf[P]> }[EventPrefix];

export type StreamItem =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** All current values, and the sequence that they represent. */
  | { readonly kind: "snapshot"; readonly sequence: number; readonly items: readonly PropertyItem[] }
  /** Events were missed that are no longer kept: earlier state may be wrong. A snapshot follows if one was requested. */
  | { readonly kind: "reset" };

export interface StreamOptions {
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
  /** Types, or `prefix.*`; all when omitted. */
  readonly types?: readonly string[] | undefined;
  /** Whether the stream starts with all current values, and does so again after a reset. */
  readonly snapshot?: boolean | undefined;
  /** Sequence of the last event that the caller has seen; when omitted, the stream starts with new events. */
  readonly after?: number | undefined;
  /** Called whenever a connection is established, and whenever one is lost and the next try is scheduled. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
  /** Called whenever data arrives, comments included: the service sends some every 5 s. */
  readonly onHeard?: (() => void) | undefined;
  /** Silence after which the connection counts as dead and a new one is opened, ms; 45,000 when omitted. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** State of the connection: `lost` has the time until the next try, milliseconds, and the cause. */
export type ConnectionState =
  | { readonly state: "connected" }
  | { readonly state: "lost"; readonly nextTryMs: number; readonly cause?: PorchlightError | undefined };

export interface EventLogFilter {
  /** Required for an account with several ecosystems, unless an environment is given. */
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
  /** Events about this device, its values and its commands. */
  readonly deviceId?: string | undefined;
  /** Types, or `prefix.*`; all when omitted. */
  readonly types?: readonly string[] | undefined;
  /** At that time or later: `YYYY-MM-DD HH:MM:SSZ`. */
  readonly since?: string | undefined;
  /** Before that time: `YYYY-MM-DD HH:MM:SSZ`. */
  readonly until?: string | undefined;
  /** Only sequences above this one. */
  readonly after?: number | undefined;
  /** Only sequences below this one. */
  readonly before?: number | undefined;
  /** Order of the events; "oldest" first when omitted. */
  readonly order?: "oldest" | "newest" | undefined;
}

/**
 * A page: every matching event of the sequences in `range`; `log` states which sequences are stored. A page may have few items, or
 * none, although another page follows: the service examines a bounded number of events at once.
 */
export interface EventLogPage extends Page<PorchlightEvent>, Pick<EventPage, "range" | "log"> {}

/** The event log: the stored events, in pages, forwards or backwards. */
export function eventLog(
  transport: Transport,
  { types, ...filter }: EventLogFilter,
  options?: PageOptions,
): Collection<PorchlightEvent, EventLogPage> {
  return new Collection(transport, "/api/event-log", { ...filter, types: types?.join(",") }, options);
}
