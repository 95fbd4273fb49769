/** A bridge in memory, that takes requests and reports changes as a real one does, with lamps behind it that may be silent or slow. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { ApiAnswer, BridgeConnection, OpenBridge } from "./bridge/bridge-failures.ts";
import type { Resource } from "./bridge/resource.ts";

interface Stream {
  readonly take: (message: unknown) => void;
  readonly close: (why: string) => void;
}

export class MemoryBridge {
  readonly resources = new Map<string, Resource>();
  /** Lamps that the bridge cannot reach, though it does not know that yet. */
  readonly silent = new Set<string>();
  readonly touched = new Map<string, number>();
  readonly #clock: Clock;
  readonly #streams = new Set<Stream>();
  #isThere = true;
  tries = 0;
  delayMs = 0;
  /** It answers what a resource was when it was asked, as late as `delayMs` says. */
  samplesEarly = false;
  /** IDs of resources that were set, in the order of the requests. */
  readonly commands: string[] = [];
  refuses = false;
  /** It has lost its power: nothing is answered, and nothing reports that. */
  hangs = false;
  /** What it answers in place of everything else. */
  status = 200;

  constructor(clock: Clock, resources: readonly Resource[]) {
    this.#clock = clock;
    for (const each of resources) this.resources.set(each.id, each);
  }

  get held(): number {
    return this.#streams.size;
  }

  readonly open: OpenBridge = async (take) => {
    this.tries += 1;
    if (!this.#isThere) throw new Error("the network is unreachable");
    const closed = Promise.withResolvers<string>();
    const stream: Stream = { take, close: closed.resolve };
    this.#streams.add(stream);
    const connection: BridgeConnection = {
      request: async (method, path, body) => {
        if (!this.#streams.has(stream)) throw new Error("the connection is closed");
        return this.hangs ? new Promise(() => undefined) : this.#answer(method, path, body);
      },
      closed: closed.promise,
      [Symbol.asyncDispose]: async () => {
        this.#streams.delete(stream);
        closed.resolve("it was closed");
      },
    };
    return connection;
  };

  cut(): void {
    this.#isThere = false;
    for (const stream of this.#streams) stream.close("the connection was cut");
    this.#streams.clear();
  }

  mend(): void {
    this.#isThere = true;
  }

  /** Devices are added, changed or removed: the bridge reports them whole, and in its own order. */
  replace(resources: readonly Resource[], removed: readonly string[] = []): void {
    for (const id of removed) {
      const type = this.resources.get(id)?.type ?? "light";
      if (this.resources.delete(id)) this.say([{ type: "delete", data: [{ id, type }] }]);
    }
    for (const each of resources) {
      const type = this.resources.has(each.id) ? "update" : "add";
      this.resources.set(each.id, each);
      this.say([{ type, data: [each] }]);
    }
  }

  /** Something has changed by itself: the bridge reports what is handed in. */
  change(id: string, fields: Readonly<Record<string, unknown>>): void {
    const before = this.resources.get(id);
    if (!before) return;
    this.resources.set(id, { ...before, ...fields });
    this.say([{ type: "update", data: [{ id, type: before.type, ...fields }] }]);
  }

  /** Sends any message on the event stream. */
  say(message: unknown): void {
    for (const { take } of [...this.#streams]) take(message);
  }

  #answer(method: string, path: string, body: object | undefined): ApiAnswer | Promise<ApiAnswer> {
    if (this.status !== 200) return { status: this.status, json: { errors: [], data: [] } };
    if (path === "") return { status: 200, json: { errors: [], data: [...this.resources.values()] } };
    const [, , id = ""] = path.split("/");
    const resource = this.resources.get(id);
    if (path === "/bridge") return { status: 200, json: { errors: [], data: [] } };
    if (!resource) return { status: 404, json: { errors: [{ description: "Not Found" }], data: [] } };
    if (method === "GET") {
      const answer = { status: 200, json: { errors: [], data: [resource] } };
      if (!this.samplesEarly || this.delayMs === 0) return answer;
      return new Promise((resolve) => {
        this.#clock.timer("a slow bridge answers", this.delayMs, () => resolve(answer));
      });
    }
    this.commands.push(id);
    this.touched.set(id, (this.touched.get(id) ?? 0) + 1);
    if (this.refuses) return { status: 400, json: { errors: [{ description: "invalid value" }], data: [] } };
    const act = () => this.change(id, body as Readonly<Record<string, Value>>);
    if (!this.silent.has(id)) {
      if (this.delayMs === 0) act();
      else this.#clock.timer("a slow lamp acts", this.delayMs, act);
    }
    return { status: 200, json: { errors: [], data: [{ rid: id, rtype: resource.type }] } };
  }
}
