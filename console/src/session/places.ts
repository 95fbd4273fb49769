/**
 * Resolves the names that a user gives to references of the API: `lamp` becomes `env_…;lamp`. `porchlight help references` has the
 * rule.
 */
import type { Args, Option } from "./args.ts";
import type { Context } from "./command.ts";
import { UsageError } from "./failure.ts";

export const ENVIRONMENT: Option = {
  name: "environment",
  value: "ENVIRONMENT",
  summary: "Its environment (or PORCHLIGHT_ENVIRONMENT, or the profile's)",
};
export const ECOSYSTEM: Option = {
  name: "ecosystem",
  value: "ECOSYSTEM",
  summary: "For accounts with several (or PORCHLIGHT_ECOSYSTEM, or the profile's)",
};

/** Kinds of objects that have an alias. */
export type Kind = "ecosystem" | "environment" | "zone" | "scene" | "device" | "user" | "server" | "client";

const ID = /^(acc|eco|env|zon|scn|dev|usr|srv|cli)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export class Places {
  readonly #context: Context;
  readonly #args: Args;

  constructor(context: Context, args: Args) {
    this.#context = context;
    this.#args = args;
  }

  /** A reference for the API. An ID, or a text that begins with one, stays unchanged. @throws UsageError, PorchlightError */
  async reference(kind: Kind, text: string): Promise<string> {
    const parts = text.split(";");
    if (ID.test(parts[0] ?? "")) return text;
    return `${await this.#container(kind, parts.length)};${text}`;
  }

  /** The environment that the user named; undefined when none. */
  async chosenEnvironment(): Promise<string | undefined> {
    const named = this.#args.text("environment") ?? this.#context.connection.environment;
    return named === undefined ? undefined : this.reference("environment", named);
  }

  /** The environment that the user named, or the only one that exists. @throws UsageError when there are several */
  async environment(): Promise<string> {
    const chosen = await this.chosenEnvironment();
    if (chosen !== undefined) return chosen;
    const { items } = await this.#context.porchlight.environments.list({}, { pageSize: 2 }).page();
    return only("environment", items);
  }

  /** The ecosystem that the user named; undefined when none: the service then uses the only one. */
  async chosenEcosystem(): Promise<string | undefined> {
    const named = this.#args.text("ecosystem") ?? this.#context.connection.ecosystem;
    return named === undefined ? undefined : this.reference("ecosystem", named);
  }

  async #ecosystem(): Promise<string> {
    const chosen = await this.chosenEcosystem();
    if (chosen !== undefined) return chosen;
    const { porchlight } = this.#context;
    const { ecosystemId } = await porchlight.account.token();
    if (ecosystemId !== undefined) return ecosystemId;
    return only("ecosystem", (await porchlight.ecosystems.list({}, { pageSize: 2 }).page()).items);
  }

  /** The container that an alias belongs to. @param parts number of parts of the reference */
  async #container(kind: Kind, parts: number): Promise<string> {
    switch (kind) {
      case "ecosystem":
        return this.#account();
      case "environment":
      case "user":
      case "server":
        return parts === 1 ? this.#ecosystem() : this.#account();
      case "zone":
      case "scene":
      case "device":
      case "client":
        return parts === 1 || this.#args.text("environment") !== undefined ? this.environment() : this.#ecosystem();
    }
  }

  async #account(): Promise<string> {
    const { accountId, ecosystemId } = await this.#context.porchlight.account.token();
    const container = accountId ?? ecosystemId;
    if (container !== undefined) return container;
    throw new UsageError(
      "An alias cannot be looked up with this token.",
      "The token belongs to no account.",
      "give an ID instead",
    );
  }
}

/** @throws UsageError when there is none, or more than one */
function only(kind: "environment" | "ecosystem", items: readonly { readonly id: string }[]): string {
  const [first, second] = items;
  if (first && !second) return first.id;
  throw new UsageError(
    `The ${kind} is missing.`,
    first ? `You have access to several.` : `You have access to none.`,
    `give --${kind}, or see porchlight ${kind}s list`,
  );
}
