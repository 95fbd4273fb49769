/** Types of the items in an event stream: events with the data of their type, snapshots, and resets after a loss of events. */
import type {
  Alert,
  AlertTest,
  Client,
  CommandTold,
  Device,
  Environment,
  Event,
  PropertyItem,
  Scene,
  SceneCalled,
  User,
  Zone,
} from "@porchlight/shared/api";
import type { EventPrefix, EventTypeOf } from "@porchlight/shared/events";
import type { PorchlightError } from "./errors.ts";

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
