/** Arguments of functions and filters, read by position or by name. */
import {
  type Arguments,
  type Data,
  isTrue,
  type Spending,
  TemplateError,
  typeName,
  Undefined,
} from "./python-values.ts";

export class Given {
  readonly #of: string;
  readonly #args: Arguments;

  /** @param of name of the function or filter, for messages */
  constructor(of: string, args: Arguments) {
    this.#of = of;
    this.#args = args;
  }

  /** All positional arguments. */
  get all(): readonly Data[] {
    return this.#args.positional;
  }

  get budget(): Spending {
    return this.#args.budget;
  }

  /** Undefined when the argument is absent. */
  get(place: number, name?: string): Data | undefined {
    const placed = this.#args.positional[place];
    return placed === undefined && name !== undefined ? this.#args.named.get(name) : placed;
  }

  /** @throws TemplateError when the argument is absent */
  need(place: number, name?: string): Data {
    const found = this.get(place, name);
    if (found === undefined) throw new TemplateError(`${this.#of} needs ${name ?? "an argument"}`);
    return found;
  }

  /** An argument that can only be named; undefined when it is absent. */
  named(name: string): Data | undefined {
    return this.#args.named.get(name);
  }

  /** The arguments from this position on, for the function that is called with them. */
  following(place: number): Arguments {
    return { ...this.#args, positional: this.#args.positional.slice(place) };
  }

  /** Whether the argument is present and true. */
  flag(place: number, name: string): boolean {
    return isTrue(this.get(place, name) ?? false);
  }

  /** @throws TemplateError for a value that is no text */
  text(place: number, name: string, otherwise?: string): string {
    const found = this.get(place, name) ?? otherwise;
    if (typeof found === "string") return found;
    throw new TemplateError(
      `${this.#of} takes a text as ${name}, not ${found === undefined ? "nothing" : typeName(found)}`,
    );
  }

  /** @throws TemplateError for a value that is no whole number */
  integer(place: number, name: string, otherwise: number): number {
    const found = this.get(place, name) ?? otherwise;
    if (typeof found === "number" || typeof found === "boolean") return Number(found);
    throw new TemplateError(`${this.#of} takes a whole number as ${name}`);
  }
}

/** A filter, the function after `|`: applied to the value before it. */
export type Filter = (of: Data, given: Given) => Data;

/** @throws TemplateError for an undefined name or member */
export function defined(data: Data): Data {
  if (data instanceof Undefined) throw new TemplateError(`${data.what} is undefined`);
  return data;
}

/** @throws TemplateError for a value that is no text */
export function asText(of: string, data: Data): string {
  if (typeof data === "string") return data;
  throw new TemplateError(`${of} takes a text, not ${typeName(data)}`);
}
