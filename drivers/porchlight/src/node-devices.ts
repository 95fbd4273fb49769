/** The devices of one node on one line, by place and by edgeId, through boots and changes of its list. */
import type { DeviceAbout } from "@porchlight/shared/model";
import type { HelloInfo, Places } from "@porchlight/shared/wire";
import { DeviceLife, type LifeDeps } from "./device/device-life.ts";
import type { Exchanges } from "./exchange/exchanges.ts";

export interface NodeDevicesDeps extends LifeDeps {
  readonly hubEdgeId: string;
  /** Every device of this boot has been described and read, or that has failed. */
  readonly onSettled: () => void;
}

export class NodeDevices {
  readonly #deps: NodeDevicesDeps;
  readonly #lives = new Map<string, DeviceLife>();
  #node: HelloInfo | undefined;
  #exchanges: Exchanges | undefined;
  #seating: Seating | undefined;
  #unsettled = new Set<string>();

  constructor(deps: NodeDevicesDeps) {
    this.#deps = deps;
  }

  get(edgeId: string): DeviceLife | undefined {
    return this.#lives.get(edgeId);
  }

  at(place: number): DeviceLife | undefined {
    const edgeId = this.#seating?.seats.get(place);
    return edgeId === undefined ? undefined : this.#lives.get(edgeId);
  }

  /** edgeIds of the devices that are live here. */
  live(): string[] {
    return [...this.#lives.values()].filter((life) => life.isLive).map((life) => life.edgeId);
  }

  /**
   * A node has sent HELLO, or has rebooted: all devices are described and read again, from `at` on; devices that stay remain live
   * meanwhile.
   */
  join(node: HelloInfo, exchanges: Exchanges, at: number): void {
    this.#node = node;
    this.#exchanges = exchanges;
    this.#seating = firstSeating(node.devices, this.#deps.hubEdgeId);
    this.#unsettled = new Set();
    const staying = new Set(this.#seating.seats.values());
    for (const edgeId of [...this.#lives.keys()]) if (!staying.has(edgeId)) this.#leave(edgeId);
    for (const [place, edgeId] of this.#seating.seats) this.#begin({ place, edgeId }, at);
    if (staying.size === 0) this.#deps.onSettled();
  }

  /** CHANGED: false, and without effect, when it gives a place to another device. DP5, "Devices". */
  change(devices: Places, at: number): boolean {
    if (!this.#seating) return false;
    const change = changeSeating(this.#seating, devices, this.#deps.hubEdgeId);
    if (change.kind === "contradiction") return false;
    this.#seating = change.seating;
    for (const { edgeId } of change.left) this.#leave(edgeId);
    for (const seat of change.came) this.#begin(seat, at);
    return true;
  }

  /** The link is down. */
  clear(): void {
    this.#seating = undefined;
    this.#unsettled = new Set();
    for (const edgeId of [...this.#lives.keys()]) this.#leave(edgeId);
  }

  #begin({ place, edgeId }: Seat, at: number): void {
    if (!this.#exchanges) return;
    const seated = { place, exchanges: this.#exchanges, about: this.#aboutNode(edgeId) };
    const life = this.#lives.get(edgeId) ?? new DeviceLife(edgeId, seated, this.#deps);
    this.#lives.set(edgeId, life);
    const unsettled = this.#unsettled;
    unsettled.add(edgeId);
    life.begin(seated, at, () => {
      const wasLast = unsettled.delete(edgeId) && unsettled.size === 0;
      if (wasLast && unsettled === this.#unsettled) this.#deps.onSettled();
    });
  }

  #leave(edgeId: string): void {
    const life = this.#lives.get(edgeId);
    this.#lives.delete(edgeId);
    life?.leave();
  }

  /** For a node with a single device, itself, the facts in HELLO are the device's. */
  #aboutNode(edgeId: string): DeviceAbout {
    const node = this.#node;
    if (node?.id !== edgeId) return {};
    return {
      ...(node.mf === undefined ? {} : { manufacturer: node.mf }),
      ...(node.mo === undefined ? {} : { model: node.mo }),
      ...(node.fw === undefined ? {} : { firmware: node.fw }),
      ...(node.sn === undefined ? {} : { serial: node.sn }),
    };
  }
}

interface Seat {
  readonly place: number;
  readonly edgeId: string;
}

/** The places of a node within one boot. Its functions are pure, because a wrong place moves the wrong lamp. */
interface Seating {
  /** The occupied places. */
  readonly seats: ReadonlyMap<number, string>;
  /** The devices that have had a place in this boot: a place is never given to another device. */
  readonly owners: ReadonlyMap<number, string>;
}

type SeatingChange =
  | {
      readonly kind: "changed";
      readonly seating: Seating;
      readonly left: readonly Seat[];
      readonly came: readonly Seat[];
    }
  /** A place was given to another device. */
  | { readonly kind: "contradiction"; readonly place: number };

const NO_ONE: Seating = { seats: new Map(), owners: new Map() };

/** The places of a new boot. Duplicates and the hub's own id are ignored. DP5, "An edgeId belongs…". */
export function firstSeating(devices: Places, hubEdgeId: string): Seating {
  const change = changeSeating(NO_ONE, devices, hubEdgeId);
  return change.kind === "changed" ? change.seating : NO_ONE;
}

/** Applies a CHANGED of the same boot to the places. DP4, "within one boot". */
export function changeSeating(before: Seating, devices: Places, hubEdgeId: string): SeatingChange {
  const seats = new Map<number, string>();
  const owners = new Map(before.owners);
  const seated = new Set<string>([hubEdgeId]);
  for (const [place, edgeId] of devices.entries()) {
    if (edgeId === null) continue;
    if ((owners.get(place) ?? edgeId) !== edgeId) return { kind: "contradiction", place };
    owners.set(place, edgeId);
    if (seated.has(edgeId)) continue;
    seated.add(edgeId);
    seats.set(place, edgeId);
  }
  const seating: Seating = { seats, owners };
  return { kind: "changed", seating, left: missing(before, seating), came: missing(seating, before) };
}

/** The seats of `these` that are absent or different in `those`. */
function missing(these: Seating, those: Seating): Seat[] {
  const seats: Seat[] = [];
  for (const [place, edgeId] of these.seats) if (those.seats.get(place) !== edgeId) seats.push({ place, edgeId });
  return seats;
}
