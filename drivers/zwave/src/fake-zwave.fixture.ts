/**
 * A zwave-js-server with its network in memory. It speaks the server's messages over any channel of texts, and reports what it expects of
 * a device at once, as the real one does; devices carry out commands later, or not at all.
 */
import type { Clock } from "@porchlight/shared/kernel";
import type { NodeJson, ValueJson } from "./captured-nodes.fixture.ts";
import { LAST_LEVEL } from "./classes/zwave-property.ts";
import { type ValueId, valueIdSchema, valueKey } from "./values/node-state.ts";

/** A client's connection, as the server has it. */
export interface FakeClient {
  readonly send: (text: string) => void;
  readonly close: () => void;
}

interface Asked {
  readonly messageId: string;
  readonly command: string;
  readonly nodeId?: number;
  readonly valueId?: ValueId;
  readonly value?: unknown;
  readonly schemaVersion?: number;
}

/** How long a motor moves, ms. */
const MOVING_MS = 20_000;
const STATUS = { working: 1, fail: 2, unsupervised: 254, success: 255 } as const;
/** What the device reports under one name, and is set under another. */
const CURRENT: Readonly<Record<string, string>> = {
  ...{ targetValue: "currentValue", targetMode: "currentMode", targetState: "currentState" },
};

export class FakeZwave {
  readonly #clock: Clock;
  readonly #clients = new Map<FakeClient, { isListening: boolean }>();
  readonly nodes = new Map<number, NodeJson>();
  /** What the devices really are, by node and value. */
  readonly #actual = new Map<string, unknown>();
  /** Nodes that do not answer, which is not known yet. */
  readonly silent = new Set<number>();
  /** Nodes that confirm commands (supervision). */
  readonly supervised = new Set<number>();
  /** Nodes that first say that they have begun, and are done later. */
  readonly slow = new Set<number>();
  /** How often each node was commanded to change something. */
  readonly touched = new Map<number, number>();
  readonly polled = new Map<number, number>();
  /** When the server last heard a value from its device, wall-clock ms, by {@link FakeZwave.change}. */
  readonly heardAt = new Map<string, number>();
  /** Of `initialize`. */
  schema: number | undefined;
  homeId: number | undefined = 0xc0ffee01;
  versions: object = { minSchemaVersion: 0, maxSchemaVersion: 50, driverVersion: "15.29.0", serverVersion: "3.10.2" };
  controllerStatus = 0;
  delayMs = 0;
  /** Devices answer what they were when the question came, however late. */
  samplesEarly = false;
  /** What was set, in the order of the commands: node, and endpoint. */
  readonly commands: { readonly nodeId: number; readonly id: ValueId }[] = [];
  /** Devices refuse commands. */
  refuses = false;
  /** Devices accept commands, and do nothing. */
  idles = false;
  /** It has lost its power: nothing is answered, and nothing reports that. */
  hangs = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get clients(): number {
    return this.#clients.size;
  }

  add(node: NodeJson): void {
    this.nodes.set(node.nodeId, node);
    for (const value of node.values) this.#actual.set(keyOf(node.nodeId, idOf(value)), value.value);
  }

  connect(client: FakeClient): void {
    this.#clients.set(client, { isListening: false });
    client.send(JSON.stringify({ type: "version", homeId: this.homeId, ...this.versions }));
  }

  disconnect(client: FakeClient): void {
    this.#clients.delete(client);
  }

