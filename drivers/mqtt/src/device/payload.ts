/** The payload of a message, parsed as JSON at most once for all properties that use it. */
import { JsonOutOfBounds, jsonInTurns, parseRawJson, type Work } from "@porchlight/driver-kit";
import type { MessageWork } from "@porchlight/driver-templates";

export class Payload {
  readonly text: string;
  readonly work: MessageWork = { steps: 0 };
  #json: { readonly value: unknown; readonly problem?: string } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Does not copy the bytes: a description can be large. */
  static of({ buffer, byteOffset, byteLength }: Uint8Array): Payload {
    return new Payload(Buffer.from(buffer, byteOffset, byteLength).toString());
  }

  /** As JSON; undefined when the payload is no JSON. */
  get json(): unknown {
    this.#json ??= { value: parsed(this.text) };
    return this.#json.value;
  }

  /** Why a payload that may be JSON is not read, in words. */
  get problem(): string | undefined {
    return this.#json?.problem;
  }

  /** Parses a large message in slices: `json` is ready when it has ended. */
  *parse(): Work {
    if (this.#json) return;
    try {
      this.#json = { value: yield* jsonInTurns(this.text) };
    } catch (failure) {
      const isOutOfBounds = failure instanceof JsonOutOfBounds;
      this.#json = { value: undefined, ...(isOutOfBounds && { problem: failure.message }) };
    }
  }

  /** As a JSON object; undefined when the payload is none. */
  get object(): Readonly<Record<string, unknown>> | undefined {
    const { json } = this;
    return isObject(json) ? json : undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return parseRawJson(text);
  } catch {
    return undefined;
  }
}
