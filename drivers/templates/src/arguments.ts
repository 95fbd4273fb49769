/** Arguments of functions and filters, taken by their place or by their name. */
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

  /** @param of whose they are, for messages */
  constructor(of: string, args: Arguments) {
    this.#of = of;
    this.#args = args;
  }

  /** All that are given by their place. */
  get all(): readonly Data[] {
    return this.#args.positional;
  }

  get budget(): Spending {
    return this.#args.budget;
  }

  /** Undefined when it is not given. */
  get(place: number, name?: string): Data | undefined {
    const placed = this.#args.positional[place];
    return placed === undefined && name !== undefined ? this.#args.named.get(name) : placed;
  }

  /** @throws TemplateError when it is not given */
  need(place: number, name?: string): Data {
    const found = this.get(place, name);
    if (found === undefined) throw new TemplateError(`${this.#of} needs ${name ?? "an argument"}`);
    return found;
  }

  /** That is given by its name alone; undefined when it is not. */
  named(name: string): Data | undefined {
    return this.#args.named.get(name);
  }

  /** Those from this place on, for what is called with them. */
  following(place: number): Arguments {
    return { ...this.#args, positional: this.#args.positional.slice(place) };
  }

  /** Whether it is given and true. */
  flag(place: number, name: string): boolean {
    return isTrue(this.get(place, name) ?? false);
  }

  /** @throws TemplateError for what is no text */
  text(place: number, name: string, otherwise?: string): string {
    const found = this.get(place, name) ?? otherwise;
    if (typeof found === "string") return found;
    throw new TemplateError(
      `${this.#of} takes a text as ${name}, not ${found === undefined ? "nothing" : typeName(found)}`,
    );
  }

  /** @throws TemplateError for what is no whole number */
  integer(place: number, name: string, otherwise: number): number {
    const found = this.get(place, name) ?? otherwise;
    if (typeof found === "number" || typeof found === "boolean") return Number(found);
    throw new TemplateError(`${this.#of} takes a whole number as ${name}`);
  }
}

/** What stands behind `|`, and is done to what stands before it. */
export type Filter = (of: Data, given: Given) => Data;

/** @throws TemplateError for a name or member that is not there */
export function defined(data: Data): Data {
  if (data instanceof Undefined) throw new TemplateError(`${data.what} is undefined`);
  return data;
}

/** @throws TemplateError for what is no text */
export function asText(of: string, data: Data): string {
  if (typeof data === "string") return data;
  throw new TemplateError(`${of} takes a text, not ${typeName(data)}`);
}
