/** Sends HTTP requests as fast as answers come, on many connections at once. */
import { Client } from "undici";
import type { HttpRequest } from "./kinds.ts";

const CONNECTIONS = 50;

/** Floods until the signal. Gives how many requests were answered, however. */
export async function flood(origin: string, request: (n: number) => HttpRequest, signal: AbortSignal): Promise<number> {
  let answered = 0;
  const one = async () => {
    const client = new Client(origin);
    while (!signal.aborted)
      try {
        const { body } = await client.request(request(answered));
        await body.dump();
        answered += 1;
      } catch {
        // A connection that the cloud has closed: the client opens another.
      }
    await client.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return answered;
}
