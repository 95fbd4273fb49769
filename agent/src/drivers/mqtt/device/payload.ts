/** What a message says, parsed as JSON at most once for all properties that look at it. */
import { nestsDeeper } from "@porchlight/shared/kernel";
import { MAX_VALUE_DEPTH } from "@porchlight/shared/model";
import { parseRawJson } from "../../kit/index.ts";

/** What reading one message has taken: all templates that read it share one allowance of steps. */
export interface MessageWork {
  steps: number;
}

export class Payload {
  readonly text: string;
  readonly work: MessageWork = { steps: 0 };
  #json: { readonly value: unknown } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** As JSON; undefined when it is none. */
  get json(): unknown {
    this.#json ??= { value: parsed(this.text) };
    return this.#json.value;
  }

  /** As a JSON object; undefined when it is none. */
  get object(): Readonly<Record<string, unknown>> | undefined {
    const { json } = this;
    return isObject(json) ? json : undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  if (nestsDeeper(text, MAX_VALUE_DEPTH)) return undefined;
  try {
    return parseRawJson(text);
  } catch {
    return undefined;
  }
}
