/** A home with a real cloud, a real hub and scripted devices, and the two addresses at which its API is served. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "@porchlight/agent";
import { ScriptedDriver } from "@porchlight/agent/commands/scripted-driver.fixture.ts";
import { BUTTON, device, LAMP } from "@porchlight/agent/state/state.fixture.ts";
import { webSocketDial } from "@porchlight/agent/uplink/websocket.ts";
import type { SharedHost } from "@porchlight/driver-kit";
import { type Log, silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { MessageSocket } from "@porchlight/shared/tunnel";
import { eventually } from "../../parts/eventually.ts";
import { ContractCloud, type Owner } from "../cloud.ts";

/** An answer as the cases look at it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any route, looked into by tests that know it
  readonly body: any;
}

export interface Asked {
  readonly body?: unknown;
  /** In place of `body`: as it stands. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** "" sends none; the side's own when left out. */
  readonly token?: string;
}

/** Where the API of the home is served: by the cloud, or by the hub. */
export interface Side {
  readonly url: string;
  readonly token: string;
  readonly environmentId: string;
  readonly ecosystemId: string;
  readonly clientId: string;
  /** IDs. */
  readonly lamp: string;
  readonly button: string;
  /** ID of a scene that sets the switch and the level of the lamp, and the switch beside the button. */
  readonly scene: string;
  /** What the devices do. */
  readonly driver: ScriptedDriver;
  /** The button sends an event; settles when the hub has it. */
  press(what: string): Promise<void>;
  /** The lamp leaves its link, or comes back; settles when the side reports it. */
  lampIsThere(there: boolean): Promise<void>;
  call(method: string, path: string, asked?: Asked): Promise<Reply>;
}

export class House implements AsyncDisposable {
  readonly driver = new ScriptedDriver();
  readonly #folder = mkdtempSync(join(tmpdir(), "porchlight-at-home-"));
  readonly #stack = new AsyncDisposableStack();
  readonly #sockets = new Set<MessageSocket>();
  #isCut = false;
  #hosts: SharedHost[] = [];
  #agent: Agent | undefined;
  #cloud: ContractCloud | undefined;
  #owner: Owner | undefined;
  #presses = 0;
  #clientId = "";
  #lamp = "";
  #button = "";
  #localToken = "";
  #scene = "";

  /** A house in which all is well: the hub online, its devices named, and the hub notified of it. */
  static async build(log: Log = silentLog): Promise<House> {
    const house = new House();
    try {
      await house.#build(log);
      return house;
    } catch (failure) {
      await house[Symbol.asyncDispose]();
      throw failure;
    }
  }

