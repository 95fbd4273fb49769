/** A device's behaviours as they run: each is told what happens, its actions are done, and it has its own timer. */
import type { Clock, Random, Timer } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Behaviour, DeviceAction, DeviceView, Happening } from "./fade.ts";

/** The device, as far as its life goes. */
export interface LivingDevice {
  read(where: PropertyAddress): Value;
  /** Does it; what follows from it comes back as `changed`. */
  perform(deed: DeviceAction): void;
}

interface Running {
  behaviour: Behaviour;
  timer: Timer | undefined;
}

/** Behaviours that answer each other for ever would hang the process: after so many turns a change is only told. */
const MAX_DEPTH = 16;

export class DeviceLife implements Disposable {
  readonly #clock: Clock;
  readonly #device: LivingDevice;
  readonly #view: DeviceView;
  readonly #behaviours: Running[];
  /** The behaviour whose actions are being done, and how deep in each other's consequences we are. */
  #acting: Running | undefined;
  #depth = 0;
  #over = false;

  constructor(behaviours: readonly Behaviour[], clock: Clock, random: Random, device: LivingDevice) {
    this.#clock = clock;
    this.#device = device;
    this.#behaviours = behaviours.map((behaviour) => ({ behaviour, timer: undefined }));
    this.#view = {
      get now() {
        return clock.monotonic();
      },
      random,
      read: (where) => device.read(where),
    };
  }

  /** The device has its first values. */
  begin(): void {
    for (const one of this.#behaviours) this.#tell(one, { kind: "begun" });
  }

  /** A WRITE; true when a behaviour carries it out bit by bit. */
  asked(where: PropertyAddress, aim: Value): boolean {
    return this.#behaviours.some((one) => this.#tell(one, { kind: "asked", where, aim }));
  }

  changed(where: PropertyAddress): void {
    if (this.#depth >= MAX_DEPTH) return;
    const by = this.#acting;
    this.#depth++;
    for (const one of this.#behaviours) if (one !== by) this.#tell(one, { kind: "changed", where });
    this.#depth--;
  }

  [Symbol.dispose](): void {
    this.#over = true;
    for (const { timer } of this.#behaviours) timer?.cancel();
  }

  #tell(one: Running, happening: Happening): boolean {
    if (this.#over) return false;
    const { next, actions = [], dueIn, takesOver = false } = one.behaviour(happening, this.#view);
    one.behaviour = next;
    if (dueIn !== undefined) {
      one.timer?.cancel();
      one.timer = this.#clock.timer("behaviour", dueIn, () => this.#tell(one, { kind: "due" }));
    }
    const before = this.#acting;
    this.#acting = one;
    for (const deed of actions) this.#device.perform(deed);
    this.#acting = before;
    return takesOver;
  }
}
