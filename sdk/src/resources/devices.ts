/** Devices with their services and properties, the commands that writes create, and scenes, which set several devices by one call. */
import type {
  Command,
  Device,
  HistorySeries,
  NewScene,
  ObjectUpdate,
  PropertyItem,
  PropertyList,
  Scene,
  SceneCapture,
  SceneResult,
  SceneUpdate,
  ServiceList,
  Why,
} from "@porchlight/shared/api";
import { readServerTiming } from "@porchlight/shared/kernel";
import type { Collection, PageOptions } from "../collection.ts";
import { type CallOptions, path, type Transport } from "../transport.ts";
import {
  type Confirmed,
  type HistoryFilter,
  type HistorySeriesPage,
  historyCsv,
  historyOf,
  patient,
  preference,
  type ReadOptions,
  readProperties,
  type WriteOptions,
  writeProperties,
} from "./history.ts";
import { type Meta, type ObjectOptions, Objects, type Sent } from "./objects.ts";
import type { InEnvironment } from "./places.ts";

export interface DeviceFilter {
  readonly environmentId?: string | undefined;
  /** Includes devices of zones within it. */
  readonly zoneId?: string | undefined;
  readonly type?: Device["type"] | undefined;
}

/** A property of a virtual device; for a standard property the name is enough. */
export type NewProperty =
  | string
  | (Partial<Omit<ServiceList["items"][number]["properties"][number], "property" | "modifiedAt" | "observedAt">> & {
      readonly property: string;
    });

export interface NewService {
  readonly service: string;
  /** "0" when omitted. */
  readonly index?: string | undefined;
  /** All properties of a standard class, when omitted. */
  readonly properties?: readonly NewProperty[] | undefined;
}

/** A virtual device: its values live in the cloud. */
export interface NewDevice {
  readonly environmentId: string;
  readonly alias?: string | null | undefined;
  readonly meta?: Meta | undefined;
  readonly services: readonly NewService[];
}

export interface SetOptions extends WriteOptions {
  /** Also return the time of each hop, as `timing` of the result. */
  readonly trace?: boolean | undefined;
  /** Report the value as the virtual device's own sensor would, even for a property that is not writable. */
  readonly report?: true | undefined;
}

export interface SetAsyncOptions extends CallOptions {
  /** Lifetime of the command, also while it waits for an offline hub, seconds, 1 to 86,400; 60 when omitted. */
  readonly ttlSeconds?: number | undefined;
  /** Report the value as the virtual device's own sensor would, even for a property that is not writable. */
  readonly report?: true | undefined;
}

export class Devices extends Objects<Device, NewDevice, Sent<ObjectUpdate>, DeviceFilter> {
  constructor(transport: Transport) {
    super(transport, "/api/devices");
  }

  /** Services of the device, with their values. @throws PorchlightError */
  async services(reference: string, options: CallOptions = {}): Promise<ServiceList["items"]> {
    return (await this.transport.get<ServiceList>(`${this.at(reference)}/services`, options)).items;
  }

  /**
   * Properties of the device.
   * @param selector `SERVICE`, `SERVICE.PROPERTY`, `SERVICE:INDEX` or `SERVICE:INDEX.PROPERTY`
   * @throws PorchlightError
   */
  properties(reference: string, selector: string, options: ReadOptions = {}): Promise<PropertyList> {
    return readProperties(this.transport, "devices", reference, selector, options);
  }

  /**
   * History of its properties, with the gaps in which nothing is known.
   * @param selector as for {@link properties}
   */
  history(
    reference: string,
    selector: string,
    filter: HistoryFilter = {},
    options?: PageOptions,
  ): Collection<HistorySeries, HistorySeriesPage> {
    return historyOf(this.transport, "devices", reference, selector, filter, options);
  }

  /** The same history as CSV. @throws PorchlightError */
  historyCsv(
    reference: string,
    selector: string,
    filter: HistoryFilter = {},
    options: CallOptions = {},
  ): Promise<string> {
    return historyCsv(this.transport, "devices", reference, selector, filter, options);
  }

