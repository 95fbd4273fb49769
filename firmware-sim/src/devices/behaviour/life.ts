/** A device's habits as they run: each is told what happens, its deeds are done, and it has a timer of its own. */
import type { Clock, Random, Timer } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Deed, DeviceView, Habit, Happening } from "./habit.ts";

/** The device, as far as its life goes. */
export interface LivingDevice {
  read(where: PropertyAddress): Value;
  /** Does it; what follows from it comes back as `changed`. */
  perform(deed: Deed): void;
}

interface Running {
  habit: Habit;
  timer: Timer | undefined;
}

/** Habits that answer each other for ever would hang the process: after so many turns a change is only told. */
const MAX_DEPTH = 16;

export class DeviceLife implements Disposable {
  readonly #clock: Clock;
  readonly #device: LivingDevice;
  readonly #view: DeviceView;
  readonly #habits: Running[];
  /** The habit whose deeds are being done, and how deep in each other's consequences we are. */
  #acting: Running | undefined;
  #depth = 0;
  #over = false;

  constructor(habits: readonly Habit[], clock: Clock, random: Random, device: LivingDevice) {
    this.#clock = clock;
    this.#device = device;
    this.#habits = habits.map((habit) => ({ habit, timer: undefined }));
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
    for (const one of this.#habits) this.#tell(one, { kind: "begun" });
  }

  /** A WRITE; true when a habit carries it out bit by bit. */
  asked(where: PropertyAddress, aim: Value): boolean {
    return this.#habits.some((one) => this.#tell(one, { kind: "asked", where, aim }));
  }

  changed(where: PropertyAddress): void {
    if (this.#depth >= MAX_DEPTH) return;
    const by = this.#acting;
    this.#depth++;
    for (const one of this.#habits) if (one !== by) this.#tell(one, { kind: "changed", where });
    this.#depth--;
  }

  [Symbol.dispose](): void {
    this.#over = true;
    for (const { timer } of this.#habits) timer?.cancel();
  }

  #tell(one: Running, happening: Happening): boolean {
    if (this.#over) return false;
    const { next, deeds = [], dueIn, takesOver = false } = one.habit(happening, this.#view);
    one.habit = next;
    if (dueIn !== undefined) {
      one.timer?.cancel();
      one.timer = this.#clock.timer("habit", dueIn, () => this.#tell(one, { kind: "due" }));
    }
    const before = this.#acting;
    this.#acting = one;
    for (const deed of deeds) this.#device.perform(deed);
    this.#acting = before;
    return takesOver;
  }
}