  get agent(): Agent {
    return needed(this.#agent);
  }

  get owner(): Owner {
    return needed(this.#owner);
  }

  /** The hub's address. */
  get homeUrl(): string {
    return needed(this.agent.status().localApi?.url);
  }

  /** The API as the cloud serves it, to a user. */
  get inTheCloud(): Side {
    return this.#side(needed(this.#cloud).url, this.owner.userToken);
  }

  /** The API as the hub serves it. */
  get atHome(): Side {
    return this.#side(this.homeUrl, this.#localToken);
  }

  /** The line of the house is cut: the tunnel ends and no other can be made. */
  async cut(): Promise<void> {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.close(1001, "cut");
    await eventually("the hub is alone", async () => !this.agent.status().tunnel.live);
  }

  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #build(log: Log): Promise<void> {
    const cloud = this.#stack.use(await ContractCloud.start("SQLite"));
    this.#cloud = cloud;
    this.#owner = await cloud.owner();
    const { asAccount, environmentId } = this.#owner;
    this.#clientId = (await asAccount.clients.create({ environmentId })).id;
    const { token = "" } = await asAccount.clients.createToken(this.#clientId);
    this.#agent = this.#stack.use(await this.#startAgent(cloud.url, token, log));
    for (const edgeId of [LAMP, BUTTON]) this.#arrive(edgeId);
    const { devices } = asAccount;
    await eventually("the cloud knows the devices", async () => (await devices.list().all()).length === 2);
    for (const { id, edgeId } of await devices.list().all()) {
      if (edgeId === LAMP) this.#lamp = id;
      else this.#button = id;
    }
    await asAccount.environments.update(environmentId, { alias: "house" });
    await devices.update(this.#lamp, { alias: "lamp", meta: { room: "hall", "$.colour": "red" } });
    await this.#makeScene();
    const made = await ask(this.#agent, "token create", { label: "test" });
    this.#localToken = (made as { readonly token: string }).token;
    const named = async () => {
      const { body } = await this.atHome.call("GET", "/api/devices");
      const aliases = body.items.map(({ alias }: { readonly alias?: string }) => alias);
      return aliases.length === 2 && aliases.includes("lamp");
    };
    await eventually("the hub knows their names", named);
    const { call, ecosystemId } = this.atHome;
    const known = `/api/environments/${ecosystemId};house/services/Switch`;
    await eventually("and that of the house", async () => (await call("GET", known)).status === 200);
    for (const [selector, value] of [
      ["Switch:0.on", false],
      ["LightLevel:0.level", 10],
    ] as const)
      await this.inTheCloud.call("PUT", `/api/devices/${this.#lamp}/services/${selector}`, { body: { value } });
  }

  async #makeScene(): Promise<void> {
    const { asAccount, environmentId } = this.owner;
    const items = [
      { target: this.#lamp, service: "Switch.on", value: true },
      { target: this.#lamp, service: "LightLevel.level", value: 80 },
      { target: this.#button, service: "Switch.on", value: true },
    ];
    const meta = { mood: "calm", "$.name": "Evening" };
    this.#scene = (await asAccount.scenes.create({ environmentId, alias: "evening", meta, items })).id;
    await eventually("the hub stores the scene", async () => this.agent.status().scenes?.stored === 1);
  }

  #startAgent(cloudUrl: string, token: string, log: Log): Promise<Agent> {
    const dial = webSocketDial({ clock: systemClock, env: {} });
    return Agent.start({
      clock: systemClock,
      random: systemRandom,
      log,
      dataDir: join(this.#folder, "agent"),
      cloudUrl,
      tokens: { read: () => token, write: () => undefined, remove: () => undefined },
      dial: async (url, presented, signal) => {
        if (this.#isCut) throw new Error("the line is cut");
        const socket = await dial(url, presented, signal);
        this.#sockets.add(socket);
        return socket;
      },
      drivers: (host) => {
        this.#hosts = [host];
        return [this.driver];
      },
      localApi: { host: "127.0.0.1", port: 0 },
      settings: { groupMs: 1, uplink: { backoff: { firstMs: 50, capMs: 200, stableMs: 60_000 } } },
    });
  }

  #arrive(edgeId: string): void {
    this.driver.live.add(edgeId);
    this.#hosts[0]?.arrived(device(edgeId));
  }

  #side(url: string, token: string): Side {
    const { environmentId, ecosystemId } = this.owner;
    const call = (method: string, path: string, asked: Asked = {}) =>
      this.#call(url, method, path, { token, ...asked });
    const lampIsThere = async (there: boolean) => {
      if (there) this.#arrive(LAMP);
      else {
        this.driver.live.delete(LAMP);
        this.#hosts[0]?.left(LAMP);
      }
      const state = there ? "online" : "offline";
      await eventually(`the lamp is ${state}`, async () => {
        const { body } = await call("GET", `/api/devices/${this.#lamp}`);
        return body.connection.state === state;
      });
    };
    const press = async (value: string) => {
      this.#presses += 1;
      const button = { device: BUTTON, service: "Button", index: "0", property: "event" };
      await this.#hosts[0]?.reported({ ...button, value }, { node: BUTTON, boot: 1, seq: this.#presses });
    };
    const ids = {
      environmentId,
      ecosystemId,
      clientId: this.#clientId,
      lamp: this.#lamp,
      button: this.#button,
      scene: this.#scene,
    };
    return { url, token, ...ids, driver: this.driver, press, lampIsThere, call };
  }

  /** Every answer, of either side, is held against the cloud's OpenAPI document. */
  async #call(url: string, method: string, path: string, asked: Asked): Promise<Reply> {
    const { token = "", body, text, headers } = asked;
    const response = await needed(this.#cloud).fetch(url + path, {
      method,
      headers: {
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(text !== undefined ? { body: text } : body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, body: answer === "" ? undefined : JSON.parse(answer) };
  }
}

/** Asks the agent as `porchlight-agent` does. */
export function ask(agent: Agent, what: string, about?: unknown): unknown {
  return agent.answers()[what]?.(about);
}

function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the house is not built yet");
  return value;
}
