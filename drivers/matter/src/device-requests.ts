/**
 * Requests to a device: reads and settings, each within the deadline of its attempt. Apart from `matter-device.ts`, which handles the
 * reports that the device sends on its own.
 *
 * Invariants: a setting is sent once; nothing is sent to an unreachable node; an answer is the device's own, also when it is `null`.
 */
import type { Attempt } from "@porchlight/driver-kit";
import { type Clock, deadline } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { MatterProperty, RawOf, Setting } from "./mapping/matter-property.ts";
import { type MatterNode, NodeRefused } from "./matter-network.ts";

export interface DeviceRequestsDeps {
  readonly clock: Clock;
  readonly node: MatterNode;
}

export class DeviceRequests {
  readonly #deps: DeviceRequestsDeps;

  constructor(deps: DeviceRequestsDeps) {
    this.#deps = deps;
  }

  /**
   * Requests each attribute of the property from the device. @param life aborted when it leaves @throws NodeRefused, Error without an
   * answer
   */
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
      // An answer of `null` counts: the previous value is no longer valid.
      return answers.has(key) ? answers.get(key) : raw(cluster, attribute);
    });
  }

  /** Resolves when the device has accepted the setting. @param life aborted when it leaves @throws NodeRefused, Error without an answer */
  async send({ endpoint }: MatterProperty, setting: Setting, life: AbortSignal, attempt: Attempt): Promise<void> {
    const { node } = this.#deps;
    const { send } = setting;
    await this.#inTime(life, attempt, async (signal) => {
      await node.reach(signal);
      // The device may have left meanwhile, or moved to another endpoint.
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

  /** Ends with the attempt's deadline, by its caller, or when the device leaves. */
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

/** Last reported attributes of a property's endpoint. */
export function rawOf(node: MatterNode, { endpoint }: Pick<MatterProperty, "endpoint">): RawOf {
  return (cluster, attribute) => node.endpoint(endpoint)?.attribute(cluster, attribute);
}

/** Converts a device's refusal into a result: the device has not acted. */
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
