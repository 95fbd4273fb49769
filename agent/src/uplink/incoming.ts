/** Handles the cloud's requests to the hub: parses commands and reads, maps their deadlines, and ends cancelled ones. */
import { type Clock, type Log, TimingBreakdown } from "@porchlight/shared/kernel";
import type { DriverQuestion, MaintenanceAnswer, MaintenanceQuestion } from "@porchlight/shared/model";
import {
  type CommandFrame,
  frames,
  goodCommand,
  MAX_MESSAGE_BYTES,
  type MessageSocket,
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
  Overloaded,
  type ReadResult,
  refusal,
  toMonotonic,
} from "../commands/index.ts";
import type { AskDrivers } from "../drivers/index.ts";
import type { Home, HubScenes, StoredResult } from "../state/index.ts";
import { type OpenRequests, Refusals, type RequestSize } from "./open-requests.ts";

export interface IncomingDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly commands: Pick<Commands, "command" | "read" | "refuse">;
  /** The open requests of the cloud, over all connections. */
  readonly open: OpenRequests;
  /** The socket of the connection, which is not read while many refusals wait for the journal. */
  readonly socket: Pick<MessageSocket, "pause" | "resume">;
  /** Answers questions of users to the hub's drivers. */
  readonly askDrivers: AskDrivers;
  /** Answers maintenance requests to the hub itself; undefined on a hub without remote maintenance. */
  readonly askMaintenance?: ((question: MaintenanceQuestion) => Promise<MaintenanceAnswer>) | undefined;
  /** Stores the cloud's names of the hub's devices; undefined when the API at home is not served. */
  readonly home?: Pick<Home, "takeNames" | "takeName"> | undefined;
  /** Stores the hub's scenes. */
  readonly scenes: Pick<HubScenes, "takeScenes" | "takeScene">;
  /** Whether the tunnel is open and its lease is live. */
  readonly mayTouch: () => boolean;
  readonly malformed: () => void;
  /** A request was refused because too many are open. */
  readonly refused: () => void;
  /** The hub can neither execute a command nor refuse it. */
  readonly overloaded: () => void;
}

/** A received request with a deadline. */
interface Asked<Frame> {
  readonly id: number;
  readonly frame: Frame;
  readonly arrived: number;
  readonly size: RequestSize;
}

/** Maximum questions about drivers that wait for news. */
const MOST_WAITING = 64;
export class Incoming {
  readonly #deps: IncomingDeps;
  readonly #refusals: Refusals;
  readonly #asked = new Map<number, AbortController>();
  /** Questions about drivers, which may wait long for news. */
  readonly #waiting = new Map<number, AbortController>();
  #time = NOTHING_HEARD;
  #idle: (() => void) | undefined;
  #leaving = false;

  constructor(deps: IncomingDeps) {
    this.#deps = deps;
    this.#refusals = new Refusals(deps.socket);
  }

  /** Takes the times of a frame that the cloud sent at that connection time. */
  heard(at: number, arrived: number, asked?: number): void {
    this.#time = heard(this.#time, at, arrived, asked);
  }

  /**
   * Handles a request of the cloud; undefined when its method is unknown.
   * @param arrived time of its arrival, on the monotonic clock, ms
   * @param bytes size of its frame
   */
  request(method: string, params: unknown, id: number, arrived: number, bytes: number): Promise<unknown> | undefined {
    switch (method) {
      case "command": {
        const frame = goodCommand(params) ?? frames.command.safeParse(params).data;
        return frame ? this.#command({ id, frame, arrived, size: { count: 1, bytes } }) : this.#malformed();
      }
      case "read": {
        const { data: frame } = frames.read.safeParse(params);
        if (!frame) return this.#malformed();
        return this.#read({ id, frame, arrived, size: { count: frame.items.length, bytes } });
      }
      case "scene.call": {
        const { data: frame } = frames.sceneCall.safeParse(params);
        if (!frame) return this.#malformed();
        return this.#callScene({ id, frame, arrived, size: { count: frame.commands.length, bytes } });
      }
      default: {
        const { open, refused } = this.#deps;
        const size = { count: 1, bytes };
        if (open.hasRoom(size)) {
          const answer = this.#ask(method, params, id);
          return answer && open.hold(size, answer);
        }
        refused();
        return Promise.reject(new PeerRefused(RPC_ERRORS.overloaded));
      }
    }
  }

