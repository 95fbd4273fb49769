/** A home on a cluster: an account with its tokens, light hubs, and their devices. Its own file because it is made once and every client of a run is of it. */
import { type Clock, type Random, systemClock } from "@porchlight/shared/kernel";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import type { Cluster } from "./cluster.ts";
import { LightHub, type LightHubOptions } from "./hubs/light-hub.ts";
import type { Truth } from "./hubs/truth.ts";

export interface HomeDevice {
  readonly id: string;
  readonly edgeId: string;
  /** The hub that it lives on. */
  readonly hub: LightHub;
}

export interface ClusterHomeOptions {
  readonly cluster: Pick<Cluster, "url"> & { readonly hubLine: Pick<Cluster["hubLine"], "url"> };
  readonly hubs: number;
  readonly devicesPerHub: number;
  readonly random: Random;
  readonly clock?: Clock;
  /** Where each hub finds the service, by its number: the hubs' line when left out. */
  readonly urlOf?: (hub: number) => string;
  /** PEM of a CA that the hubs trust besides the usual ones. */
  readonly ca?: string;
  /** Of the hubs' reconnects. */
  readonly policy?: LightHubOptions["policy"];
}

const OWNER = { email: "owner@cluster.example", password: "a-long-and-quiet-password" };

export class ClusterHome implements AsyncDisposable {
  readonly truth: Truth;
  readonly environmentId: string;
  readonly ecosystemId: string;
  /** Through the load balancer. */
  readonly api: Api;
  /** An authentication token: of the account, and without end. */
  readonly token: string;
  readonly hubs: readonly LightHub[];
  readonly devices: readonly HomeDevice[];

  private constructor(parts: Omit<ClusterHome, typeof Symbol.asyncDispose>) {
    this.truth = parts.truth;
    this.environmentId = parts.environmentId;
    this.ecosystemId = parts.ecosystemId;
    this.api = parts.api;
    this.token = parts.token;
    this.hubs = parts.hubs;
    this.devices = parts.devices;
  }

  /** Settles when every device is online. */
  static async start({ cluster, clock = systemClock, ...options }: ClusterHomeOptions): Promise<ClusterHome> {
    const anonymous = new Api(cluster.url);
    const account = await anonymous.good<{ environmentId: string; ecosystemId: string }>(
      "POST",
      "/api/accounts",
      OWNER,
    );
    const { token } = await anonymous.good<{ token: string }>("POST", "/api/accounts/login", {
      ...OWNER,
      console: true,
    });
    const api = anonymous.as(token);
    const { environmentId } = account;
    const truth: Truth = { acts: [], reports: [], connections: [] };
    const hubs: LightHub[] = [];
    for (let number = 0; number < options.hubs; number++) {
      const { id: clientId } = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
      const made = await api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`);
      const { random, devicesPerHub: devices, policy, ca } = options;
      const url = options.urlOf?.(number) ?? cluster.hubLine.url;
      const who = { clientId, token: made.token, number, devices, url, ca, truth };
      hubs.push(LightHub.start({ clock, random, ...who, ...(policy && { policy }) }));
    }
    const devices = await allOnline(api, hubs);
    return new ClusterHome({ truth, ...account, api, token, hubs, devices });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.hubs.map((hub) => hub[Symbol.asyncDispose]()));
  }
}

/** Settles when the API shows every device of the hubs online, with a value. */
function allOnline(api: Api, hubs: readonly LightHub[]): Promise<HomeDevice[]> {
  const owners = new Map(hubs.flatMap((hub) => hub.devices.edgeIds.map((edgeId) => [edgeId, hub])));
  return eventually("every device is online", async () => {
    const { items } = await api.good<{ items: { id: string; edgeId: string; connection: { state: string } }[] }>(
      "GET",
      "/api/devices",
    );
    const online = items.flatMap(({ id, edgeId, connection }) => {
      const hub = owners.get(edgeId);
      return hub && connection.state === "online" ? [{ id, edgeId, hub }] : [];
    });
    return online.length === owners.size ? online : undefined;
  });
}
