/** The module as a whole: the functions that routes call, over one cache, one set of shared reads and the tunnels. */
import type { Device, NewDevice, PropertyList, ServiceList } from "@porchlight/shared/api";
import { type Clock, type IdMaker, type Log, TimingBreakdown } from "@porchlight/shared/kernel";
import type {
  DescribedProperty,
  DriverAnswer,
  DriverQuestion,
  MaintenanceAnswer,
  MaintenanceQuestion,
} from "@porchlight/shared/model";
import { selectDefined } from "@porchlight/shared/rest";
import type { Caller, Quotas, References, Resolved } from "../access/index.ts";
import type { Note, Others } from "../nodes/index.ts";
import type { CommandRow, Store } from "../store/index.ts";
import { CommandQueue } from "./commands/command-queue.ts";
import { StoredResults } from "./commands/command-result.ts";
import { readCommand } from "./commands/command-store.ts";
import { UnstoredEnds } from "./commands/doubtful-command.ts";
import { CommandExpiry } from "./commands/expire-commands.ts";
import { HubWatch } from "./commands/hub-watch.ts";
import { OpenDeadlines } from "./commands/recover-commands.ts";
import { createDevice } from "./create-device.ts";
import type { DeviceSnapshot } from "./device-row.ts";
import { EnvironmentCache } from "./environment-cache.ts";
import type { EnvironmentState, Selected } from "./environment-state.ts";
import { HubNames, HubTeller } from "./hub-teller.ts";
import type { HubView } from "./hub-view.ts";
import { HubEventHandler } from "./ingest/hub-event-handler.ts";
import {
  changeDevice,
  type DeviceChange,
  type DeviceListQuery,
  deleteDevice,
  getDevice,
  listDevices,
  showDevice,
} from "./list-devices.ts";
import { type DeferRequest, type Deferred, deferCommand } from "./properties/defer-command.ts";
import {
  type CachedProperties,
  cachedProperties,
  deviceServices,
  environmentServices,
  type GetPropertiesDeps,
  propertyOf,
  type RefreshRequest,
  refreshedProperties,
} from "./properties/get-properties.ts";
import {
  type EachResult,
  environmentOf,
  idsOf,
  type PropertyScope,
  type SetEachRequest,
  type SetPropertiesRequest,
  setEach,
  setProperties,
  type WriteAnswer,
  zoneScope,
} from "./properties/set-properties.ts";
import { type SetPropertyDeps, setProperty } from "./properties/set-property.ts";
import type { SetPropertyRequest, SetPropertyResult } from "./relay/accepted-write.ts";
import { ABOUT_DRIVERS, ABOUT_ITSELF, HubQuestions, type HubRequest } from "./relay/hub-questions.ts";
import { RemoteReads } from "./relay/remote-reads.ts";
import { RemoteWrites } from "./relay/remote-writes.ts";
import { TunnelLocator, type TunnelNodes } from "./relay/tunnel-locator.ts";
import { SharedReads } from "./shared-reads.ts";

export interface DeviceMemoryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly quotas: Quotas;
  /** The other nodes; undefined for a single node. */
  readonly others?: Others | undefined;
}

/** The state that hubs write and use-cases read: created before the tunnels, which get its event handler. */
export class DeviceMemory {
  readonly cache: EnvironmentCache;
  readonly deadlines = new OpenDeadlines();
  readonly storedResults = new StoredResults();
  readonly queue: CommandQueue;
  readonly teller: HubTeller;
  /** Handles the events of the tunnels. */
  readonly hubEvents: HubEventHandler;

  constructor(deps: DeviceMemoryDeps) {
    this.cache = new EnvironmentCache(deps.store, deps.others);
    this.teller = new HubTeller(deps, [new HubNames(deps.store)]);
    this.queue = new CommandQueue({ ...deps, deadlines: this.deadlines });
    const { cache, deadlines, storedResults, teller, queue } = this;
    this.hubEvents = new HubEventHandler({ ...deps, cache, deadlines, storedResults, teller, queue });
  }
}

export interface DevicesDeps extends DeviceMemoryDeps {
  readonly memory: DeviceMemory;
  readonly hubs: HubView;
  readonly references: References;
  readonly nodes?: TunnelNodes | undefined;
}

