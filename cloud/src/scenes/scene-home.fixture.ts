/** A home with two lamps and a button on one hub that is scripted by hand, and a lamp in the cloud: over the whole API. */
import type { ClientPrincipal } from "../access/index.ts";
import { type Home, type Reply, TestCloud } from "../app.fixture.ts";
import { BUTTON, BUTTON_SERVICES, LAMP, LAMP_SERVICES, obey } from "../devices/devices.fixture.ts";
import { newKey, ScriptedHub } from "../tunnels/tunnels.fixture.ts";

/** The second lamp of the hub. */
export const LAMP_2 = "00-00-00-00-00-03";

/** A button that says what it can report. */
const PRESSED = {
  service: "Button",
  index: "0",
  properties: [{ property: "event", type: "string", access: ["notify"], values: ["press", "long"] }],
};

interface ReceivedList {
  readonly digest: string;
  readonly scenes: readonly { readonly id: string; readonly digest: string }[];
}
type CallFrame = { readonly scene: string; readonly commands: readonly Parameters<ReturnType<typeof obey>>[0][] };

export class SceneHome implements AsyncDisposable {
  readonly cloud: TestCloud;
  readonly home: Home;
  readonly principal: ClientPrincipal;
  readonly clientId: string;
  readonly #key: ReturnType<typeof newKey>;
  #hub: ScriptedHub | undefined;
  lamp = "";
  lamp2 = "";
  button = "";
  /** Of the cloud. */
  mood = "";
  /** What the hub received of its scenes, list by list, and each scene. */
  readonly lists: ReceivedList[] = [];
  readonly received: Record<string, unknown>[] = [];
  #n = 0;

  private constructor(cloud: TestCloud, home: Home, principal: ClientPrincipal, key = newKey()) {
    this.#key = key;
    this.cloud = cloud;
    this.home = home;
    this.principal = principal;
    this.clientId = principal.clientId;
  }

  /** @param hello of the hub: by default one that stores scenes, and has none */
  static async open(hello: Record<string, unknown> = { scenesDigest: "" }, cloud?: TestCloud): Promise<SceneHome> {
    const started = cloud ?? (await TestCloud.start());
    const home = await started.home();
    const { token, environmentId } = home;
    const client = await started.good("POST", "/api/clients", { token, body: { environmentId } });
    const made = await started.good("POST", `/api/clients/${client.id}/tokens`, { token });
    const scenes = new SceneHome(started, home, await started.app.authenticateClient(made.token));
    await scenes.connect(hello);
    await scenes.#announce();
    return scenes;
  }

