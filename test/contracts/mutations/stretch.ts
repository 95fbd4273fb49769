/** How long one thing keeps all others waiting: the longest stretch of the loop, in processor time, which other programs do not lengthen. */

export interface Stretched<T> {
  readonly result: T;
  /** Processor time of this thread between two turns of the loop, ms. */
  readonly longestMs: number;
}

export async function longestStretch<T>(work: () => Promise<T>): Promise<Stretched<T>> {
  let longestMs = 0;
  let isOver = false;
  let before = processorMs();
  const turn = () => {
    const now = processorMs();
    longestMs = Math.max(longestMs, now - before);
    before = processorMs();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    longestMs = Math.max(longestMs, processorMs() - before);
    return { result, longestMs };
  } finally {
    isOver = true;
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
