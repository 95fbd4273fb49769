/** What one webhook has to send, and what may go next: repeats and new events in turn, events of one key one after another. */
import type { Task } from "./task.ts";

export class TaskQueue {
  readonly #repeats: Task[] = [];
  readonly #events: Task[] = [];
  /** Keys of which an event is under way. */
  readonly #busy = new Set<string>();
  #lastWasRepeat = false;

  get size(): number {
    return this.#repeats.length + this.#events.length;
  }

  add(task: Task): void {
    if (task.row) this.#repeats.push(task);
    else this.#events.push(task);
  }

  /** The next that may go; its key is busy from now on. */
  take(): Task | undefined {
    const task = this.#lastWasRepeat
      ? (this.#takeEvent() ?? this.#repeats.shift())
      : (this.#repeats.shift() ?? this.#takeEvent());
    if (!task) return undefined;
    this.#lastWasRepeat = task.row !== undefined;
    if (task.key !== undefined) this.#busy.add(task.key);
    return task;
  }

  /** How many may go at this moment, as far as that matters. */
  ready(most: number): number {
    let count = Math.min(most, this.#repeats.length);
    const keys = new Set(this.#busy);
    for (const { key } of this.#events) {
      if (count >= most) break;
      if (key !== undefined && keys.has(key)) continue;
      if (key !== undefined) keys.add(key);
      count += 1;
    }
    return count;
  }

  /** It is no longer under way. */
  done({ key }: Task): void {
    if (key !== undefined) this.#busy.delete(key);
  }

  /** Takes out all that has not begun. */
  clear(): readonly Task[] {
    return [...this.#repeats.splice(0), ...this.#events.splice(0)];
  }

  #takeEvent(): Task | undefined {
    const at = this.#events.findIndex(({ key }) => key === undefined || !this.#busy.has(key));
    return at < 0 ? undefined : this.#events.splice(at, 1)[0];
  }
}
