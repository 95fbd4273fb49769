/** A hub that floods the cloud as fast as it is let, and comes back at once whenever its connection is closed. */
import type { KeyPairKeyObjectResult } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { edgeIdOf } from "../product/memory-driver.ts";
import { SimulatedHub } from "../product/simulated-hub.ts";
import type { HubMessage } from "./kinds.ts";

/** Messages under way at once. */
const IN_FLIGHT = 16;
/** Apart from any other hub of the run. */
const NUMBER = 99;
/** So many numbers of the history may one message take. */
const STRIDE = 1_000;
/** After a refused connection, ms: as little as a hostile hub would. */
const PAUSE_MS = 20;

export interface HostileHubOptions {
  /** `ws://HOST:PORT` of the cloud. */
  readonly url: string;
  readonly token: string;
  /** What the client of that token is bound to. */
  readonly key: KeyPairKeyObjectResult;
  readonly message: (first: number, device: string) => HubMessage;
}

/** Floods until the signal. Gives how many messages went out. */
export async function flood({ url, token, key, message }: HostileHubOptions, signal: AbortSignal): Promise<number> {
  const device = edgeIdOf(NUMBER, 0);
  let sent = 0;
  while (!signal.aborted) {
    const hub = await SimulatedHub.connect({ url, token, number: NUMBER, devices: 1, key }).catch(() => undefined);
    if (!hub) {
      await pause(PAUSE_MS);
      continue;
    }
    let first = 1;
    const send = async () => {
      while (!signal.aborted && hub.isOpen) {
        const { method, params } = message(first, device);
        first += STRIDE;
        sent += 1;
        await hub.askText(method, params).catch(() => pause(0));
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, send));
    hub.close();
  }
  return sent;
}