export class Devices implements AsyncDisposable {
  readonly #deps: DevicesDeps &
    Pick<DeviceMemory, "cache" | "deadlines" | "storedResults" | "teller" | "queue"> &
    Pick<SetPropertyDeps, "recover" | "elsewhere"> & { readonly unstored: UnstoredEnds } & Pick<
      GetPropertiesDeps,
      "readsElsewhere"
    > & { readonly reads: SharedReads };
  readonly #expiry: CommandExpiry;
  readonly #search: TunnelLocator | undefined;
  readonly #drivers: HubQuestions<DriverQuestion, DriverAnswer>;
  readonly #maintenance: HubQuestions<MaintenanceQuestion, MaintenanceAnswer>;
  /** Watches for commands that other nodes have stored for the hubs of this one. */
  readonly #watches: readonly AsyncDisposable[];

  private constructor(deps: DevicesDeps) {
    const { cache, deadlines, storedResults, teller, queue, hubEvents } = deps.memory;
    queue.use(deps.hubs);
    const reads = new SharedReads({ ...deps, cache });
    const unstored = new UnstoredEnds(deps);
    const memory = { cache, deadlines, storedResults, teller, queue };
    const here = { ...deps, ...memory, unstored, reads, recover: hubEvents.recover.bind(hubEvents) };
    const search = deps.nodes && new TunnelLocator({ ...deps, nodes: deps.nodes });
    this.#search = search;
    const there = deps.nodes && search ? { ...here, nodes: deps.nodes, search } : undefined;
    this.#deps = {
      ...here,
      elsewhere: there && RemoteWrites.start(there),
      readsElsewhere: there && RemoteReads.start(there),
    };
    this.#drivers = HubQuestions.start({ ...deps, elsewhere: there }, ABOUT_DRIVERS);
    this.#maintenance = HubQuestions.start({ ...deps, elsewhere: there }, ABOUT_ITSELF);
    this.#expiry = CommandExpiry.start(deps);
    const { nodes } = deps;
    const watched = nodes && { ...deps, nodeId: () => nodes.nodeId() };
    this.#watches = watched
      ? [
          HubWatch.ofQueued(watched, (clientId) => queue.look(clientId)),
          HubWatch.ofOverdue(watched, (clientId) => this.#recover(clientId)),
        ]
      : [];
  }

  static start(deps: DevicesDeps): Devices {
    return new Devices(deps);
  }

