/** Devices behind hubs that do what a test asks for: one is there and gives the ordered answer, the other has gone. */
import type { Home, Reply, TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { LAMP, LAMP_SERVICES, obey, silence } from "@porchlight/cloud/devices/devices.fixture.ts";
import { newKey, ScriptedHub } from "@porchlight/cloud/tunnels/tunnels.fixture.ts";
import type { ErrorName } from "@porchlight/shared/kernel";

/** Of the other hub. */
const OTHER = "00-00-00-00-00-09";
/** Longer than the wait that is asked for, and shorter than a lease. */
const PATIENCE = 3_000;
/** Longer than a hub may take to answer a question, ms: a backup has the longest time. */
const QUESTION_PATIENCE = 60_000;

export class HubDevices {
  readonly #cloud: TestCloud;
  readonly #hub: ScriptedHub;
  readonly #there: string;
  /** A device whose hub has gone. */
  readonly away: string;
  /** The clients of the hubs. */
  readonly clients: { readonly there: string; readonly away: string };
  #numbers = 0;

  private constructor(
    cloud: TestCloud,
    hub: ScriptedHub,
    devices: { readonly there: string; readonly away: string },
    clients: { readonly there: string; readonly away: string },
  ) {
    this.#cloud = cloud;
    this.#hub = hub;
    this.#there = devices.there;
    this.away = devices.away;
    this.clients = clients;
  }

  static async connect(cloud: TestCloud, home: Home, environmentId: string): Promise<HubDevices> {
    const { token } = home;
    const connect = async (edgeId: string) => {
      const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
      const made = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token });
      const principal = await cloud.app.authenticateClient(made.token);
      const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
      const hub = await ScriptedHub.connect(host, principal, { key: newKey(), hello: { edgeId } });
      const announced = { edgeId, digest: "d1", arrival: 1, online: true };
      await hub.ask("inventory", { digest: "all", devices: [announced] });
      await hub.ask("describe", { ...announced, about: {}, part: 0, parts: 1, services: LAMP_SERVICES });
      return { hub, clientId: String(client.id) };
    };
    const { hub, clientId } = await connect(LAMP);
    const other = await connect(OTHER);
    other.hub.cut();
    await cloud.clock.advance(0);
    const { items } = await cloud.good("GET", `/api/devices?environmentId=${environmentId}&type=physical`, { token });
    const idOf = (edgeId: string) => items.find((item: { edgeId: string }) => item.edgeId === edgeId).id;
    const devices = { there: idOf(LAMP), away: idOf(OTHER) };
    return new HubDevices(cloud, hub, devices, { there: clientId, away: other.clientId });
  }

  /** Asks something of a hub, which it refuses by that name, or does not answer. @param send asks of the client with that ID */
  async refusing(error: ErrorName, send: (clientId: string) => Promise<Reply>): Promise<Reply> {
    if (error === "Hub Offline") return send(this.clients.away);
    const asked = Promise.withResolvers<void>();
    const answer = (refusal: object) => () => {
      asked.resolve();
      return error === "Hub Timeout" ? silence() : refusal;
    };
    const drivers = answer({ refused: { name: error, detail: "no" } });
    this.#hub.answers = error === "Hub Outdated" ? {} : { drivers, maintenance: answer({ refused: "no" }) };
    const reply = send(this.clients.there);
    if (error !== "Hub Timeout") return reply;
    await asked.promise;
    let isOver = false;
    void reply.finally(() => {
      isOver = true;
    });
    // Its lease must outlast the wait.
    for (let waited = 0; !isOver && waited <= QUESTION_PATIENCE; waited += PATIENCE) {
      await this.#cloud.clock.advance(PATIENCE);
      await this.#hub.ask("heartbeat", { queued: 0, now: this.#cloud.clock.now() });
    }
    return reply;
  }

  /** Reads or sets a property of a device that then fails in that way. @param send asks for the device with that ID */
  async failing(error: ErrorName, send: (deviceId: string) => Promise<Reply>): Promise<Reply> {
    if (error === "Hub Offline") return send(this.away);
    const asked = Promise.withResolvers<void>();
    const failure = { name: error, detail: "no" };
    const outcome = error === "Device Rejected" ? "rejected" : "not_applied";
    const answer = <T>(result: T) => {
      asked.resolve();
      return error === "Hub Timeout" ? silence() : result;
    };
    this.#hub.answers = {
      read: () => answer({ items: [{ failure }] }),
      command: (params) => answer(obey(++this.#numbers, { value: undefined, outcome, failure })(params)),
    };
    const reply = send(this.#there);
    if (error === "Hub Timeout") {
      await asked.promise;
      await this.#cloud.clock.advance(PATIENCE);
    }
    return reply;
  }
}