  closeAll(): void {
    for (const client of [...this.#clients.keys()]) {
      this.#clients.delete(client);
      client.close();
    }
  }

  take(client: FakeClient, text: string): void {
    if (this.hangs) return;
    const asked: Asked = JSON.parse(text);
    const { messageId, command } = asked;
    const answer = (result: object) =>
      this.#clients.has(client) && client.send(JSON.stringify({ type: "result", success: true, messageId, result }));
    const fail = (error: object) =>
      client.send(JSON.stringify({ type: "result", success: false, messageId, ...error }));
    switch (command) {
      case "initialize":
        this.schema = asked.schemaVersion;
        answer({});
        return;
      case "start_listening": {
        const state = this.#clients.get(client);
        if (state) state.isListening = true;
        const controller = this.homeId === undefined ? null : { homeId: this.homeId, status: this.controllerStatus };
        answer({ state: { driver: {}, controller, nodes: [...this.nodes.values()] } });
        return;
      }
      case "node.set_value":
        this.#set(asked, answer, fail);
        return;
      case "node.poll_value":
        this.#poll(asked, answer);
        return;
      case "node.get_value":
        answer({ value: this.#remembered(asked) });
        return;
      case "node.get_value_timestamp": {
        const timestamp = this.heardAt.get(keyOf(asked.nodeId ?? 0, valueIdSchema.parse(asked.valueId)));
        answer(timestamp === undefined ? {} : { timestamp });
        return;
      }
      default:
        fail({ errorCode: "unknown_command", message: command });
    }
  }

  /** What a device really is. */
  actual(nodeId: number, id: ValueId): unknown {
    return this.#actual.get(keyOf(nodeId, id));
  }

  /** A device changes by itself, and reports that. */
  change(nodeId: number, id: ValueId, value: unknown): void {
    this.#actual.set(keyOf(nodeId, id), value);
    this.heardAt.set(keyOf(nodeId, id), this.#clock.now());
    this.updated(nodeId, id, value);
  }

  /** A device changes by itself, without a report. */
  set(nodeId: number, id: ValueId, value: unknown): void {
    this.#actual.set(keyOf(nodeId, id), value);
  }

  /** The server says that a value is so, whether it is or not. */
  updated(nodeId: number, id: ValueId, newValue: unknown): void {
    this.#remember(nodeId, id, newValue);
    this.event({ source: "node", event: "value updated", nodeId, args: { ...id, newValue } });
  }

  /** The server knows a value, and has not reported it yet. */
  later(nodeId: number, id: ValueId, value: unknown): void {
    this.#remember(nodeId, id, value);
  }

  /** An event for all that listen. */
  event(event: object): void {
    this.say(JSON.stringify({ type: "event", event }));
  }

  /** Anything, to all that listen. */
  say(text: string): void {
    for (const [client, { isListening }] of [...this.#clients]) if (isListening) client.send(text);
  }

  /** Of a node what the server says of it as a whole, such as its status; `event` reports it. */
  state(nodeId: number, fields: object, event?: string): void {
    const node = this.nodes.get(nodeId);
    if (!node) return;
    const changed = { ...node, ...fields };
    this.nodes.set(nodeId, changed);
    if (event === "ready") this.event({ source: "node", event, nodeId, nodeState: changed });
    else if (event) this.event({ source: "node", event, nodeId, args: {} });
  }

  #set({ nodeId = 0, valueId, value }: Asked, answer: (result: object) => void, fail: (error: object) => void): void {
    const id = valueIdSchema.parse(valueId);
    if (!this.nodes.has(nodeId)) {
      fail({ errorCode: "node_not_found", message: `Node ${nodeId} does not exist` });
      return;
    }
    this.touched.set(nodeId, (this.touched.get(nodeId) ?? 0) + 1);
    this.commands.push({ nodeId, id });
    const current: ValueId = { ...id, property: CURRENT[String(id.property)] ?? id.property };
    const isSupervised = this.supervised.has(nodeId);
    if (this.silent.has(nodeId)) return;
    if (this.refuses) {
      answer({ result: { status: STATUS.fail } });
      return;
    }
    if (this.slow.has(nodeId)) {
      this.updated(nodeId, id, value);
      answer({ result: { status: STATUS.working } });
      this.#clock.timer("a motor is there", MOVING_MS, () => this.change(nodeId, current, value));
      return;
    }
    const act = () => {
      const set = this.idles ? undefined : settled(value, this.actual(nodeId, current));
      if (set !== undefined) this.#actual.set(keyOf(nodeId, current), set);
      if (!isSupervised) return;
      this.updated(nodeId, id, value);
      answer({ result: { status: STATUS.success } });
      this.#expect(nodeId, current, value);
    };
    if (this.delayMs > 0) this.#clock.timer("a slow device acts", this.delayMs, act);
    if (!isSupervised) {
      answer({ result: { status: STATUS.unsupervised } });
      this.updated(nodeId, id, value);
      // It expects that the device carries out the command.
      this.#expect(nodeId, current, value);
    }
    if (this.delayMs === 0) act();
  }

  #expect(nodeId: number, current: ValueId, value: unknown): void {
    if (typeof value !== "object" && value !== LAST_LEVEL) this.updated(nodeId, current, value);
  }

  #poll({ nodeId = 0, valueId }: Asked, answer: (result: object) => void): void {
    this.polled.set(nodeId, (this.polled.get(nodeId) ?? 0) + 1);
    const id = valueIdSchema.parse(valueId);
    const sampled = this.actual(nodeId, id);
    const say = () => {
      if (this.silent.has(nodeId)) return;
      const value = this.samplesEarly ? sampled : this.actual(nodeId, id);
      this.updated(nodeId, id, value);
      answer({ value });
    };
    if (this.delayMs === 0) say();
    else this.#clock.timer("a slow device answers", this.delayMs, say);
  }

  #remembered({ nodeId = 0, valueId }: Asked): unknown {
    const key = valueKey(valueIdSchema.parse(valueId));
    return this.nodes.get(nodeId)?.values.find((each) => valueKey(idOf(each)) === key)?.value;
  }

  #remember(nodeId: number, id: ValueId, value: unknown): void {
    const node = this.nodes.get(nodeId);
    if (!node) return;
    const key = valueKey(id);
    const values = node.values.map((each) => (valueKey(idOf(each)) === key ? { ...each, value } : each));
    this.nodes.set(nodeId, { ...node, values });
  }
}

/** A lamp that is turned on has the level of before, or all. */
function settled(value: unknown, before: unknown): unknown {
  return value === LAST_LEVEL && typeof before === "number" ? before || 99 : value;
}

function idOf(value: ValueJson): ValueId {
  return valueIdSchema.parse(value);
}

function keyOf(nodeId: number, id: ValueId): string {
  return `${nodeId} ${valueKey(id)}`;
}