  /** Handles requests other than commands and reads. */
  #ask(method: string, params: unknown, id: number): Promise<unknown> | undefined {
    switch (method) {
      case "drivers": {
        const { data } = frames.drivers.safeParse(params);
        return data ? this.#askDrivers(id, data.question) : this.#malformed();
      }
      case "maintenance": {
        // A question of a newer cloud can be unknown to this agent, which is no reason to end the tunnel.
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

  /** Cancels the request of that id for the cloud. */
  cancel(params: unknown): void {
    const { data } = frames.cancel.safeParse(params);
    if (data) (this.#asked.get(data.id) ?? this.#waiting.get(data.id))?.abort();
    else this.#deps.malformed();
  }

  /** Starts no further request, and resolves when all open ones are answered. */
  leave(): Promise<void> {
    this.#leaving = true;
    for (const waiting of this.#waiting.values()) waiting.abort();
    if (this.#asked.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  /** Aborts all requests: the tunnel is gone. */
  abandon(): void {
    for (const asked of [...this.#asked.values(), ...this.#waiting.values()]) asked.abort();
  }

  /**
   * Computes an answer within the deadline of the request.
   * @param refuse answers instead when too many requests are open
   */
  async #run<T>(
    { id, frame, arrived, size }: Asked<{ at: number; deadline: number }>,
    work: (leave: ExecutionPermit) => Promise<T>,
    refuse: () => T | Promise<T>,
  ): Promise<T> {
    this.heard(frame.at, arrived);
    const { open } = this.#deps;
    const asked = new AbortController();
    this.#asked.set(id, asked);
    // Requests from before the leave are executed; later ones are sent again by the cloud over the next connection.
    const mayTouch = this.#leaving ? () => false : this.#deps.mayTouch;
    try {
      const deadline = toMonotonic(this.#time, frame.deadline);
      if (open.hasRoom(size))
        return await open.hold(size, work({ deadline, mayTouch, mayAnswer: mayTouch, signal: asked.signal }));
      if (mayTouch()) {
        this.#deps.refused();
        return await refuse();
      }
    } catch (failure) {
      if (failure instanceof Overloaded) this.#deps.overloaded();
      else if (!(failure instanceof NoListener)) throw failure;
    } finally {
      this.#asked.delete(id);
      if (this.#asked.size === 0) this.#idle?.();
    }
    return unanswered();
  }

  async #askDrivers(id: number, question: DriverQuestion): Promise<object> {
    const asked = new AbortController();
    // Above the limit, a question is answered at once with the current state.
    if (this.#leaving || this.#waiting.size >= MOST_WAITING) asked.abort();
    this.#waiting.set(id, asked);
    try {
      return await this.#deps.askDrivers(question, asked.signal);
    } finally {
      this.#waiting.delete(id);
    }
  }

  #command(asked: Asked<CommandFrame>): Promise<object> {
    const { commands, clock, log } = this.#deps;
    const hops = asked.frame.trace ? new TimingBreakdown(clock) : undefined;
    const { id, requestId, device, service, index, property, value } = asked.frame;
    const request = { id, requestId, device, service, index, property, value };
    const carryOut = async (leave: ExecutionPermit) => {
      const result = await commands.command(request, leave, hops);
      const { outcome, failure } = result;
      log.debug({ command: id, requestId, outcome, failure: failure?.name }, "a command of the cloud is answered");
      if (!hops) return result;
      // The remaining time: the end was written to the journal.
      hops.step(outcome === "not_applied" ? "turn" : "journal");
      return { ...result, hops: hops.ms };
    };
    return this.#run<object>(asked, carryOut, () => this.#refusals.hold(1, commands.refuse(request)));
  }

  #callScene(asked: Asked<SceneCallFrame>): Promise<SceneCallAnswer> {
    const { log, commands } = this.#deps;
    const { scene, requestId } = asked.frame;
    const requests = asked.frame.commands.map((each) => ({ ...each, requestId, scene: { id: scene } }));
    const carryOut = async (leave: ExecutionPermit) => {
      const results = await carryOutTogether(this.#deps, requests, leave);
      const confirmed = results.filter(({ outcome }) => outcome === "confirmed").length;
      log.debug({ scene, requestId, commands: results.length, confirmed }, "a scene that the cloud called is answered");
      return sceneCallAnswer(results);
    };
    const refuse = () => Promise.all(requests.map((request) => commands.refuse(request)));
    return this.#run(asked, carryOut, async () =>
      sceneCallAnswer(await this.#refusals.hold(requests.length, refuse())),
    );
  }

  #read(asked: Asked<ReadFrame>): Promise<ReadAnswer> {
    const { items, maxAge } = asked.frame;
    return this.#run<ReadAnswer>(
      asked,
      async (leave) => readAnswer(await this.#deps.commands.read(items, leave, maxAge)),
      () => ({ items: items.map(() => ({ failure: refusal("overloaded") })) }),
    );
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

/** Never resolves: the connection ends soon, and the cloud gets no other answer. */
function unanswered(): Promise<never> {
  return new Promise(() => undefined);
}

/** The answer to a read: one result per item, as many as fit into one message. */
interface ReadAnswer {
  readonly items: readonly ReadResult[];
}

/** Room for the envelope of an answer. */
const ANSWER_BYTES = MAX_MESSAGE_BYTES - 16 * 1024;
/** This many values of the largest size always fit. */
const ALWAYS_FIT = 14;
const TOO_LARGE: ReadResult = {
  failure: { name: "Hub Timeout", detail: "The answer is too large for this value: read fewer values at once." },
};

function readAnswer(results: readonly ReadResult[]): ReadAnswer {
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

/** The result of one command of a scene call. */
type Result = SceneCallAnswer["results"][number];

/** Longest `detail` of a failure: there may be one for each of 500 commands. */
const LONGEST_DETAIL = 128;
const SCENE_TOO_LARGE = "The answer is too large for this value; it follows in the hub's history.";

/** The answer to a scene call, as much as fits into one message; further results reach the cloud in the records of the commands. */
function sceneCallAnswer(results: readonly StoredResult[]): SceneCallAnswer {
  const least = results.map((result) => sizeOf(tooLarge(result)));
  let left = least.reduce((room, size) => room - size, ANSWER_BYTES);
  return {
    results: results.map((result, at) => {
      const answered = answeredResult(result);
      const more = sizeOf(answered) - (least[at] ?? 0);
      if (more > left) return tooLarge(result);
      left -= more;
      return answered;
    }),
  };
}

function sizeOf(result: Result): number {
  return Buffer.byteLength(JSON.stringify(result)) + 1;
}

function answeredResult({ command, n, outcome, value, observedAt, failure }: StoredResult): Result {
  return {
    ...{ command, n, outcome, observedAt },
    // Typed as in the schema of the frame; the value is the same.
    ...(value !== undefined && { value: value as Result["value"] }),
    ...(failure && { failure: { ...failure, detail: failure.detail.slice(0, LONGEST_DETAIL) } }),
  };
}

function tooLarge({ command, observedAt }: StoredResult): Result {
  return { command, n: 0, outcome: "unknown", observedAt, failure: { name: "Hub Timeout", detail: SCENE_TOO_LARGE } };
}
