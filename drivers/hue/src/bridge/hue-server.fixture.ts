/**
 * A bridge in memory behind a real HTTPS server on loopback: CLIP v2, its event stream with ids, the link button, keys. Its answers have the
 * shapes of the maker's documentation (developers.meethue.com).
 */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { MemoryBridge } from "../memory-bridge.fixture.ts";
import type { BridgeAddress, BridgeConnection } from "./bridge-failures.ts";
import type { BridgeCertificate } from "./certificates.fixture.ts";

/** What outlives the bridge's power: its name, its keys. */
export class BridgeSetup {
  readonly bridgeId: string;
  readonly keys = new Set<string>();
  name = "Hall";
  software = "1967054020";
  isPressed = false;

  constructor(bridgeId: string) {
    this.bridgeId = bridgeId;
  }
}

export interface HueServerDeps {
  readonly setup: BridgeSetup;
  readonly memory: MemoryBridge;
  readonly certificate: BridgeCertificate;
  readonly port?: number | undefined;
}

/** Event streams that a bridge bears. */
const MOST_STREAMS = 8;
const JSON_TYPE = { "content-type": "application/json" };

export class HueServer implements AsyncDisposable {
  /** `GET /path {body}`, in their order. */
  readonly asked: string[] = [];
  /** Requests that came while another was being answered: a bridge drops such commands. */
  overlaps = 0;
  mostStreams = MOST_STREAMS;
  /** False of software before the API with the event stream. */
  hasClipV2 = true;
  readonly #deps: HueServerDeps;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  #memory: BridgeConnection | undefined;
  #answering = 0;
  #eventId = 0;

  private constructor(deps: HueServerDeps) {
    this.#deps = deps;
    const { cert, key } = deps.certificate;
    this.#server = createServer({ cert, key }, (request, response) => void this.#take(request, response));
  }

  static async start(deps: HueServerDeps): Promise<HueServer> {
    const one = new HueServer(deps);
    one.#memory = await deps.memory.open((message) => one.#tell(message), new AbortController().signal);
    one.#server.listen(deps.port ?? 0, "127.0.0.1");
    await once(one.#server, "listening");
    return one;
  }

  get address(): BridgeAddress {
    return { host: "127.0.0.1", port: (this.#server.address() as AddressInfo).port };
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Ends the event streams, as a bridge does when it starts again. */
  endStreams(): void {
    for (const stream of this.#streams) stream.end();
  }

  /** The power is gone: every connection ends, and none is taken. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#memory?.[Symbol.asyncDispose]();
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#answering > 0) this.overlaps += 1;
    this.#answering += 1;
    try {
      let body = "";
      for await (const part of request) body += part;
      this.asked.push(`${request.method} ${request.url} ${body}`.trim());
      await this.#answer(request, body, response);
    } catch {
      // The client has gone.
      response.destroy();
    } finally {
      this.#answering -= 1;
    }
  }

  async #answer(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const { setup } = this.#deps;
    const { url = "", method } = request;
    if (method === "GET" && /^\/api(\/0)?\/config$/.test(url)) return say(response, 200, this.#config());
    if (method === "POST" && /^\/api\/?$/.test(url)) return say(response, 200, this.#pair(body));
    if (!setup.keys.has(String(request.headers["hue-application-key"]))) {
      response.writeHead(403, { "content-type": "text/html" }).end("<html>");
      return;
    }
    if (!this.hasClipV2) return say(response, 404, NOT_FOUND);
    if (url === "/eventstream/clip/v2") return this.#stream(response);
    const path = /^\/clip\/v2\/resource(.*)$/.exec(url)?.[1];
    if (path === undefined || (method !== "GET" && method !== "PUT")) return say(response, 404, NOT_FOUND);
    const json: unknown = body === "" ? undefined : JSON.parse(body);
    const answer = await this.#memory?.request(method, path, Object(json));
    say(response, answer?.status ?? 503, answer?.json ?? NOT_FOUND);
  }

  #config() {
    const { name, software: swversion, bridgeId: bridgeid } = this.#deps.setup;
    return { name, datastoreversion: "163", swversion, apiversion: "1.67.0", bridgeid, modelid: "BSB002" };
  }

  #pair(body: string) {
    const { setup } = this.#deps;
    const { devicetype, generateclientkey } = JSON.parse(body) as Record<string, unknown>;
    if (typeof devicetype !== "string" || !/^[^#]{1,20}#.{1,20}$/.test(devicetype)) return refusal(7, "invalid value");
    if (!setup.isPressed) return refusal(101, "link button not pressed");
    const username = `key-${setup.keys.size}-of-${setup.bridgeId}`;
    setup.keys.add(username);
    return [
      { success: { username, ...(generateclientkey === true && { clientkey: "E3B550C65F78022EFD9E52E28378583" }) } },
    ];
  }

  #stream(response: ServerResponse): void {
    if (this.#streams.size >= this.mostStreams) {
      response.writeHead(429).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write(": hi\n\n");
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  #tell(message: unknown): void {
    this.#eventId += 1;
    const stamped = Array.isArray(message)
      ? message.map((each) => ({ creationtime: "2026-11-25T10:00:00Z", id: `event-${this.#eventId}`, ...Object(each) }))
      : message;
    for (const stream of this.#streams) stream.write(`id: ${this.#eventId}:0\ndata: ${JSON.stringify(stamped)}\n\n`);
  }
}

const NOT_FOUND = { errors: [{ description: "Not Found" }], data: [] };

function refusal(type: number, description: string) {
  return [{ error: { type, address: "", description } }];
}

function say(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(json));
}
