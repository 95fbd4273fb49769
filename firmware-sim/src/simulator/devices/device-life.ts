/** Runs the behaviours of a device: each receives events, its actions are performed, and it has its own timer. */
import type { Clock, Random, Timer } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Behaviour, DeviceAction, DeviceView, Happening } from "./fade.ts";

/** The part of a device that behaviours use. */
export interface LivingDevice {
  read(where: PropertyAddress): Value;
  /** Performs the action; its consequences return as `changed`. */
  perform(deed: DeviceAction): void;
}

interface Running {
  behaviour: Behaviour;
  timer: Timer | undefined;
}

/** Behaviours that react to each other without end would hang the process: beyond this depth a change no longer reaches them. */
const MAX_DEPTH = 16;

export class DeviceLife implements Disposable {
  readonly #clock: Clock;
  readonly #device: LivingDevice;
  readonly #view: DeviceView;
  readonly #behaviours: Running[];
  /** The behaviour whose actions are being performed, and the depth of nested consequences. */
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

  /** The device has its initial values. */
  begin(): void {
    for (const one of this.#behaviours) this.#tell(one, { kind: "begun" });
  }

  /** Handles a WRITE; true when a behaviour executes it gradually. */
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