  list(query: DeviceListQuery): Promise<DeviceSnapshot[]> {
    return listDevices(this.#deps.store, query);
  }

  /** @throws "Device Not Found" */
  get(ecosystemId: string, deviceId: string): Promise<DeviceSnapshot> {
    return getDevice(this.#deps.store, ecosystemId, deviceId);
  }

  show(device: DeviceSnapshot, prefix: string): Device {
    return showDevice(this.#deps.hubs, device, prefix);
  }

  create(caller: Caller, given: NewDevice, prefix: string): Promise<DeviceSnapshot> {
    return createDevice(this.#deps, caller, given, prefix);
  }

  change(caller: Caller, target: Resolved<"dev">, change: DeviceChange): Promise<number> {
    return changeDevice(this.#deps, caller, target, change);
  }

  delete(caller: Caller, target: Resolved<"dev">, matches?: (version: number) => boolean): Promise<void> {
    return deleteDevice(this.#deps, caller, target, matches);
  }

  /** All devices in a zone and its zones, each once. */
  inZone(zone: Resolved<"zon">): Promise<PropertyScope> {
    return zoneScope(this.#deps.store, zone);
  }

  services(scope: PropertyScope & { readonly deviceId: string }): Promise<ServiceList> {
    return deviceServices(this.#deps.cache, scope);
  }

  /** The services of all devices of the environment. */
  allServices(scope: PropertyScope): Promise<CachedProperties> {
    return environmentServices(this.#deps.cache, scope);
  }

  /** Every property that a selector matches. @throws "Device Not Found", "Service Not Found", "Service Property Invalid" */
  async selected(scope: PropertyScope, selector: string): Promise<readonly Selected[]> {
    return selectDefined(await environmentOf(this.#deps.cache, scope), { selector, among: idsOf(scope) });
  }

  /** The one property of a device that a selector names. @throws "Device Not Found", "Service Not Found", "Service Property Invalid" */
  property(scope: PropertyScope & { readonly deviceId: string }, selector: string): Promise<DescribedProperty> {
    return propertyOf(this.#deps.cache, scope, selector);
  }

  cached(scope: PropertyScope, selector: string): Promise<CachedProperties> {
    return cachedProperties(this.#deps, scope, selector);
  }

  refreshed(scope: PropertyScope, request: RefreshRequest): Promise<PropertyList> {
    return refreshedProperties(this.#deps, scope, request);
  }

  /** A timing breakdown, for a caller that requests one. */
  hops(): TimingBreakdown {
    return new TimingBreakdown(this.#deps.clock);
  }

  set(request: SetPropertyRequest): Promise<SetPropertyResult> {
    return setProperty(this.#deps, request);
  }

  /** Sets a property for a caller that does not wait. */
  defer(request: DeferRequest): Promise<Deferred> {
    return deferCommand({ ...this.#deps, expiry: this.#expiry }, request);
  }

  /** The writes of one call of a scene, each with its own answer, in order. */
  setEach(request: SetEachRequest): Promise<readonly EachResult[]> {
    return setEach(this.#deps, request);
  }

  /** The environment in memory: its devices, their descriptions and their values. */
  environment(ecosystemId: string, environmentId: string): EnvironmentState | Promise<EnvironmentState> {
    return this.#deps.cache.get(ecosystemId, environmentId);
  }

  /** Stores an end that the store refused, as soon as it works again. @param commandId for the log */
  storeLater(commandId: string, store: () => Promise<unknown>): void {
    this.#deps.unstored.keep(commandId, store);
  }

  setAll(scope: PropertyScope, request: SetPropertiesRequest): Promise<WriteAnswer> {
    return setProperties(this.#deps, scope, request);
  }

  /** Relays a user's question to a hub's drivers. @throws "Hub Offline", "Hub Timeout", "Hub Outdated", "Service Unavailable" */
  askDrivers(request: HubRequest<DriverQuestion>): Promise<DriverAnswer> {
    return this.#drivers.ask(request);
  }

  /** Relays a user's question to a hub itself. @throws "Hub Offline", "Hub Timeout", "Hub Outdated", "Service Unavailable" */
  askMaintenance(request: HubRequest<MaintenanceQuestion>): Promise<MaintenanceAnswer> {
    return this.#maintenance.ask(request);
  }

  /** A command of the ecosystem; undefined when it is no longer kept. */
  command(ecosystemId: string, commandId: string): Promise<CommandRow | undefined> {
    return readCommand(this.#deps.store.of(ecosystemId).sql, ecosystemId, commandId);
  }

  /** Handles a notification of another node about cached state. */
  heard(note: Note): void {
    const { cache, teller, queue } = this.#deps;
    if (note.kind === "value") {
      const { environmentId, deviceId, key, value, number, modifiedAt, observedAt } = note;
      cache.putValue(environmentId, deviceId, key, { value, number, modifiedAt, observedAt });
    }
    if (note.kind === "environment") cache.reread(note.environmentId);
    // The scenes that a hub stores depend on the devices of other hubs too.
    if (note.kind === "names" || note.kind === "environment") teller.look(note.environmentId);
    if (note.kind === "queue") queue.look(note.clientId);
    if (note.kind === "tunnel") this.#search?.moved(note.clientId);
    if (note.kind === "recover") this.#recover(note.clientId);
  }

  /** Drops the caches of an ecosystem that may have changed without a notification. */
  forget(ecosystemId: string): void {
    this.#deps.cache.rereadAll(ecosystemId);
  }

  /** The deletion of a client includes its devices: drops the cached environment. */
  environmentChanged(environmentId: string): void {
    this.#deps.cache.forget(environmentId);
    this.#deps.teller.look(environmentId);
  }

  /** Handles a changed alias, zone, scene, time zone or location of an environment: its hubs need the new state. */
  homeChanged(environmentId: string): void {
    this.#deps.teller.changed(environmentId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#watches.map((watch) => watch[Symbol.asyncDispose]()));
    await this.#expiry[Symbol.asyncDispose]();
    await this.#deps.teller[Symbol.asyncDispose]();
    await this.#deps.unstored[Symbol.asyncDispose]();
    await this.#deps.queue[Symbol.asyncDispose]();
    await this.#deps.memory.hubEvents.idle();
  }

  /** Asks a hub about its open commands, if it is connected here. */
  #recover(clientId: string): void {
    const tunnel = this.#deps.hubs.live(clientId);
    if (tunnel) this.#deps.recover(tunnel);
  }
}
