/** Who waits for an entity to tell a state that says something: the caller of a read or a write. */
import { Gate, type Patience } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { EntityState } from "../wire/messages.ts";

type IsSo = (state: EntityState) => boolean;

export class AwaitedStates {
  readonly #clock: Clock;
  readonly #waiting = new Set<{ readonly entity: string; readonly isSo: IsSo; readonly gate: Gate }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on, until it is disposed of. */
  expect(entity: string, isSo: IsSo): AwaitedState {
    const gate = new Gate(this.#clock);
    const waiting = { entity, isSo, gate };
    this.#waiting.add(waiting);
    return {
      within: async (patience) => {
        await gate.wait(patience);
        return gate.isOpen;
      },
      [Symbol.dispose]: () => void this.#waiting.delete(waiting),
    };
  }

  /** Whether somebody waits for just this state of the entity. */
  accepts(entity: string, state: EntityState): boolean {
    return [...this.#waiting].some((each) => each.entity === entity && !each.gate.isOpen && each.isSo(state));
  }

  /** An entity has told a state. Whether anybody waits for the entity, for this state or another. */
  tell(entity: string, state: EntityState): boolean {
    const ofEntity = [...this.#waiting].filter((each) => each.entity === entity);
    for (const { isSo, gate } of ofEntity) if (isSo(state)) gate.open();
    return ofEntity.length > 0;
  }

  /** No more is told: whoever waits goes on without. */
  release(): void {
    for (const { gate } of this.#waiting) gate.release();
  }
}

export interface AwaitedState extends Disposable {
  /** Whether such a state has been told by then. */
  within(patience: Patience): Promise<boolean>;
}
