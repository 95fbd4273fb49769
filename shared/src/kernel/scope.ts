/** Owns what was started and ends it in the opposite order, once, whatever fails on the way. */

type Ending = () => void | Promise<void>;

export class Scope implements AsyncDisposable {
  readonly #endings: Ending[] = [];
  readonly #abort = new AbortController();
  #ended: Promise<void> | undefined;

  /** Aborted when the scope begins to end: hand it to every wait. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Takes ownership of something disposable and gives it back. */
  use<T extends AsyncDisposable | Disposable>(owned: T): T {
    this.defer(() =>
      Symbol.asyncDispose in owned ? Promise.resolve(owned[Symbol.asyncDispose]()) : owned[Symbol.dispose](),
    );
    return owned;
  }

  /** Runs `ending` when the scope ends; at once when it has ended already. */
  defer(ending: Ending): void {
    if (this.#ended !== undefined) void Promise.resolve(ending());
    else this.#endings.push(ending);
  }

  /** Ends everything. A second call waits for the first. @throws AggregateError of what failed, after all has been tried */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#abort.abort(new Error("the scope has ended"));
    const failures: unknown[] = [];
    for (let ending = this.#endings.pop(); ending; ending = this.#endings.pop()) {
      try {
        await ending();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be ended");
  }
}
