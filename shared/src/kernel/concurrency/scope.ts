/** What an owner waits for or releases at its end: resources and background tasks. */

/** Owns resources and releases them in the reverse order, once, even when some releases fail. */

type Ending = () => void | Promise<void>;

export class Scope implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly #abort = new AbortController();
  #ended: Promise<void> | undefined;

  /** Aborted when the scope begins to end: pass it to every wait. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Takes ownership of a disposable and returns it. */
  use<T extends AsyncDisposable | Disposable>(owned: T): T {
    this.defer(() =>
      Symbol.asyncDispose in owned ? Promise.resolve(owned[Symbol.asyncDispose]()) : owned[Symbol.dispose](),
    );
    return owned;
  }

  /** Runs `ending` when the scope ends; at once when it has already ended. */
  defer(ending: Ending): void {
    if (this.#stack.disposed) void Promise.resolve(ending());
    else this.#stack.defer(ending);
  }

  /** Ends everything. A second call waits for the first. @throws AggregateError of all failures, after everything was tried */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#abort.abort(new Error("the scope has ended"));
    try {
      await this.#stack.disposeAsync();
    } catch (failure) {
      throw new AggregateError(failuresOf(failure), "not everything could be ended");
    }
  }
}

/** The failures, oldest first: a disposable stack nests each in the next. */
function failuresOf(failure: unknown): unknown[] {
  return failure instanceof SuppressedError ? [...failuresOf(failure.suppressed), failure.error] : [failure];
}

/** Tracks background tasks, so that their owner can wait until none is running. */

export class TaskSet {
  readonly #running = new Set<Promise<unknown>>();

  /** Number of running tasks. */
  get size(): number {
    return this.#running.size;
  }

  /** Returns the task's result after the task is removed from the set. The caller handles a failure. */
  add<T>(task: Promise<T>): Promise<T> {
    const running = task.finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when no task is running, including those added meanwhile, whether they succeeded or failed. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
