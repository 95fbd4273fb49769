/** The client: one object for one service and one token, with a member for each kind of resource. */
import type { ActivityStep } from "@porchlight/shared/api";
import { type Clock, type Random, systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { Collection, PageOptions } from "./collection.ts";
import {
  type EventLogFilter,
  type EventLogPage,
  eventLog,
  type PorchlightEvent,
  type StreamItem,
  type StreamOptions,
} from "./event.ts";
import { Accounts, OwnAccount } from "./resources/account.ts";
import { Clients, Pairings, Servers, Users } from "./resources/clients.ts";
import { Commands, Devices, Scenes } from "./resources/devices.ts";
import { Alerts, Webhooks } from "./resources/notifications.ts";
import { Ecosystems, Environments, Zones } from "./resources/places.ts";
import { type ActivityFilter, type ActivityStepPage, activityOf, Service } from "./resources/service.ts";
import { eventStream } from "./stream.ts";
import { type Fetch, Transport } from "./transport.ts";

export interface PorchlightOptions {
  /** The service's address, without `/api`: `https://porchlight.example`. */
  readonly baseUrl: string;
  /** A token of any kind; without one, only calls that need no token work. */
  readonly token?: string | undefined;
  /** Replaces the runtime's own `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Time limit of one try, milliseconds; 30,000 when omitted. Calls that wait for devices get a longer one. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries, where a retry is safe; 3 when omitted. */
  readonly retries?: number | undefined;
}

/** Dependencies that tests replace. */
export interface Seams {
  readonly clock: Clock;
  readonly random: Random;
}

export class Porchlight {
  /** Sign-up, log-in and lost passwords; needs no token. */
  readonly accounts: Accounts;
  /** The account or token of this client. */
  readonly account: OwnAccount;
  readonly ecosystems: Ecosystems;
  readonly environments: Environments;
  readonly zones: Zones;
  /** Values of devices and zones under one name, all set by one call. */
  readonly scenes: Scenes;
  readonly devices: Devices;
  readonly commands: Commands;
  readonly users: Users;
  readonly servers: Servers;
  readonly clients: Clients;
  /** Pairing: hubs obtain their tokens. */
  readonly pairings: Pairings;
  /** Events delivered to your own server. */
  readonly webhooks: Webhooks;
  /** Current and past problems, and which of them the account is notified of. */
  readonly alerts: Alerts;
  readonly service: Service;
  readonly #transport: Transport;

  constructor(options: PorchlightOptions, seams: Seams = { clock: systemClock, random: systemRandom }) {
    const transport = new Transport({
      baseUrl: options.baseUrl.replace(/\/+$/, ""),
      token: options.token,
      // Browsers reject a `fetch` that is called as a method of another object.
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

  /** A client for the same service with another token. */
  as(token: string): Porchlight {
    const { clock, random, ...options } = this.#transport.settings;
    return new Porchlight({ ...options, token }, { clock, random });
  }

  /**
   * Events as they happen. A broken connection resumes without gaps or duplicates. Leave the loop or abort the signal to stop.
   * @throws PorchlightError when the service rejects the request; the signal's reason
   */
  events(options: StreamOptions = {}): AsyncGenerator<StreamItem, void, undefined> {
    return eventStream(this.#transport, options);
  }

  /** The stored events, in pages. Each page states its range of sequences, and the range that is stored. */
  eventLog(filter: EventLogFilter = {}, options?: PageOptions): Collection<PorchlightEvent, EventLogPage> {
    return eventLog(this.#transport, filter, options);
  }

  /** Commands and requests over time, in pages of steps with their incidents. A missing step is unknown. */
  activity(filter: ActivityFilter = {}, options?: PageOptions): Collection<ActivityStep, ActivityStepPage> {
    return activityOf(this.#transport, filter, options);
  }
}
