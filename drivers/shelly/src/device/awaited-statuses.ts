/** Who waits for a component's status to say something: the caller of a write. */
import { Gate } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { ComponentJson } from "../description/shelly-property.ts";

type IsSo = (status: ComponentJson) => boolean;

export class AwaitedStatuses {
  readonly #clock: Clock;
  readonly #waiting = new Set<{ readonly component: string; readonly isSo: IsSo; readonly gate: Gate }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on, until it is disposed of. The gate opens when the component says so. */
  expect(component: string, isSo: IsSo): { readonly gate: Gate } & Disposable {
    const waiting = { component, isSo, gate: new Gate(this.#clock) };
    this.#waiting.add(waiting);
    return { gate: waiting.gate, [Symbol.dispose]: () => void this.#waiting.delete(waiting) };
  }

  /** These components have told their status. Gives those of them for which somebody waits. */
  tell(components: ReadonlySet<string>, statusOf: (component: string) => ComponentJson): ReadonlySet<string> {
    const awaited = new Set<string>();
    for (const { component, isSo, gate } of this.#waiting) {
      if (!components.has(component)) continue;
      if (isSo(statusOf(component))) gate.open();
      awaited.add(component);
    }
    return awaited;
  }

  /** No more is told: whoever waits goes on without. */
  release(): void {
    for (const { gate } of this.#waiting) gate.release();
  }
}
