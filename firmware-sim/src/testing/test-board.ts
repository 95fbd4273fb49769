/**
 * A simulated board for unit tests: a node of a file, in memory, on a pseudo-terminal or on TCP, with methods to operate and observe
 * it.
 */
import { type Clock, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { addressKey, type Value } from "@porchlight/shared/model";
import type { ByteLink, Message } from "@porchlight/shared/wire";
import { type DecodedFrame, Decoder, frameLine } from "../lab/capture/decode.ts";
import { faultOf } from "../simulator/control.ts";
import { readDefinitions } from "../simulator/devices/read-definitions.ts";
import type { SimulatedDevice } from "../simulator/devices/simulated-device.ts";
import { memoryLinks } from "../simulator/links/memory-link.ts";
import { Ports } from "../simulator/open-port.ts";
import { type RunningNode, Simulator } from "../simulator/simulator.ts";

export interface TestBoardOptions {
  /** Seed of all randomness: the same seed and the same bytes from the hub produce the same bytes. 1 when omitted. */
  readonly seed?: number;
  /** A VirtualClock makes a test exact and fast; the system's clock when omitted. */
  readonly clock?: Clock;
  /** `memory`: `link` is the hub's end of the line. `port`: a pseudo-terminal, or TCP if the file defines it. `memory` when omitted. */
  readonly on?: "memory" | "port";
  /** Seconds of the devices' lives in one second of the clock; 1 when omitted. */
  readonly speed?: number;
}

export class TestBoard implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #simulator: Simulator;
  readonly #end: () => Promise<void>;
  readonly #lines: { link: ByteLink | undefined };
  readonly #record: FrameRecord;

  private constructor(
    clock: Clock,
    simulator: Simulator,
    lines: { link: ByteLink | undefined },
    record: FrameRecord,
    end: () => Promise<void>,
  ) {
    this.#clock = clock;
    this.#simulator = simulator;
    this.#lines = lines;
    this.#record = record;
    this.#end = end;
  }

  /**
   * Boots the board and plugs it in.
   * @param file YAML as for `porchlight-sim run`, with one node
   * @throws Error with every problem of the file, or when the port cannot be opened
   */
  static async start(file: string, options: TestBoardOptions = {}): Promise<TestBoard> {
    const { seed = 1, clock = systemClock, on = "memory", speed } = options;
    const read = readDefinitions(file);
    if (read.kind === "problems") throw new Error(read.problems.join("\n"));
    if (read.nodes.length !== 1) throw new Error(`A board is one node; the file has ${read.nodes.length}.`);
    const lines: { link: ByteLink | undefined } = { link: undefined };
    const record = new FrameRecord(clock);
    const ports = new Ports({ clock, address: "127.0.0.1" });
    const simulator = await Simulator.start({
      ...{ clock, seed, speed, definitions: read.nodes },
      watch: (_, { from, bytes }) => record.passed(from, bytes),
      openPort: (definition, attach, port) => {
        if (on === "port") return ports.open(definition, attach, port);
        const [link, far] = memoryLinks();
        lines.link = far;
        attach(link);
        return { path: "memory", close: () => link.close() };
      },
    });
    const end = async () => {
      await ports[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    };
    return new TestBoard(clock, simulator, lines, record, end);
  }

  /** The hub's end of the line in memory; a new one after `plug`. @throws Error on a port, or while the board is unplugged */
  get link(): ByteLink {
    const { link } = this.#lines;
    if (!link || !this.#node.port) throw new Error("There is no line in memory: it is on a port, or unplugged.");
    return link;
  }

  /** Path of its pseudo-terminal, or `tcp ADDRESS:PORT`; undefined while it is unplugged. */
  get path(): string | undefined {
    return this.#node.port?.path;
  }

  /** Its TCP port; undefined on any other line. */
  get port(): number | undefined {
    return this.#node.port?.port;
  }

  /** `unplugged`, `greeting` until a hub has acknowledged its HELLO, then `live`. */
  get state(): "unplugged" | "greeting" | "live" {
    return this.#node.node.state;
  }

  get boot(): number {
    return this.#node.node.boot;
  }

  /** Number of reports that no hub has acknowledged yet. */
  get untold(): number {
    return this.#node.node.untold;
  }

  /** All traffic on its line, damage included, oldest first: at least the last 5,000 frames. */
  get frames(): readonly DecodedFrame[] {
    return this.#record.frames;
  }

  /** The only device, or the one with that edgeId. @throws Error when it is ambiguous, NamedError "Device Not Found" */
  device(edgeId?: string): TestDevice {
    const ids = this.#node.definition.devices.map((device) => device.edgeId);
    if (edgeId === undefined && ids.length !== 1) throw new Error(`Say which device: ${ids.join(", ")}.`);
    const id = edgeId ?? ids[0] ?? "";
    return new TestDevice(this.#simulator.device(id), (words) => void this.#simulator.fail(id, faultOf(words)));
  }

  /** Sets a fault of its line or its board: `drop 0.1`, `corrupt 0.1`, `delay 60`, `brownout 30`, …; `none` ends all. @throws Error */
  fault(words: string): void {
    this.#simulator.fail(this.#id, faultOf(words));
  }

  reboot(): void {
    this.#node.board.reboot();
  }

  /** Cuts the power for `ms`, or for a random time when omitted. Then the board boots. */
  brownOut(ms?: number): void {
    this.#node.board.brownOut(ms);
  }

  unplug(): void {
    this.#simulator.unplug(this.#id);
  }

  /** Plugs it in again: in memory on a new `link`. */
  async plug(): Promise<void> {
    await this.#simulator.plug(this.#id);
  }

  /** Puts random bytes and half of a frame on its line. @param seed the same seed yields the same bytes */
  noise(seed: number): void {
    this.#simulator.disturb(this.#id, seededRandom(seed));
  }

  /**
   * The first wanted frame from now on.
   * @param wanted the type of a message, or a predicate
   * @param within ms of the clock; 5,000 when omitted
   * @throws Error with the traffic instead, when none arrived in time
   */
  async frame(wanted: Message["type"] | ((frame: DecodedFrame) => boolean), within = 5000): Promise<DecodedFrame> {
    const isWanted = typeof wanted === "function" ? wanted : ({ message }: DecodedFrame) => message?.type === wanted;
    const from = this.#record.count;
    return new Promise((resolve, reject) => {
      const forget = this.#record.wait({
        isWanted,
        found: (frame) => {
          timer.cancel();
          resolve(frame);
        },
      });
      const timer = this.#clock.timer("a frame that a test waits for", within, () => {
        forget();
        const passed = this.#record.since(from).map(frameLine);
        const name = typeof wanted === "string" ? wanted : "frame as wanted";
        reject(new Error([`No ${name} passed in ${within} ms. What passed:`, ...passed].join("\n")));
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  get #node(): RunningNode {
    const [node] = this.#simulator.nodes;
    if (!node) throw new Error("The board has ended.");
    return node;
  }

  get #id(): string {
    return this.#node.node.edgeId;
  }
}

/** Maximum number of frames to keep; older ones are dropped. */
const MOST_FRAMES = 10_000;

interface Waiting {
  readonly isWanted: (frame: DecodedFrame) => boolean;
  readonly found: (frame: DecodedFrame) => void;
}

class FrameRecord {
  readonly #clock: Clock;
  readonly #since: number;
  readonly #decoder = new Decoder();
  readonly #waiting = new Set<Waiting>();
  #frames: DecodedFrame[] = [];
  /** Total number of frames so far. */
  count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  get frames(): readonly DecodedFrame[] {
    return this.#frames;
  }

  /** The frames after the first `count`. */
  since(count: number): readonly DecodedFrame[] {
    return count >= this.count ? [] : this.#frames.slice(-(this.count - count));
  }

  passed(dir: "hub" | "node", bytes: Uint8Array): void {
    for (const frame of this.#decoder.push({ t: this.#clock.monotonic() - this.#since, dir, bytes })) {
      this.count += 1;
      this.#frames.push(frame);
      if (this.#frames.length > MOST_FRAMES) this.#frames = this.#frames.slice(-MOST_FRAMES / 2);
      for (const waiting of [...this.#waiting]) {
        if (!waiting.isWanted(frame)) continue;
        this.#waiting.delete(waiting);
        waiting.found(frame);
      }
    }
  }

  /** Returns a function that ends the wait. */
  wait(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }
}

/** An executed WRITE. */
export interface TestWrite {
  /** `SERVICE:INDEX.PROPERTY` */
  readonly property: string;
  readonly value: Value;
  /** Wall-clock ms. */
  readonly at: number;
}

export class TestDevice {
  readonly #device: SimulatedDevice;
  readonly #fail: (words: string) => void;

  constructor(device: SimulatedDevice, fail: (words: string) => void) {
    this.#device = device;
    this.#fail = fail;
  }

  get edgeId(): string {
    return this.#device.edgeId;
  }

  /** Every executed WRITE, oldest first; a repetition (R2) is not executed again. */
  get writes(): readonly TestWrite[] {
    return this.#device.writes.map(({ address, value, at }) => ({ property: addressKey(address), value, at }));
  }

  /** Whether it blinks because of an IDENTIFY. */
  get isIdentifying(): boolean {
    return this.#device.identifying;
  }

  /**
   * @param property `SERVICE[:INDEX].PROPERTY` @returns null when the property has no value @throws NamedError "Service Property
   * Invalid"
   */
  get(property: string): Value {
    return this.#device.read(property);
  }

  /**
   * Changes a value at the device itself, by hand or by its sensor; a change is reported. @throws NamedError "Service Property
   * Invalid", "Property Value Invalid"
   */
  set(property: string, value: Value): void {
    this.#device.turn(property, value);
  }

  /** Emits an event, such as the press of a button. @throws NamedError "Service Property Invalid", "Property Value Invalid" */
  press(property: string, value: Value): void {
    this.#device.press(property, value);
  }

  /**
   * Sets a fault: `silent`, `mute`, `slow 300`, `stale 300`, `stuck`, `refuse`, `broken`, `wrong`, `busy 3`, `forget 1`; `none` ends
   * it. @throws Error
   */
  fault(words: string): void {
    this.#fail(words);
  }
}
