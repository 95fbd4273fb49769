/** What an event stream tells, as types: every event with the data of its type, snapshots, and the loss of what is no longer kept. */
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
import type { PorchlightError } from "../transport/errors.ts";

export interface PropertyChange {
  readonly item: PropertyItem;
  readonly previousValue?: unknown;
  readonly cause: {
    readonly kind: "command" | "device" | "local" | "refresh" | "scene";
    /** Of the command that set this property. */
    readonly commandId?: string;
    readonly sceneId?: string;
    /** Of the call of the scene as a whole. */
    readonly sceneCommandId?: string;
    /** Why a hub called the scene by itself. */
    readonly by?: "api" | "event" | "time" | "sun";
    readonly tokenId?: string;
    /** Of a command: from when it was accepted until it was confirmed. */
    readonly durationMs?: number;
  };
}

/** What the events of a prefix tell. */
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

/** One of these types; a newer service may have more, so a `switch` needs a `default`. */
export type PorchlightEvent = { [P in EventPrefix]: Of<EventTypeOf<P>, DataOf[P]> }[EventPrefix];

export type StreamItem =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** All current values, and the sequence that they stand at. */
  | { readonly kind: "snapshot"; readonly sequence: number; readonly items: readonly PropertyItem[] }
  /** Events were missed that are no longer kept: what is known from before may be wrong. A snapshot follows if one was asked for. */
  | { readonly kind: "reset" };

export interface StreamOptions {
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
  /** Types, or `prefix.*`; all when left out. */
  readonly types?: readonly string[] | undefined;
  /** Whether to begin with all current values, and to begin so again after a reset. */
  readonly snapshot?: boolean | undefined;
  /** Sequence of the last event that was seen; from now on when left out. */
  readonly after?: number | undefined;
  /** Told whenever a connection is made, and whenever one is lost and another is waited for. */
  readonly onConnection?: ((state: ConnectionState) => void) | undefined;
  /** Told whenever the service has said anything, comments too: it says something every 5 s. */
  readonly onHeard?: (() => void) | undefined;
  /** After so long a silence the connection is taken for dead and another is made, ms; 45,000 when left out. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a stream stands: `lost` with the time until the next try, milliseconds, and why. */
export type ConnectionState =
  | { readonly state: "connected" }
  | { readonly state: "lost"; readonly nextTryMs: number; readonly cause?: PorchlightError | undefined };
