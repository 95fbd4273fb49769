/** Waits for something that another process does: asks again until it is so; the limit only ends a hung test. */
import { WAIT_MS } from "./limits.ts";

/** @throws Error with the last reason why not, after `limitMs` */
export async function eventually<T>(what: string, check: () => Promise<T | undefined>, limitMs = WAIT_MS): Promise<T> {
  const end = performance.now() + limitMs;
  let why = "it never was";
  while (performance.now() < end) {
    try {
      const value = await check();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      why = String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what}: ${why}`);
}
