/** Parts of messages that are not understood, for `status`: the last ones by content and topic, all by number. */
import { isNoValue } from "@porchlight/driver-kit";
import { addressKey } from "@porchlight/shared/model";
import type { Message, MqttProperty } from "./mqtt-device.ts";

const MOST_NAMED = 20;
const LONGEST_SHOWN = 60;

export class NotUnderstood {
  /** By topic and property. */
  readonly #named = new Map<string, string>();

  /** Each in a sentence, the newest last. */
  get sentences(): readonly string[] {
    return [...this.#named.values()];
  }

  /** Records a part of a message from which the property got no value. @param raw the part, unparsed; undefined when it is the message */
  note({ topic, payload }: Message, { address }: MqttProperty, raw: unknown = payload.text): void {
    const key = `${topic}: ${addressKey(address)}`;
    this.#named.delete(key);
    this.#named.set(key, `${key} is not understood: ${shown(raw)}`);
    const [first] = this.#named.keys();
    if (this.#named.size > MOST_NAMED && first !== undefined) this.#named.delete(first);
  }
}

/** Whether a part of a message that was read as no value is a spelling of "no value". */
export function saysNoValue(raw: unknown): boolean {
  return raw === undefined || raw === null || (typeof raw === "string" && isNoValue(raw));
}

function shown(raw: unknown): string {
  const text = JSON.stringify(raw) ?? "";
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
