/** A cloud that takes a hub in and then floods it with commands: real frames over a real WebSocket, and no store behind them. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { TUNNEL_SUBPROTOCOL } from "@porchlight/shared/tunnel";
import { type WebSocket, WebSocketServer } from "ws";
import { eventually } from "../parts/eventually.ts";

interface Frame {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: frames of a hub that is not under judgement here
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly result?: any;
}

export interface FloodedCommand {
  readonly device: string;
  readonly value: unknown;
  /** How long the hub may take, ms. */
  readonly waitMs: number;
}

/** Above this, the hub reads more slowly than the cloud writes, and the cloud waits: bytes. */
const MOST_UNSENT = 1024 * 1024;

export class FloodingCloud implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => TUNNEL_SUBPROTOCOL });
  #hub: WebSocket | undefined;
  #openedAt = 0;
  #lastId = 0;
  #acknowledged = 0;
  /** By the command's ID. */
  readonly #waiting = new Map<string, (answer: Frame["result"]) => void>();
  /** Devices that the hub has announced as online. */
  readonly online = new Set<string>();
  /** Tunnels that the hub has opened. */
  connections = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on("upgrade", (request, socket, head) =>
      this.#sockets.handleUpgrade(request, socket, head, (hub) => this.#take(hub)),
    );
  }

  static async start(): Promise<FloodingCloud> {
    const server = createServer((_, response) => void response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new FloodingCloud(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sends a command. @returns how it ended, which comes later */
  async command({ device, value, waitMs }: FloodedCommand): Promise<{ readonly answer: Promise<Frame["result"]> }> {
    const id = ++this.#lastId;
    const at = this.#at;
    const target = { device, service: "LightColor", index: "0", property: "hue" };
    const params = { at, deadline: at + waitMs, id: `cmd_${id}`, ...target, value };
    const answer = new Promise<Frame["result"]>((resolve) => this.#waiting.set(`cmd_${id}`, resolve));
    this.#send({ id, method: "command", params });
    if ((this.#hub?.bufferedAmount ?? 0) > MOST_UNSENT)
      await eventually("the hub reads", async () => (this.#hub?.bufferedAmount ?? 0) <= MOST_UNSENT);
    return { answer };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hub?.terminate();
    this.#sockets.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Connection time, ms. */
  get #at(): number {
    return performance.now() - this.#openedAt;
  }

  #take(hub: WebSocket): void {
    this.connections += 1;
    this.#hub = hub;
    this.#openedAt = performance.now();
    hub.on("error", () => undefined);
    hub.on("message", (data) => this.#hear(JSON.parse(String(data))));
    this.#send({ method: "challenge", params: { nonce: "n".repeat(43), oldest: 1, newest: 1 } });
  }

  #hear({ id, method, params, result }: Frame): void {
    if (id === undefined) return;
    if (method !== undefined) this.#send({ id, result: this.#answer(method, params) });
    else {
      this.#ended(`cmd_${id}`, result);
    }
  }

  #ended(command: string, end: Frame["result"]): void {
    this.#waiting.get(command)?.(end);
    this.#waiting.delete(command);
  }

  #answer(method: string, params: Frame["params"]): unknown {
    switch (method) {
      case "hello":
        return {
          ...{
            at: this.#at,
            version: 1,
            epoch: this.connections,
            now: Date.now(),
            leaseMs: 600_000,
            heartbeatMs: 5000,
          },
          ...{ acknowledged: this.#acknowledged, inventory: true, resync: false },
        };
      case "inventory": {
        const devices: { edgeId: string; online: boolean }[] = params.devices;
        for (const { edgeId, online } of devices) if (online) this.online.add(edgeId);
        return { wanted: devices.map(({ edgeId }) => edgeId) };
      }
      case "records": {
        // A hub with too many answers to send leaves some out: their commands end by the records.
        for (const record of params.records) if (record.kind === "result") this.#ended(record.command, record);
        this.#acknowledged = params.records.at(-1)?.n ?? this.#acknowledged;
        return { acknowledged: this.#acknowledged };
      }
      default:
        return { at: this.#at };
    }
  }

  #send(frame: object): void {
    this.#hub?.send(JSON.stringify({ jsonrpc: "2.0", ...frame }));
  }
}
