/** A simulated node: its devices, places, lines and boots. `conversation.ts` has its side of the protocol. */
import { type Clock, type Log, NamedError, type Random, randomInteger, silentLog } from "@porchlight/shared/kernel";
import { findProperty, type PropertyAddress, type Value } from "@porchlight/shared/model";
import {
  type Body,
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  type FrameDamage,
  type FrameEvent,
  type Message,
  type Places,
  PROTOCOL_VERSION,
  wireAddress,
} from "@porchlight/shared/wire";
import type { DeviceFault } from "../device-fault.ts";
import type { DeviceDefinition, NodeDefinition } from "../devices/definition.ts";
import { SimulatedDevice, type Tell } from "../devices/simulated-device.ts";
import { Conversation } from "./conversation.ts";
import { Lines } from "./lines.ts";
import type { Changed, OutgoingReport } from "./reports.ts";
import { RequestServer } from "./request-server.ts";
import { sentValue } from "./requests.ts";

const DEFAULT_MAX = 1024;

export interface NodeDeps {
  /** The board's own clock. */
  readonly clock: Clock;
  /** The clock of its devices' lives, when it differs. */
  readonly life?: Clock | undefined;
  readonly random: Random;
  readonly definition: NodeDefinition;
  readonly log?: Log | undefined;
  readonly trace?: Trace | undefined;
  /** Called for each executed WRITE, before its answer. Repetitions are not executed. */
  readonly acted?: ((edgeId: string, address: PropertyAddress, value: Value) => void) | undefined;
}

export class SimulatedNode implements AsyncDisposable {
  readonly #deps: NodeDeps;
  readonly #log: Log;
  readonly #devices = new Map<string, SimulatedDevice>();
  readonly #damage = new Map<FrameDamage, number>();
  readonly #lines: Lines;
  readonly #conversation: Conversation;
  readonly #server: RequestServer;
  #seating: Seating;
  #boot: number;

  /** Boots a node. It stays silent until a line is attached. */
  static start(deps: NodeDeps): SimulatedNode {
    return new SimulatedNode(deps);
  }

