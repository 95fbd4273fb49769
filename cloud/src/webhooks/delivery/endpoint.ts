/** Where a webhook is sent, and with what it is signed: opened and parsed once from its row, and used for each delivery. */
import type { Keyring } from "../../access/index.ts";
import type { WebhookRow } from "../../store/index.ts";
import type { Wanted } from "../log/wanted.ts";
import { readSecrets, type SigningKey, secretPurpose, signatureOf, signingKeys } from "../rows/signature.ts";
import { patternsOf, requestHeaders } from "../rows/webhook-resource.ts";
import type { Message } from "../transport/webhook-sender.ts";
import type { Task } from "./task-queue.ts";

export interface Endpoint extends Wanted {
  readonly url: string;
  readonly keys: readonly SigningKey[];
  readonly isDisabled: boolean;
}

/** @throws "Internal Error" when its secrets cannot be opened */
export function endpointOf(row: WebhookRow, keyring: Keyring): Endpoint {
  const { url, environment_id: environmentId, disabled } = row;
  const keys = signingKeys(readSecrets(keyring.open(secretPurpose(row.id), row.secrets)));
  return { url, keys, isDisabled: disabled === 1, patterns: patternsOf(row), environmentId };
}

/** What is sent of a task, signed. @param now wall clock, ms */
export function signedMessage({ keys }: Endpoint, { eventId, body }: Task, now: number): Message {
  const timestamp = Math.floor(now / 1000);
  const signature = signatureOf(keys, { id: eventId, timestamp, body }, now);
  return { headers: { ...requestHeaders(eventId, timestamp), "webhook-signature": signature }, body };
}