  /** The same home, once its service has died and begun again. */
  static async after(before: SceneHome): Promise<SceneHome> {
    const again = new SceneHome(await before.cloud.restart(), before.home, before.principal, before.#key);
    Object.assign(again, { lamp: before.lamp, lamp2: before.lamp2, button: before.button, mood: before.mood });
    return again;
  }

  /** The hub connects, or connects again. @param to another node of the same service */
  async connect(hello: Record<string, unknown>, to = this.cloud): Promise<void> {
    const host = { clock: to.clock, accept: to.app.acceptTunnel.bind(to.app) };
    this.#hub = await ScriptedHub.connect(host, this.principal, { key: this.#key, hello });
    this.hub.answers = {
      command: (params: never) => obey(++this.#n)(params),
      "scene.call": (params: CallFrame) => ({ results: params.commands.map((each) => this.confirm(each)) }),
      scenes: (params: ReceivedList) => {
        this.lists.push(params);
        return { wanted: params.scenes.map(({ id }) => id) };
      },
      scene: (params: Record<string, unknown>) => {
        this.received.push(params);
        return {};
      },
    };
  }

  async #announce(): Promise<void> {
    const devices = [
      { edgeId: LAMP, services: LAMP_SERVICES },
      { edgeId: LAMP_2, services: LAMP_SERVICES },
      { edgeId: BUTTON, services: [PRESSED, ...BUTTON_SERVICES.slice(1)] },
    ];
    const lines = devices.map(({ edgeId }) => ({ edgeId, digest: "d1", arrival: 1, online: true }));
    await this.hub.ask("inventory", { digest: "all", devices: lines });
    for (const [at, { services }] of devices.entries())
      await this.hub.ask("describe", { ...lines[at], about: {}, part: 0, parts: 1, services });
    const { items } = await this.good("GET", "/api/devices");
    const idOf = (edge: string) => items.find((each: { edgeId: string }) => each.edgeId === edge).id;
    [this.lamp, this.lamp2, this.button] = [idOf(LAMP), idOf(LAMP_2), idOf(BUTTON)];
    const { environmentId } = this.home;
    this.mood = (await this.good("POST", "/api/devices", { environmentId, services: [{ service: "Switch" }] })).id;
  }

  /** Its newest connection. */
  get hub(): ScriptedHub {
    if (!this.#hub) throw new Error("the hub has never connected");
    return this.#hub;
  }

  /** What the hub answers of one command of a call: it is done. */
  confirm({ id, value }: { readonly id: string; readonly value: unknown }, more: Record<string, unknown> = {}) {
    return { command: id, n: ++this.#n, outcome: "confirmed", value, observedAt: this.cloud.clock.now(), ...more };
  }

  /** What it answers of one that the device refuses. */
  refuse(command: { readonly id: string; readonly value: unknown }) {
    const { value: _value, ...rest } = this.confirm(command);
    return {
      ...rest,
      outcome: "rejected",
      failure: { name: "Device Rejected", detail: "The bulb is broken.", code: 7 },
    };
  }

  call(
    method: "GET" | "POST" | "PUT" | "DELETE",
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return this.cloud.call(method, url, { token: this.home.token, headers, ...(body !== undefined && { body }) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: see Reply
  async good(method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: unknown): Promise<any> {
    return this.cloud.good(method, url, { token: this.home.token, ...(body !== undefined && { body }) });
  }

  /** Makes a scene of this environment, and gives it. */
  // biome-ignore lint/suspicious/noExplicitAny: see Reply
  async scene(items: readonly object[], more: Record<string, unknown> = {}): Promise<any> {
    const { environmentId } = this.home;
    return this.good("POST", "/api/scenes", { environmentId, items, ...more });
  }

  on(target: string, value: unknown = true, service = "Switch.on") {
    return { target, service, value };
  }

  async zone(...items: string[]): Promise<string> {
    return (await this.good("POST", "/api/zones", { environmentId: this.home.environmentId, items })).id;
  }

  /** Lets time pass, and the database work, until it is so. @throws Error when it never is */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let turn = 0; turn < 500; turn++) {
      if (await isSo()) return;
      await this.cloud.clock.advance(100);
      await this.good("GET", "/api/environments");
    }
    throw new Error("it has never come to be so");
  }

  /** Until the hub has received all of the newest list, which has so many scenes. */
  async awaitScenes(count: number, before = this.lists.length): Promise<void> {
    await this.until(() => this.lists.length > before && this.lists.at(-1)?.scenes.length === count);
    const { scenes = [] } = this.lists.at(-1) ?? {};
    const isReceived = (digest: string) => this.received.some((each) => each.digest === digest);
    await this.until(() => scenes.every(({ digest }) => isReceived(digest)));
  }

  /** Frames that the hub was asked with. */
  frames(method: string): Record<string, unknown>[] {
    return this.hub.asked.filter((each) => each.method === method).map(({ params }) => params);
  }

  /** Data of the events of a type. */
  // biome-ignore lint/suspicious/noExplicitAny: see Reply
  async events(type: string): Promise<any[]> {
    const { items } = await this.good("GET", `/api/event-log?types=${type}`);
    return items.map(({ data }: { data: unknown }) => data);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cloud[Symbol.asyncDispose]();
  }
}