  private constructor(deps: NodeDeps) {
    const { clock, definition, log = silentLog } = deps;
    const { max = DEFAULT_MAX, win = 1 } = definition;
    this.#deps = deps;
    this.#log = log;
    this.#boot = this.#anotherBoot(0);
    this.#seating = seat(definition.devices.map(({ edgeId }) => edgeId));
    this.#lines = new Lines(max, {
      connected: () => this.#conversation.connected(),
      received: (event) => this.#received(event),
      disconnected: () => this.#conversation.disconnected(),
    });
    this.#server = new RequestServer({
      clock,
      win,
      max,
      deviceAt: (place) => this.#deviceAt(place),
      answer: (message) => this.#send(message),
      relapse: () => this.#conversation.relapse(),
      written: (place, address, value) => this.#written(place, address, value),
    });
    this.#conversation = new Conversation(
      {
        clock,
        send: (message) => this.#send(message),
        hello: (seq) => this.#hello(seq, max, win),
        report: (item, seq) => this.#report(item, seq),
        serve: (request, body) => this.#server.handle(request, body),
        turnAway: (request, body, why) => this.#server.turnAway(request, body, why),
        forget: () => this.#server.forget(),
      },
      this.#anySeq(),
    );
    // Last, because devices report from the start of their lives.
    for (const device of definition.devices) this.#devices.set(device.edgeId, this.#born(device));
  }

  get edgeId(): string {
    return this.#deps.definition.edgeId;
  }

  /** The `boot` number in HELLO. */
  get boot(): number {
    return this.#boot;
  }

  get state(): "unplugged" | "greeting" | "live" {
    return this.#conversation.state;
  }

  /** Number of reports and changes that the hub has not acknowledged yet. */
  get untold(): number {
    return this.#conversation.untold;
  }

  /** Number of requests of the hub that the node is executing. */
  get underWay(): number {
    return this.#server.underWay;
  }

  /** Number of received damages of each kind. */
  get damage(): ReadonlyMap<FrameDamage, number> {
    return this.#damage;
  }

  /** All devices that the node has ever had, present or not. */
  get devices(): readonly SimulatedDevice[] {
    return [...this.#devices.values()];
  }

  /** @throws NamedError "Device Not Found" */
  device(edgeId: string): SimulatedDevice {
    const device = this.#devices.get(edgeId);
    if (!device) throw new NamedError("Device Not Found", `${this.edgeId} has no device ${edgeId}.`);
    return device;
  }

  /** Sets or ends a fault of a device. When `slow` ends, the device executes its pending work at once. */
  fail(device: SimulatedDevice, fault: DeviceFault): void {
    device.fail(fault);
    if (fault.mode !== "slow" && fault.mode !== "stale") this.#server.catchUp(device);
  }

  /** Plugs a line in. While another line is served, the new one takes over with its first good frame, and the older is closed. */
  attach(link: ByteLink): void {
    this.#lines.attach(link);
  }

  /** Pulls the cable: closes every line; pending reports stay queued. */
  detach(): void {
    this.#lines.detach("unplugged");
  }

  /** Reboots: loses the node's memory, all requests and reports, but not its devices' values. */
  reboot(): void {
    this.#boot = this.#anotherBoot(this.#boot);
    this.#server.reboot();
    this.#seating = seat(listed(this.#seating).filter((edgeId) => edgeId !== null));
    this.#conversation.reboot(this.#anySeq());
  }

  /** Adds a device, or one that returns changed, at its old place or at the end: CHANGED. */
  add(definition: DeviceDefinition): SimulatedDevice {
    this.#devices.get(definition.edgeId)?.[Symbol.dispose]();
    const device = this.#born(definition);
    this.#devices.set(definition.edgeId, device);
    this.#seating = arrive(this.#seating, definition.edgeId);
    this.#conversation.tell({ kind: "changed", devices: listed(this.#seating) });
    return device;
  }

  /** Removes a device: its place stays empty until it returns. @throws NamedError "Device Not Found" */
  remove(edgeId: string): void {
    const place = placeOf(this.#seating, this.device(edgeId).edgeId);
    this.#seating = leave(this.#seating, edgeId);
    this.device(edgeId)[Symbol.dispose]();
    if (place !== undefined) this.#conversation.departed(place);
    this.#conversation.tell({ kind: "changed", devices: listed(this.#seating) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#conversation.end();
    this.#server.reboot();
    for (const device of this.#devices.values()) device[Symbol.dispose]();
    this.#lines.detach("stopped");
  }

  readonly #tell: Tell = (edgeId, address, value, event) => {
    const place = placeOf(this.#seating, edgeId);
    if (place === undefined || whoIsAt(this.#seating, place) === undefined) return;
    this.#conversation.tell({ kind: "report", place, address, value, event });
  };

  #written(place: number, address: PropertyAddress, value: Value): void {
    const edgeId = whoIsAt(this.#seating, place);
    if (edgeId !== undefined) this.#deps.acted?.(edgeId, address, value);
    this.#conversation.written(place, address, value);
  }

  #born(definition: DeviceDefinition): SimulatedDevice {
    const { clock, life = clock, random } = this.#deps;
    return SimulatedDevice.start({ definition, clock: life, random, tell: this.#tell });
  }

  #deviceAt(place: number): SimulatedDevice | undefined {
    const edgeId = whoIsAt(this.#seating, place);
    return edgeId === undefined ? undefined : this.#devices.get(edgeId);
  }

  #received(event: FrameEvent): void {
    if (event.kind === "damage") {
      this.#damage.set(event.reason, (this.#damage.get(event.reason) ?? 0) + 1);
      this.#deps.trace?.({ direction: "in", damage: event.reason });
      return;
    }
    this.#deps.trace?.({ direction: "in", body: decodeBody(event.body), bytes: event.body });
    this.#conversation.received(event.body);
  }

  #send(message: Message): void {
    const frame = encodeFrame(encodeMessage(message));
    this.#deps.trace?.({ direction: "out", message, frame });
    this.#lines.send(frame, (reason) =>
      this.#log.debug({ reason, type: message.type }, "a frame was lost with its line"),
    );
  }

  #hello(seq: number, max: number, win: number): Message {
    const { edgeId, about } = this.#deps.definition;
    const devices = listed(this.#seating);
    const texts = { mf: about?.manufacturer, mo: about?.model, fw: about?.firmware, sn: about?.serial };
    return {
      type: "HELLO",
      seq,
      info: { v: PROTOCOL_VERSION, id: edgeId, devices, boot: this.#boot, max, win, ...texts },
    };
  }

  #report(item: OutgoingReport | Changed, seq: number): Message {
    if (item.kind === "changed") return { type: "CHANGED", seq, devices: item.devices };
    const device = this.#deviceAt(item.place);
    const value = device ? sentValue(device, findProperty(device.services, item.address), item.value) : item.value;
    return { type: "REPORT", seq, ...wireAddress(item.place, item.address), value };
  }

  /** 32 random bits that differ from the last ones, or 0 for a node that has neither noise nor a counter. */
  #anotherBoot(last: number): number {
    if (this.#deps.definition.boot === "none") return 0;
    const noise = 1 + randomInteger(this.#deps.random, 0xfffffffe);
    return noise === last ? noise + 1 : noise;
  }

  #anySeq(): number {
    return randomInteger(this.#deps.random, 0x10000);
  }
}

/** The traffic on a node's line, for watchers. */
export type TraceEvent =
  | { readonly direction: "out"; readonly message: Message; readonly frame: Uint8Array }
  | { readonly direction: "in"; readonly body: Body; readonly bytes: Uint8Array }
  /** Bytes that do not form a good frame. */
  | { readonly direction: "in"; readonly damage: FrameDamage };

type Trace = (event: TraceEvent) => void;

/** A place of a device: within one boot it is never reassigned to another device. DP4. */
interface Place {
  readonly edgeId: string;
  readonly present: boolean;
}

/** All places of this boot, in order. */
type Seating = readonly Place[];

/** The places of a boot that starts with these devices. */
function seat(edgeIds: readonly string[]): Seating {
  return edgeIds.map((edgeId) => ({ edgeId, present: true }));
}

/** Seats a device at its old place or at the end. */
function arrive(seating: Seating, edgeId: string): Seating {
  if (seating.some((place) => place.edgeId === edgeId)) {
    return seating.map((place) => (place.edgeId === edgeId ? { edgeId, present: true } : place));
  }
  return [...seating, { edgeId, present: true }];
}

/** Marks the place of a device as empty; it stays reserved. */
function leave(seating: Seating, edgeId: string): Seating {
  return seating.map((place) => (place.edgeId === edgeId ? { edgeId, present: false } : place));
}

/** `devices` in HELLO and CHANGED. */
function listed(seating: Seating): Places {
  return seating.map((place) => (place.present ? place.edgeId : null));
}

/** The edgeId of the device that occupies a place now. */
function whoIsAt(seating: Seating, place: number): string | undefined {
  const found = seating[place];
  return found?.present ? found.edgeId : undefined;
}

/** The place of a device, present or not. */
function placeOf(seating: Seating, edgeId: string): number | undefined {
  const place = seating.findIndex((one) => one.edgeId === edgeId);
  return place < 0 ? undefined : place;
}
