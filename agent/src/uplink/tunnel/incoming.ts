/** What the cloud asks of the hub: parses commands and reads, maps their deadlines, and ends cancelled ones. */
import { type Clock, type Log, TimingBreakdown } from "@porchlight/shared/kernel";
import type { DriverQuestion, MaintenanceAnswer, MaintenanceQuestion } from "@porchlight/shared/model";
import {
  type CommandFrame,
  frames,
  goodCommand,
  MAX_MESSAGE_BYTES,
  PeerRefused,
  type ReadFrame,
  RPC_ERRORS,
  type SceneCallAnswer,
  type SceneCallFrame,
} from "@porchlight/shared/tunnel";
import {
  type Commands,
  carryOutTogether,
  type ExecutionPermit,
  heard,
  NOTHING_HEARD,
  NoListener,
  type ReadResult,
  toMonotonic,
} from "../../commands/index.ts";
import type { AskDrivers } from "../../drivers/index.ts";
import type { Home, HubScenes } from "../../state/index.ts";
import { sceneCallAnswer } from "./scene-answer.ts";

export interface IncomingDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly commands: Pick<Commands, "command" | "read">;
  /** Answers what a person asks of the hub's drivers. */
  readonly askDrivers: AskDrivers;
  /** Answers what a person asks of the hub itself; undefined on one that is not looked after from afar. */
  readonly askMaintenance?: ((question: MaintenanceQuestion) => Promise<MaintenanceAnswer>) | undefined;
  /** Takes in what the cloud calls the hub's devices; undefined when no API is served at home. */
  readonly home?: Pick<Home, "takeNames" | "takeName"> | undefined;
  /** Takes in the scenes that the hub stores. */
  readonly scenes: Pick<HubScenes, "takeScenes" | "takeScene">;
  /** Whether the tunnel stands and its lease is live. */
  readonly mayTouch: () => boolean;
  readonly malformed: () => void;
}

/** Questions about drivers that wait for something new. */
const MOST_WAITING = 64;
/** Room for the envelope of an answer. */
const ANSWER_BYTES = MAX_MESSAGE_BYTES - 16 * 1024;
/** So few values of the largest size always fit. */
const ALWAYS_FIT = 14;
const TOO_LARGE: ReadResult = {
  failure: { name: "Hub Timeout", detail: "The answer is too large for this value: read fewer values at once." },
};

export class Incoming {
  readonly #deps: IncomingDeps;
  readonly #asked = new Map<number, AbortController>();
  /** Questions about drivers, which may wait long for something new. */
  readonly #waiting = new Map<number, AbortController>();
  #time = NOTHING_HEARD;
  #idle: (() => void) | undefined;
  #leaving = false;

  constructor(deps: IncomingDeps) {
    this.#deps = deps;
  }

  /** A frame came that the cloud sent at that connection time. */
  heard(at: number, arrived: number, asked?: number): void {
    this.#time = heard(this.#time, at, arrived, asked);
  }

  /**
   * A request of the cloud; undefined when its method is unknown.
   * @param arrived when it came, on the monotonic clock, ms
   */
  request(method: string, params: unknown, id: number, arrived: number): Promise<unknown> | undefined {
    switch (method) {
      case "command": {
        const data = goodCommand(params) ?? frames.command.safeParse(params).data;
        return data ? this.#run(id, data, arrived, (leave) => this.#command(data, leave)) : this.#malformed();
      }
      case "read": {
        const { data } = frames.read.safeParse(params);
        return data ? this.#run(id, data, arrived, (leave) => this.#read(data, leave)) : this.#malformed();
      }
      case "scene.call": {
        const { data } = frames.sceneCall.safeParse(params);
        return data ? this.#run(id, data, arrived, (leave) => this.#callScene(data, leave)) : this.#malformed();
      }
      case "drivers": {
        const { data } = frames.drivers.safeParse(params);
        return data ? this.#askDrivers(id, data.question) : this.#malformed();
      }
      case "maintenance": {
        // A question of a newer cloud is one that this agent does not know, and no reason to end the tunnel.
        const { data } = frames.maintenance.safeParse(params);
        return data && this.#deps.askMaintenance?.(data.question);
      }
      case "names":
        return this.#deps.home && this.#names(this.#deps.home, params);
      case "name":
        return this.#deps.home && this.#name(this.#deps.home, params);
      case "scenes":
        return this.#scenes(params);
      case "scene":
        return this.#scene(params);
      default:
        return undefined;
    }
  }

