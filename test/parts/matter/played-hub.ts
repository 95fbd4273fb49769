/** A hub's API at home with devices that a test names, without any hardware: it answers at once, and records its requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CATALOGUE } from "@porchlight/shared/model";

const TIME = "2026-11-26T12:00:00.000Z";

/** Its services, each `SERVICE` or `SERVICE:INDEX`, as the catalogue has them. */
export type DeviceKind = readonly string[];

export class PlayedHub implements AsyncDisposable {
  readonly #server: Server;
  readonly #kinds: readonly DeviceKind[];
  readonly #streams = new Set<ServerResponse>();
  #sequence = 1;
  /** Every write that it was asked for, as `DEVICE SERVICE.PROPERTY = VALUE`. */
  readonly asked: string[] = [];
  /** Devices that refuse every request. */
  readonly refusing = new Set<number>();
  /** The last state that the bridge reported of itself. */
  bridge: {
    readonly state?: string;
    readonly manualCode?: string;
    readonly devices?: number;
    readonly controllers?: readonly unknown[];
  } = {};

  private constructor(server: Server, kinds: readonly DeviceKind[]) {
    this.#server = server;
    this.#kinds = kinds;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(host: string, kinds: readonly DeviceKind[]): Promise<PlayedHub> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return new PlayedHub(server, kinds);
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("the hub has ended");
    return `http://${address.address}:${address.port}`;
  }

  /** A device changes by itself. */
  changes(device: number, service: string, property: string, value: unknown): void {
    const item = { ...this.#item(device, service, property), value };
    const sequence = ++this.#sequence;
    const event = { type: "property.changed", sequence, data: { item, cause: { kind: "device" } } };
    for (const stream of this.#streams)
      stream.write(`id: ${sequence}\nevent: property.changed\ndata: ${JSON.stringify(event)}\n\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?");
    const json = (body: unknown) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    };
    const [, device, service, property] =
      /^\/api\/devices\/dev_(\d+)\/services(?:\/(\w+):0\.(\w+))?$/.exec(decodeURIComponent(path)) ?? [];
    const body = request.method === "PUT" ? await bodyOf(request) : {};
    if (path === "/api/token") return json({ id: "tok_1", type: "local", ecosystemId: "eco_1" });
    if (path === "/api/devices") return json({ items: this.#devices() });
    if (path === "/api/events") return this.#stream(response);
    if (path === "/api/matter-bridge") {
      this.bridge = body;
      return json({});
    }
    if (device === undefined) return void response.writeHead(404).end();
    if (service === undefined || property === undefined) return json({ items: this.#services(Number(device)) });
    const value = Reflect.get(body, "value");
    this.asked.push(`${device} ${service}.${property} = ${value}`);
    response.setHeader("x-command-id", "cmd_1");
    if (this.refusing.has(Number(device))) {
      const problem = { title: "Device Rejected", status: 502, detail: "No.", outcome: "rejected" };
      response.writeHead(502, { "content-type": "application/problem+json" });
      return void response.end(JSON.stringify(problem));
    }
    json({ ...this.#item(Number(device), service, property), value });
    this.changes(Number(device), service, property, value);
  }

  #devices(): object[] {
    return this.#kinds.map((_, number) => ({
      ...{ id: `dev_${number}`, ecosystemId: "eco_1", environmentId: "env_1", type: "physical" },
      ...{ meta: { "$.name": `Device ${number}`, "$.model": "Played" }, createdAt: TIME },
      connection: { state: "online", since: TIME },
    }));
  }

  #services(device: number): object[] {
    return (this.#kinds[device] ?? []).map((name) => {
      const [service = "", index = "0"] = name.split(":");
      return { service, index, properties: CATALOGUE.get(service) ?? [] };
    });
  }

  #item(device: number, service: string, property: string) {
    return { deviceId: `dev_${device}`, service, index: "0", property, modifiedAt: TIME, observedAt: TIME };
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`: \n\nevent: snapshot\ndata: ${JSON.stringify({ sequence: this.#sequence, items: [] })}\n\n`);
    this.#streams.add(response);
    const alive = setInterval(() => response.write(": \n\n"), 5000);
    response.once("close", () => {
      clearInterval(alive);
      this.#streams.delete(response);
    });
  }
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  let text = "";
  for await (const part of request) text += part;
  return JSON.parse(text);
}
