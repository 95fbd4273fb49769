/** Ecosystems, environments and zones: the containers of devices, and access to the properties of all their devices. */
import type {
  DeviceServicesList,
  Ecosystem,
  Environment,
  EnvironmentUpdate,
  HistorySeries,
  HistorySettings,
  HistorySettingsUpdate,
  NewEnvironment,
  NewZone,
  ObjectUpdate,
  PropertyList,
  Sink,
  SinkTestResult,
  SinkUpdate,
  WriteList,
  Zone,
  ZoneUpdate,
} from "@porchlight/shared/api";
import type { Collection, PageOptions } from "../collection.ts";
import { type CallOptions, path, type Transport } from "../transport.ts";
import {
  type HistoryFilter,
  type HistorySeriesPage,
  historyCsv,
  historyOf,
  type Owner,
  type ReadOptions,
  readProperties,
  type WriteOptions,
  writeProperties,
} from "./history.ts";
import { Objects, type Sent } from "./objects.ts";

export interface InEcosystem {
  readonly ecosystemId?: string | undefined;
}
export interface InEnvironment {
  readonly environmentId?: string | undefined;
}

export class Ecosystems extends Objects<Ecosystem, Sent<ObjectUpdate>, Sent<ObjectUpdate>> {
  constructor(transport: Transport) {
    super(transport, "/api/ecosystems");
  }

  /** How long the ecosystem keeps history. @throws PorchlightError */
  async historySettings(reference: string, options?: CallOptions): Promise<HistorySettings> {
    return this.transport.get<HistorySettings>(settingsPath(reference), options);
  }

  /** Changes the given fields. @throws PorchlightError */
  async updateHistorySettings(reference: string, body: HistorySettingsUpdate, options?: CallOptions): Promise<void> {
    await this.transport.put(settingsPath(reference), body, options);
  }

  /** The database that receives the ecosystem's property values, and the progress of the writes. @throws PorchlightError */
  async sink(reference: string, options?: CallOptions): Promise<Sink> {
    return this.transport.get<Sink>(sinkPath(reference), options);
  }

  /** Creates the sink, or changes the given fields. @throws PorchlightError */
  async setSink(reference: string, body: SinkUpdate, options?: CallOptions): Promise<void> {
    await this.transport.put(sinkPath(reference), body, options);
  }

  /** Tests the receiver with a write without lines. @throws PorchlightError */
  async testSink(reference: string, options?: CallOptions): Promise<SinkTestResult> {
    return this.transport.post<SinkTestResult>(`${sinkPath(reference)}/test`, undefined, options);
  }

  /** Deletes the sink; its receiver keeps the written data. @throws PorchlightError */
  async deleteSink(reference: string, options?: CallOptions): Promise<void> {
    await this.transport.delete(sinkPath(reference), options);
  }
}

function sinkPath(reference: string): string {
  return `/api/ecosystems${path`/${reference}/sink`}`;
}

function settingsPath(reference: string): string {
  return `/api/ecosystems${path`/${reference}/history-settings`}`;
}

/** A container whose devices are read and set together. */
class Place<R, N, U, F extends object> extends Objects<R, N, U, F> {
  readonly #owner: Owner;

  constructor(transport: Transport, owner: Owner) {
    super(transport, `/api/${owner}`);
    this.#owner = owner;
  }

  /**
   * Properties of all devices in it. Failed reads are in `failures`, even when the call succeeds.
   * @param selector `SERVICE`, `SERVICE.PROPERTY`, `SERVICE:INDEX` or `SERVICE:INDEX.PROPERTY`
   * @throws PorchlightError
   */
  properties(reference: string, selector: string, options: ReadOptions = {}): Promise<PropertyList> {
    return readProperties(this.transport, this.#owner, reference, selector, options);
  }

  /** Sets a property on every device that has it; check `failures`. @throws PorchlightError */
  async setProperties(
    reference: string,
    selector: string,
    value: unknown,
    options: WriteOptions = {},
  ): Promise<WriteList> {
    return (await writeProperties<WriteList>(this.transport, this.#owner, reference, selector, { value }, options))
      .body;
  }

  /**
   * History of the properties of all its devices, one series each, with the gaps in which nothing is known.
   * @param selector as for {@link properties}
   */
  history(
    reference: string,
    selector: string,
    filter: HistoryFilter = {},
    options?: PageOptions,
  ): Collection<HistorySeries, HistorySeriesPage> {
    return historyOf(this.transport, this.#owner, reference, selector, filter, options);
  }

  /** The same history as CSV. @throws PorchlightError */
  historyCsv(
    reference: string,
    selector: string,
    filter: HistoryFilter = {},
    options: CallOptions = {},
  ): Promise<string> {
    return historyCsv(this.transport, this.#owner, reference, selector, filter, options);
  }
}

export class Environments extends Place<Environment, Sent<NewEnvironment>, Sent<EnvironmentUpdate>, InEcosystem> {
  constructor(transport: Transport) {
    super(transport, "environments");
  }

  /** Services of each of its devices, with their values. @throws PorchlightError */
  async services(reference: string, options: CallOptions = {}): Promise<DeviceServicesList["items"]> {
    return (await this.transport.get<DeviceServicesList>(`${this.at(reference)}/services`, options)).items;
  }
}

export class Zones extends Place<Zone, Sent<NewZone>, Sent<ZoneUpdate>, InEnvironment> {
  constructor(transport: Transport) {
    super(transport, "zones");
  }
}
