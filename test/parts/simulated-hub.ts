/** As little of a hub as the cloud takes for one: it sends hello, describes its devices, keeps its lease, and reports. Many fit into one process. */
import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from "node:crypto";
import { helloProof } from "@porchlight/shared/tunnel";
import WebSocket from "ws";

/** edgeId of the n-th device of a hub. */
export function edgeIdOf(hub: number, device: number): string {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, "0");
  const text = `02${hex(hub, 4)}${hex(device, 6)}`;
  return (text.match(/../g) ?? []).join("-");
}

export interface SimulatedHubOptions {
  /** `ws://HOST:PORT` of the cloud. */
  readonly url: string;
  readonly token: string;
  /** Different for each hub of a run. */
  readonly number: number;
  /** How many devices it has: each a meter that counts, and reports when. */
  readonly devices: number;
  /** Its key, for a hub that comes back; a new one when left out. */
  readonly key?: KeyPairKeyObjectResult;
}

const METER = {
  service: "Meter",
  index: "0",
  properties: [{ property: "count", type: "string", access: ["read", "notify"] }],
};

/** Of an answer or of a challenge. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly nonce: string };
  // biome-ignore lint/suspicious/noExplicitAny: it knows what it asked for
  readonly result?: any;
  readonly error?: unknown;
}

export class SimulatedHub {
  readonly #options: SimulatedHubOptions;
  readonly #socket: WebSocket;
  readonly #asked = new Map<number, { answered(result: Message["result"]): void; refused(error: Error): void }>();
  #lastId = 0;
  /** Numbers of its history. */
  #sent = 0;
  #acknowledged = 0;

  private constructor(options: SimulatedHubOptions) {
    this.#options = options;
    this.#socket = new WebSocket(`${options.url}/api/tunnel`, "porchlight.tunnel.v1", {
      perMessageDeflate: false,
      headers: { authorization: `Bearer ${options.token}` },
    });
  }

  /** Settles when the cloud has welcomed it and knows its devices. @throws Error when it does not */
  static async connect(options: SimulatedHubOptions): Promise<SimulatedHub> {
    const hub = new SimulatedHub(options);
    await hub.#open();
    return hub;
  }

  /** Whether the cloud still listens to it. */
  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Reports that the cloud has not acknowledged. */
  get open(): number {
    return this.#sent - this.#acknowledged;
  }

  /**
   * Its device has counted: the value is `COUNT MS`, with the wall clock's milliseconds, which no time of the API has.
   * @throws Error when the cloud refuses it
   */
  async report(device: number, count: number): Promise<void> {
    const target = { device: edgeIdOf(this.#options.number, device), service: "Meter", index: "0", property: "count" };
    this.#sent += 1;
    const now = Date.now();
    const value = `${count} ${now}`;
    const record = { kind: "value", n: this.#sent, ...target, value, observedAt: now, cause: "report" };
    const { acknowledged } = await this.ask("records", { records: [record] });
    this.#acknowledged = Math.max(this.#acknowledged, acknowledged);
  }

  close(): void {
    this.#socket.terminate();
  }

  async #open(): Promise<void> {
    const welcome = await new Promise<Message["result"]>((resolve, reject) => {
      this.#socket.on("error", reject);
      this.#socket.on("close", (code) => this.#over(new Error(`closed with ${code}`), reject));
      this.#socket.on("message", (data) => {
        const message: Message = JSON.parse(data.toString());
        if (message.method === "challenge") this.#hello(message.params?.nonce ?? "").then(resolve, reject);
        else if (message.id !== undefined) this.#hear(message.id, message);
      });
    });
    if (welcome.inventory) await this.#describeDevices();
    setInterval(
      () => void this.ask("heartbeat", { queued: this.open, now: Date.now() }).catch(() => undefined),
      welcome.heartbeatMs,
    ).unref();
  }

  #hello(nonce: string): Promise<Message["result"]> {
    const { url, token, number, key } = this.#options;
    const { privateKey, publicKey } = key ?? generateKeyPairSync("ed25519");
    const proof = helloProof(nonce, createHash("sha256").update(token).digest("hex"), new URL(url).host);
    return this.ask("hello", {
      oldest: 1,
      newest: 1,
      edgeId: edgeIdOf(0xfffe, number),
      instance: `simulated-hub-${number}`,
      agentVersion: "bench",
      publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
      signature: sign(null, proof, privateKey).toString("base64"),
      logId: `simulated-hub-log-${number}`,
      lastNumber: 0,
      acknowledged: 0,
      inventoryDigest: "none",
      now: Date.now(),
      queued: 0,
    });
  }

  async #describeDevices(): Promise<void> {
    const state = { digest: "meter", arrival: 1, online: true };
    const edgeIds = Array.from({ length: this.#options.devices }, (_, at) => edgeIdOf(this.#options.number, at));
    const { wanted } = await this.ask("inventory", {
      digest: "none",
      devices: edgeIds.map((edgeId) => ({ edgeId, ...state })),
    });
    for (const edgeId of wanted)
      await this.ask("describe", { edgeId, ...state, about: {}, part: 0, parts: 1, services: [METER] });
  }

  /** @throws Error when the cloud refuses it, or has closed the connection */
  ask(method: string, params: object): Promise<Message["result"]> {
    return this.askText(method, JSON.stringify(params));
  }

  /** As {@link ask}, with parameters that are JSON already. */
  askText(method: string, params: string): Promise<Message["result"]> {
    const id = ++this.#lastId;
    return new Promise((answered, refused) => {
      if (!this.isOpen) return refused(new Error("the connection is closed"));
      this.#asked.set(id, { answered, refused });
      this.#socket.send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
    });
  }

  #hear(id: number, { result, error }: Message): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error === undefined) asked?.answered(result);
    else asked?.refused(new Error(JSON.stringify(error)));
  }

  #over(error: Error, reject: (error: Error) => void): void {
    reject(error);
    for (const { refused } of this.#asked.values()) refused(error);
    this.#asked.clear();
  }
}
