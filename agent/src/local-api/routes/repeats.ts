/**
 * Repeats of a write with the same idempotency key (A1.7.2): the key determines the command's ID, and the journal, which keeps IDs for a
 * day, has its result. So nothing is stored twice, and a repeat after a crash finds the result of the first attempt.
 */
import { createHash } from "node:crypto";
import { idOfDigest, NamedError } from "@porchlight/shared/kernel";
import { valuesEqual } from "@porchlight/shared/model";
import { type CommandRequest, type State, type StoredResult, targetKey } from "../../state/index.ts";

/** The scope of a key. */
export interface WriteKey {
  readonly key: string;
  readonly tokenId: string;
  readonly path: string;
}

/** The command of a key, and its result; without a result it must be executed. */
export interface Standing {
  readonly commandId: string;
  readonly result: StoredResult | undefined;
}

type Wanted = Omit<CommandRequest, "id">;

/** Maximum attempts per day that fail before the device and are repeated under one key. */
const MOST_ATTEMPTS = 10_000;

export class Repeats {
  readonly #state: Pick<State, "entry">;
  /** Commands in progress, by ID. */
  readonly #running = new Map<string, Wanted>();

  constructor(state: Pick<State, "entry">) {
    this.#state = state;
  }

  /** @throws "Idempotency Key Reused", "Idempotency Key In Use" */
  standing(key: WriteKey, wanted: Wanted): Standing {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const commandId = commandOf(key, attempt);
      const running = this.#running.get(commandId);
      if (running) {
        requireSame(running, wanted);
        throw new NamedError("Idempotency Key In Use", undefined, { retryAfter: 1 });
      }
      const entry = this.#state.entry(commandId);
      if (!entry) return { commandId, result: undefined };
      const asked = entry.kind === "ended" ? { ...entry.result, value: entry.result.requested } : entry.request;
      requireSame(asked, wanted);
      const result = entry.kind === "ended" ? entry.result : unknownEnd(entry.request);
      // A failure that did not reach the device may be retried.
      if (result.outcome !== "not_applied") return { commandId, result };
    }
    throw new NamedError("Idempotency Key In Use", "Too many requests with this key have failed: use a new key.");
  }

  /** Remembers a command while it is in progress. */
  running(command: CommandRequest, result: Promise<StoredResult>): Promise<StoredResult> {
    this.#running.set(command.id, command);
    return result.finally(() => this.#running.delete(command.id));
  }
}

function requireSame(asked: Wanted, wanted: Wanted): void {
  if (targetKey(asked) !== targetKey(wanted) || !valuesEqual(asked.value, wanted.value))
    throw new NamedError("Idempotency Key Reused");
}

/** The result of a command whose end could not be written yet. */
function unknownEnd({ id, value, device, service, index, property }: CommandRequest): StoredResult {
  const failure = { name: "Hub Timeout", detail: "The result of the command is not known yet." } as const;
  const target = { device, service, index, property };
  return { kind: "result", n: 0, command: id, ...target, requested: value, outcome: "unknown", observedAt: 0, failure };
}

function commandOf({ key, tokenId, path }: WriteKey, attempt: number): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([tokenId, path, key, attempt]))
    .digest();
  return idOfDigest("cmd", digest);
}