  /**
   * Why a property has its value: what changed it, and the obstacles of a requested value.
   * @param selector `SERVICE.PROPERTY` or `SERVICE:INDEX.PROPERTY`
   * @throws PorchlightError
   */
  async why(reference: string, selector: string, options: CallOptions = {}): Promise<Why> {
    return this.transport.get<Why>(`${this.at(reference)}${path`/services/${selector}/why`}`, options);
  }

  /**
   * Sets a property and waits until the device has confirmed it: `item.value` is the value that the device reports.
   * @throws PorchlightError; its `outcome` is that of the write, its `commandId` is for `commands.get`
   */
  async set(reference: string, selector: string, value: unknown, options: SetOptions = {}): Promise<Confirmed> {
    const { report } = options;
    const sent = { value, ...(report && { report }) };
    const { body, headers } = await writeProperties<PropertyItem>(
      this.transport,
      "devices",
      reference,
      selector,
      sent,
      options,
    );
    const commandId = headers.get("x-command-id") ?? "";
    return { item: body, commandId, ...(options.trace && { timing: readServerTiming(headers.get("server-timing")) }) };
  }

  /**
   * Sets a property without waiting for the device: the command waits while its hub is offline, and an event reports its end.
   * @returns the command in its current state; `commands.get` returns later ones
   * @throws PorchlightError
   */
  async setAsync(reference: string, selector: string, value: unknown, options: SetAsyncOptions = {}): Promise<Command> {
    const { report, ttlSeconds } = options;
    const body = { value, ...(report && { report }), ...(ttlSeconds !== undefined && { ttlSeconds }) };
    const at = `${this.at(reference)}${path`/services/${selector}`}`;
    const headers = { prefer: "respond-async" };
    const request = { method: "PUT", path: at, body, headers, repeat: "keyed" } as const;
    return (await this.transport.send<Command>(request, options)).body;
  }

  /** @deprecated Alias of {@link setAsync}. */
  give(reference: string, selector: string, value: unknown, options: SetAsyncOptions = {}): Promise<Command> {
    return this.setAsync(reference, selector, value, options);
  }
}

export class Commands {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The state or outcome of a write. @throws PorchlightError */
  async get(id: string, options: CallOptions = {}): Promise<Command> {
    return this.#transport.get<Command>(path`/api/commands/${id}`, options);
  }
}

/** A request body with the client's type for metadata. */
type WithMeta<T> = Omit<T, "meta"> & { readonly meta?: Meta | undefined };

interface SceneCallOptions extends WriteOptions {
  /** Write only to these devices, for example to those in `failures`. */
  readonly only?: readonly string[] | undefined;
}

export class Scenes extends Objects<Scene, WithMeta<NewScene>, WithMeta<SceneUpdate>, InEnvironment> {
  constructor(transport: Transport) {
    super(transport, "/api/scenes");
  }

  /** Creates a scene from the current values of devices. @throws PorchlightError */
  async capture(body: WithMeta<SceneCapture>, options: ObjectOptions = {}): Promise<Scene> {
    const headers = { "x-system-metadata-prefix": options.systemMetadataPrefix };
    const request = { method: "POST", path: `${this.path}/capture`, body, headers, repeat: "keyed" } as const;
    return (await this.transport.send<Scene>(request, options)).body;
  }

  /** Sets all properties of the scene and returns the result of each: check `failures`. @throws PorchlightError */
  async call(reference: string, options: SceneCallOptions = {}): Promise<SceneResult> {
    const { only, wait } = options;
    const headers = { prefer: preference(wait) };
    const request = {
      ...({ method: "POST", path: `${this.at(reference)}/call`, headers, repeat: "keyed" } as const),
      body: only ? { only } : {},
    };
    return (await this.transport.send<SceneResult>(request, patient(this.transport, options))).body;
  }
}
