/** Waiting for work that cannot be stopped, no longer than somebody wants to wait for it. */

/** What the work gives. @throws what the work throws; the signal's reason as soon as it is aborted, while the work goes on unheard */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
