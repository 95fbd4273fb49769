/** The client: one object for one service and one token, with a member for each kind of resource. */
import type { ActivityStep } from "@porchlight/shared/api";
import { type Clock, type Random, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { type ActivityFilter, type ActivityStepPage, activityOf } from "./events/activity.ts";
import type { PorchlightEvent, StreamItem, StreamOptions } from "./events/event.ts";
import { type EventLogFilter, type EventLogPage, eventLog } from "./events/log.ts";
import { eventStream } from "./events/stream.ts";
import { Accounts, OwnAccount } from "./resources/account.ts";
import { Alerts } from "./resources/alerts.ts";
import { Clients, Servers, Users } from "./resources/clients.ts";
import { Commands, Devices } from "./resources/devices.ts";
import { Pairings } from "./resources/pairings.ts";
import { Ecosystems, Environments, Zones } from "./resources/places.ts";
import { Scenes } from "./resources/scenes.ts";
import { Service } from "./resources/service.ts";
import { Webhooks } from "./resources/webhooks.ts";
import type { Collection, PageOptions } from "./transport/collection.ts";
import { type Fetch, Transport } from "./transport/transport.ts";

export interface PorchlightOptions {
  /** The service's address, without `/api`: `https://porchlight.example`. */
  readonly baseUrl: string;
  /** Of any kind; without one only what needs none can be called. */
  readonly token?: string | undefined;
  /** In place of the runtime's own. */
  readonly fetch?: Fetch | undefined;
  /** How long one try may take, milliseconds; 30,000 when left out. Calls that wait for devices are given longer. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated at the most, where that is safe; 3 when left out. */
  readonly retries?: number | undefined;
}

/** What a test hands in. */
export interface Seams {
  readonly clock: Clock;
  readonly random: Random;
}

export class Porchlight {
  /** Sign-up, log-in and lost passwords: without a token. */
  readonly accounts: Accounts;
  /** The account or token that this client has. */
  readonly account: OwnAccount;
  readonly ecosystems: Ecosystems;
  readonly environments: Environments;
  readonly zones: Zones;
  /** Values of devices and zones under one name, set all at once. */
  readonly scenes: Scenes;
  readonly devices: Devices;
  readonly commands: Commands;
  readonly users: Users;
  readonly servers: Servers;
  readonly clients: Clients;
  /** How hubs get their tokens. */
  readonly pairings: Pairings;
  /** Events sent to a server of yours. */
  readonly webhooks: Webhooks;
  /** What is wrong, and which of it the account is told. */
  readonly alerts: Alerts;
  readonly service: Service;
  readonly #transport: Transport;

  constructor(options: PorchlightOptions, seams: Seams = { clock: systemClock, random: systemRandom }) {
    const transport = new Transport({
      baseUrl: options.baseUrl.replace(/\/+$/, ""),
      token: options.token,
      // Browsers refuse a `fetch` that is called as somebody's method.
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 3,
      ...seams,
    });
    this.#transport = transport;
    this.accounts = new Accounts(transport);
    this.account = new OwnAccount(transport);
    this.ecosystems = new Ecosystems(transport);
    this.environments = new Environments(transport);
    this.zones = new Zones(transport);
    this.scenes = new Scenes(transport);
    this.devices = new Devices(transport);
    this.commands = new Commands(transport);
    this.users = new Users(transport);
    this.servers = new Servers(transport);
    this.clients = new Clients(transport);
    this.pairings = new Pairings(transport);
    this.webhooks = new Webhooks(transport);
    this.alerts = new Alerts(transport);
    this.service = new Service(transport);
  }

  /** The same service with another token. */
  as(token: string): Porchlight {
    const { clock, random, ...options } = this.#transport.settings;
    return new Porchlight({ ...options, token }, { clock, random });
  }

  /**
   * Events as they happen. A broken connection resumes without a gap or a repeat. Leave the loop or abort the signal to end it.
   * @throws PorchlightError when the service refuses; the signal's reason
   */
  events(options: StreamOptions = {}): AsyncGenerator<StreamItem, void, undefined> {
    return eventStream(this.#transport, options);
  }

  /** The events that are kept, in pages. Each page says which sequences it covers, and which are kept. */
  eventLog(filter: EventLogFilter = {}, options?: PageOptions): Collection<PorchlightEvent, EventLogPage> {
    return eventLog(this.#transport, filter, options);
  }

  /** Commands and requests by time, in pages of steps, each with its incidents. A step that is not there is unknown. */
  activity(filter: ActivityFilter = {}, options?: PageOptions): Collection<ActivityStep, ActivityStepPage> {
    return activityOf(this.#transport, filter, options);
  }
}
