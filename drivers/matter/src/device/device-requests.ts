/**
 * What is sent to a device: questions and settings, each in the time of its attempt. Its own file because what is sent and what is heard are two
 * things: `matter-device.ts` knows what the device says by itself, and what that means for who waits.
 *
 * Invariants: a setting is sent once; nothing is sent to a node for which there is no way; an answer is the device's, also when it is that there
 * is no value.
 */
import type { Attempt } from "@porchlight/driver-kit";
import { type Clock, deadline } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { MatterProperty, RawOf, Setting } from "../mapping/matter-property.ts";
import { type MatterNode, NodeRefused } from "../network/matter-network.ts";

export interface DeviceRequestsDeps {
  readonly clock: Clock;
  readonly node: MatterNode;
}

export class DeviceRequests {
  readonly #deps: DeviceRequestsDeps;

  constructor(deps: DeviceRequestsDeps) {
    this.#deps = deps;
  }

  /** What the device answers for each attribute of the property. @param life aborted when it leaves @throws NodeRefused, Error without an answer */
  async ask(property: MatterProperty, life: AbortSignal, attempt: Attempt): Promise<Value | undefined> {
    const { node } = this.#deps;
    const { endpoint, of } = property;
    const answers = new Map<string, unknown>();
    for (const { cluster, attribute } of of)
      await this.#inTime(life, attempt, async (signal) => {
        await node.reach(signal);
        signal.throwIfAborted();
        const value = await attempt.touch(() => node.read({ endpoint, cluster, attribute }, signal));
        answers.set(`${cluster}.${attribute}`, value);
      });
    const raw = rawOf(node, property);
    return property.read((cluster, attribute) => {
      const key = `${cluster}.${attribute}`;
      // `null` is an answer: what was so before is not any more.
      return answers.has(key) ? answers.get(key) : raw(cluster, attribute);
    });
  }

  /** Settles when the device has accepted it. @param life aborted when it leaves @throws NodeRefused, Error without an answer */
  async send({ endpoint }: MatterProperty, setting: Setting, life: AbortSignal, attempt: Attempt): Promise<void> {
    const { node } = this.#deps;
    const { send } = setting;
    await this.#inTime(life, attempt, async (signal) => {
      await node.reach(signal);
      // The device may have left, or moved to another endpoint, meanwhile.
      signal.throwIfAborted();
      const answer = await attempt.touch(() =>
        "command" in send
          ? node.invoke({ endpoint, ...send.command }, signal)
          : node.write({ endpoint, ...send.write }, signal),
      );
      const refusal = setting.refusal?.(answer);
      if (refusal) throw new NodeRefused(refusal.code, `The device has refused it: ${refusal.reason}.`);
    });
  }

  /** Ends with the attempt's time, its caller's patience, or the device's leaving. */
  async #inTime(life: AbortSignal, attempt: Attempt, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { clock } = this.#deps;
    const left = Math.max(0, attempt.deadline - clock.monotonic());
    const reason = () => new Error("The device has not answered in time.");
    const time = deadline(clock, "answer of a Matter device", left, { signal: life, reason });
    const both = attempt.signal ? AbortSignal.any([time.signal, attempt.signal]) : time.signal;
    try {
      await work(both);
    } finally {
      time.end();
    }
  }
}

/** What the node last told of a property's endpoint. */
export function rawOf(node: MatterNode, { endpoint }: Pick<MatterProperty, "endpoint">): RawOf {
  return (cluster, attribute) => node.endpoint(endpoint)?.attribute(cluster, attribute);
}

/** What the device itself has refused, it has not done. */
export async function orRefused<T>(
  work: () => Promise<T>,
): Promise<T | { readonly refused: string; readonly code: number }> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof NodeRefused) return { refused: failure.message, code: failure.status };
    throw failure;
  }
}
