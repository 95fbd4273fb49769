/** A hub whose API at home is asked past HTTP: its state, commands and scripted devices on one virtual clock. */
import { seededRandom, silentLog } from "@porchlight/shared/kernel";
import { Commands } from "../commands/commands.ts";
import { DeviceAvailability } from "../commands/device-availability.ts";
import { NO_DOUBTS } from "../commands/no-doubts.fixture.ts";
import { ScriptedDriver } from "../commands/scripted-driver.fixture.ts";
import type { AskDrivers } from "../drivers/index.ts";
import type { State } from "../state/index.ts";
import { Disk, device, LAMP } from "../state/state.fixture.ts";
import { Following, turns } from "./following.fixture.ts";
import { type HomeAnswer, HomeCall, type HomeRoute } from "./home-call.ts";
import { homeApi } from "./index.ts";

const HUB = "02-00-00-00-00-01";
const TOKEN = { id: "tok_1", hash: "ab", label: "", createdAt: 0 };
export const LAMP_ID = "dev_01kad2vqz0fv8t7vqh5v8q5x5r";
export const ENVIRONMENT = "env_01kad2vqz0fv8t7vqh5v8q5x5r";

export class AtHome implements Disposable {
  readonly disk = new Disk();
  readonly driver = new ScriptedDriver();
  /** Another agent with the hub's identity is online. */
  isSuperseded = false;
  /** Most bytes of events that are kept from the next start on; as many as ever when left out. */
  eventBytes: number | undefined;
  /** Most changes of properties that are kept, likewise. */
  mostChanges: number | undefined;
  /** How long a write waits for others, ms, likewise. */
  groupMs: number | undefined;
  /** What the hub's drivers answer. */
  askDrivers: AskDrivers = async () => ({ drivers: [] });
  /** So many commits are refused by the disk. */
  refuseCommits = 0;
  #version = 0;
  state: State = this.#open();
  #routes: readonly HomeRoute[] = [];

  /** A hub with a live lamp that the cloud has named. */
  static async make(): Promise<AtHome> {
    const home = new AtHome();
    home.driver.live.add(LAMP);
    await home.disk.done(home.state.arrive(device()));
    await home.state.home.addToken(TOKEN);
    await home.name(LAMP_ID);
    home.#serve();
    return home;
  }

  get clock() {
    return this.disk.clock;
  }

  /** The cloud sends its name of the lamp, or another device. */
  async name(id: string, alias = "lamp", edgeId = LAMP, environmentId = ENVIRONMENT): Promise<void> {
    const place = { ecosystemId: "eco_1", environmentId, clientId: "cli_1" };
    this.#version += 1;
    const version = this.#version;
    const others = this.state.home.names().filter((name) => name.edgeId !== edgeId);
    await this.state.home.takeNames({ digest: id, ...place, devices: [...others, { edgeId, id, version }] });
    await this.state.home.takeName({ edgeId, id, version, alias, meta: "{}", createdAt: 0 });
  }

  /** The process dies, and another one starts on the same disk. */
  crash(): void {
    this.state.kill();
    this.state = this.#open();
    this.#serve();
  }

  /** The process ends in order, and another one starts on the same disk. */
  async restart(): Promise<void> {
    await this.state[Symbol.asyncDispose]();
    this.crash();
  }

  set(
    value: unknown,
    headers: Readonly<Record<string, string>> = {},
    selector = "LightLevel.level",
  ): Promise<HomeAnswer> {
    return this.call("PUT", "/api/devices/:id/services/:selector", { selector, body: { value }, headers });
  }

  refresh(signal?: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<HomeAnswer> {
    const selector = "LightLevel.level";
    const query = { refresh: "true" };
    return this.call("GET", "/api/devices/:id/services/:selector", { selector, query, headers, signal });
  }

  /** Follows what happens. @param after the last event that was seen */
  async follow(after?: number, query: Readonly<Record<string, string>> = {}): Promise<Following> {
    const headers = { ...(after !== undefined && { "last-event-id": String(after) }) };
    const { stream } = await this.call("GET", "/api/events", { query, headers });
    if (!stream) throw new Error("that is no stream");
    const following = new Following(stream);
    await turns();
    return following;
  }

  /** Asks a route as a request would that has come through all the checks before it. */
  async call(
    method: string,
    path: string,
    asked: {
      readonly selector?: string;
      readonly id?: string;
      /** Other parameters of the path. */
      readonly params?: Readonly<Record<string, string>>;
      readonly body?: Readonly<Record<string, unknown>>;
      readonly query?: Readonly<Record<string, string>>;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): Promise<HomeAnswer> {
    const route = this.#routes.find((each) => each.method === method && each.path === path);
    if (!route) throw new Error(`there is no ${method} ${path}`);
    const { selector = "", id = LAMP_ID, body = {}, query = {}, headers = {} } = asked;
    const signal = asked.signal ?? new AbortController().signal;
    const rawHeaders = Object.entries(headers).flat();
    const params = { id, selector, ...asked.params };
    return await route.handle(
      new HomeCall({
        token: TOKEN,
        path: path.replace(":id", id).replace(":selector", selector),
        params,
        query,
        body,
        headers,
        rawHeaders,
        signal,
      }),
    );
  }

  [Symbol.dispose](): void {
    this.disk[Symbol.dispose]();
  }

  #open(): State {
    const beforeCommit = () => {
      if (this.refuseCommits === 0) return;
      this.refuseCommits -= 1;
      throw new Error("no room");
    };
    const homeEvents = { edgeId: HUB, bytes: this.eventBytes, changes: this.mostChanges };
    return this.disk.open({ homeEvents, beforeCommit, groupMs: this.groupMs });
  }

  #serve(): void {
    const { state, driver } = this;
    const driverOf = (edgeId: string) => (driver.has(edgeId) ? driver : undefined);
    this.#routes = homeApi({
      random: seededRandom(3),
      log: silentLog,
      state,
      commands: new Commands({
        ...{ clock: state.time, log: silentLog, state, driverOf, doubts: NO_DOUBTS },
        availability: new DeviceAvailability(state.time, [], 0),
      }),
      askDrivers: (question) => this.askDrivers(question),
      edgeId: HUB,
      isLive: (edgeId) => driver.has(edgeId),
      mayTouch: () => !this.isSuperseded,
      pageKey: new Uint8Array(32),
    });
  }
}