  /** The cloud cancelled the request of that id. */
  cancel(params: unknown): void {
    const { data } = frames.cancel.safeParse(params);
    if (data) (this.#asked.get(data.id) ?? this.#waiting.get(data.id))?.abort();
    else this.#deps.malformed();
  }

  /** Begins nothing that comes from now on, and settles when everything that was asked is answered. */
  leave(): Promise<void> {
    this.#leaving = true;
    for (const waiting of this.#waiting.values()) waiting.abort();
    if (this.#asked.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  /** The tunnel is gone: no request is awaited any more. */
  abandon(): void {
    for (const asked of [...this.#asked.values(), ...this.#waiting.values()]) asked.abort();
  }

  async #run<T>(
    id: number,
    frame: { at: number; deadline: number },
    arrived: number,
    work: (leave: ExecutionPermit) => Promise<T>,
  ): Promise<T> {
    this.heard(frame.at, arrived);
    const asked = new AbortController();
    this.#asked.set(id, asked);
    // What came before the hub began to leave is carried on; what comes after comes again, by the next connection.
    const mayTouch = this.#leaving ? () => false : this.#deps.mayTouch;
    try {
      const deadline = toMonotonic(this.#time, frame.deadline);
      return await work({ deadline, mayTouch, mayAnswer: mayTouch, signal: asked.signal });
    } catch (failure) {
      if (!(failure instanceof NoListener)) throw failure;
    } finally {
      this.#asked.delete(id);
      if (this.#asked.size === 0) this.#idle?.();
    }
    return unanswered();
  }

  async #askDrivers(id: number, question: DriverQuestion): Promise<object> {
    const asked = new AbortController();
    // Who is one too many is answered at once, with what is so now.
    if (this.#leaving || this.#waiting.size >= MOST_WAITING) asked.abort();
    this.#waiting.set(id, asked);
    try {
      return await this.#deps.askDrivers(question, asked.signal);
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #command(frame: CommandFrame, leave: ExecutionPermit): Promise<object> {
    const { commands, clock, log } = this.#deps;
    const hops = frame.trace ? new TimingBreakdown(clock) : undefined;
    const { id, requestId, device, service, index, property, value } = frame;
    const request = { id, requestId, device, service, index, property, value };
    const result = await commands.command(request, leave, hops);
    const { outcome, failure } = result;
    log.debug({ command: id, requestId, outcome, failure: failure?.name }, "a command of the cloud is answered");
    if (!hops) return result;
    // What is left: its end was written to the journal.
    hops.step(outcome === "not_applied" ? "turn" : "journal");
    return { ...result, hops: hops.ms };
  }

  async #callScene(frame: SceneCallFrame, leave: ExecutionPermit): Promise<SceneCallAnswer> {
    const { log } = this.#deps;
    const { scene, requestId } = frame;
    const requests = frame.commands.map((each) => ({ ...each, requestId, scene: { id: scene } }));
    const results = await carryOutTogether(this.#deps, requests, leave);
    const confirmed = results.filter(({ outcome }) => outcome === "confirmed").length;
    log.debug({ scene, requestId, commands: results.length, confirmed }, "a scene that the cloud called is answered");
    return sceneCallAnswer(results);
  }

  async #read({ items, maxAge }: ReadFrame, leave: ExecutionPermit): Promise<{ items: readonly ReadResult[] }> {
    const results = await this.#deps.commands.read(items, leave, maxAge);
    if (results.length <= ALWAYS_FIT) return { items: results };
    let bytes = 0;
    return {
      items: results.map((result) => {
        const size = Buffer.byteLength(JSON.stringify(result)) + 1;
        if (bytes + size > ANSWER_BYTES) return TOO_LARGE;
        bytes += size;
        return result;
      }),
    };
  }

  async #names(home: Pick<Home, "takeNames">, params: unknown): Promise<{ wanted: readonly string[] }> {
    const { data } = frames.names.safeParse(params);
    return data ? { wanted: await home.takeNames(data) } : this.#malformed();
  }

  async #name(home: Pick<Home, "takeName">, params: unknown): Promise<object> {
    const { data } = frames.name.safeParse(params);
    if (!data) return this.#malformed();
    await home.takeName(data);
    return {};
  }

  async #scenes(params: unknown): Promise<{ wanted: readonly string[] }> {
    const { data } = frames.scenes.safeParse(params);
    return data ? { wanted: await this.#deps.scenes.takeScenes(data) } : this.#malformed();
  }

  async #scene(params: unknown): Promise<object> {
    const { data } = frames.scene.safeParse(params);
    if (!data) return this.#malformed();
    await this.#deps.scenes.takeScene(data);
    return {};
  }

  #malformed(): Promise<never> {
    this.#deps.malformed();
    return Promise.reject(new PeerRefused(RPC_ERRORS.invalidParams));
  }
}

/** The connection ends before long, which is all that the cloud is told. */
function unanswered(): Promise<never> {
  return new Promise(() => undefined);
}
