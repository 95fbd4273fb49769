/**
 * Which object a reference names, for this caller (contract 1.1, "Which error").
 *
 * What lies outside the caller's reach is looked for exactly as what was never issued: by ID within the reach, and not found.
 */
import type { Id } from "@porchlight/shared/kernel";
import { one, type Statement, type Store, statement } from "../store/index.ts";
import { type Caller, reach } from "./caller.ts";
import { objectByAlias, objectById } from "./object-facts.ts";
import { ReferenceCache } from "./reference-cache.ts";
import { accessDenied, referenceInvalid, referenceNotFound } from "./reference-errors.ts";
import { canContain, parseReference, type ReferenceKind, type ReferencePart } from "./reference-text.ts";
import { ecosystemByAlias, type ObjectFacts, objectOfAccount } from "./service-queries.ts";

export interface Resolved<K extends ReferenceKind = ReferenceKind> {
  readonly ecosystemId: string;
  readonly id: Id<K>;
  /** The environment that it is in; of an environment itself; null for what stands directly in the ecosystem. */
  readonly environmentId: string | null;
  readonly kind: K;
}

/** References remembered; about 300 bytes each. */
const CAPACITY = 50_000;

type FactsStatement = Statement<{ eco: string; id: string }, ObjectFacts>;

const commandFacts: FactsStatement = statement<{ eco: string; id: string }>("command_facts")((db, p) =>
  db
    .selectFrom("commands")
    .leftJoin("objects as place", (join) =>
      join.onRef("place.ecosystem_id", "=", "commands.ecosystem_id").onRef("place.id", "=", "commands.environment_id"),
    )
    .select((of) => [
      "commands.ecosystem_id",
      "commands.id",
      of.val("cmd").as("kind"),
      "commands.environment_id",
      "place.gone_at",
    ])
    .where("commands.ecosystem_id", "=", p.eco)
    .where("commands.id", "=", p.id),
);

const accessEntryFacts: FactsStatement = statement<{ eco: string; id: string }>("access_entry_facts")((db, p) =>
  db
    .selectFrom("access_entries")
    .leftJoin("objects as place", (join) =>
      join
        .onRef("place.ecosystem_id", "=", "access_entries.ecosystem_id")
        .onRef("place.id", "=", "access_entries.environment_id"),
    )
    .select((of) => [
      "access_entries.ecosystem_id",
      "access_entries.id",
      of.val("acs").as("kind"),
      "access_entries.environment_id",
      of.fn.coalesce("access_entries.gone_at", "place.gone_at").as("gone_at"),
    ])
    .where("access_entries.ecosystem_id", "=", p.eco)
    .where("access_entries.id", "=", p.id),
);

const tokenFacts: FactsStatement = statement<{ eco: string; id: string }>("token_facts")((db, p) =>
  db
    .selectFrom("tokens")
    .select((of) => [
      of.ref("ecosystem_id").$notNull().as("ecosystem_id"),
      "id",
      of.val("tok").as("kind"),
      of.lit(null).as("environment_id"),
      "revoked_at as gone_at",
    ])
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id),
);

/** What goes by ID only, and has a table of its own. */
const FACTS: Partial<Readonly<Record<ReferenceKind, FactsStatement>>> = {
  cmd: commandFacts,
  acs: accessEntryFacts,
  tok: tokenFacts,
};

export class References {
  readonly #store: Store;
  readonly #cache = new ReferenceCache<Resolved>(CAPACITY);

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * The living object that `text` names.
   * @param kind prefix of the kind that the parameter names
   * @param text an ID, or `PARENT;OBJECT[;OBJECT…]`
   * @throws "X Invalid", "X Not Found" (X being the kind), "Access Denied"
   */
  async resolve<K extends ReferenceKind>(caller: Caller, kind: K, text: string): Promise<Resolved<K>> {
    const key = `${kind} ${text}`;
    const known = this.#cache.get(key);
    if (known && reach(caller).includes(known.ecosystemId)) {
      requireAccess(caller, known.environmentId);
      return known as Resolved<K>;
    }
    const parts = parseReference(kind, text);
    if (!parts) throw referenceInvalid(kind);
    const { generation } = this.#cache;
    const facts = await this.#walk(caller, kind, parts);
    const resolved = {
      ecosystemId: facts.ecosystem_id,
      // The walk has seen that it is of that kind.
      id: facts.id as Id<K>,
      environmentId: facts.environment_id,
      kind,
    };
    // What an account's own ID opens is no one else's to find; what has a table of its own is not asked for twice.
    if (!FACTS[kind] && !text.startsWith("acc_")) this.#cache.set(key, resolved, generation);
    return resolved;
  }

  /** Something of the ecosystem has gone or has another alias. To be called in `tx.afterCommit`. */
  forget(ecosystemId: string): void {
    this.#cache.forget(ecosystemId);
  }

  /** From the outside in; the first part at fault answers. */
  async #walk(caller: Caller, kind: ReferenceKind, parts: readonly ReferencePart[]): Promise<ObjectFacts> {
    let outer: ObjectFacts | undefined;
    for (const part of parts) {
      const named = parts.length > 1 ? part.text : undefined;
      const found = await this.#find(caller, kind, part, outer);
      if (!found) throw part.by === "id" ? referenceInvalid(kind, named) : referenceNotFound(kind, named);
      if (outer && !isDirectlyIn(outer, found)) throw referenceNotFound(kind, named);
      requireAccess(caller, found.environment_id);
      if (found.gone_at !== null) throw referenceNotFound(kind, named);
      outer = found;
    }
    if (outer?.kind !== kind) throw referenceNotFound(kind, parts.at(-1)?.text);
    return outer;
  }

  #find(
    caller: Caller,
    kind: ReferenceKind,
    part: ReferencePart,
    outer: ObjectFacts | undefined,
  ): Promise<ObjectFacts | undefined> {
    if (part.by === "alias") return this.#byAlias(part.text, outer);
    if (part.kind === "acc") return Promise.resolve(accountItself(caller, part.text));
    const facts = FACTS[kind];
    if (facts) return this.#inEachEcosystem(caller, facts, part.text);
    // An account reaches its gone ecosystems too: what was in them is gone, not unheard of.
    if (caller.kind === "account")
      return one(this.#store.service.all(objectOfAccount, { account: caller.accountId, id: part.text }));
    return this.#inEachEcosystem(caller, objectById, part.text);
  }

  async #inEachEcosystem(caller: Caller, facts: FactsStatement, id: string): Promise<ObjectFacts | undefined> {
    for (const eco of reach(caller)) {
      const found = await one(this.#store.of(eco).sql.all(facts, { eco, id }));
      if (found) return found;
    }
    return undefined;
  }

  #byAlias(alias: string, outer: ObjectFacts | undefined): Promise<ObjectFacts | undefined> {
    if (!outer) return Promise.resolve(undefined);
    if (outer.kind === "acc") return one(this.#store.service.all(ecosystemByAlias, { account: outer.id, alias }));
    return one(this.#store.of(outer.ecosystem_id).sql.all(objectByAlias, { eco: outer.ecosystem_id, alias }));
  }
}

function isDirectlyIn(outer: ObjectFacts, inner: ObjectFacts): boolean {
  if (!isKindIn(outer.kind, inner.kind)) return false;
  return outer.kind !== "env" || inner.environment_id === outer.id;
}

function isKindIn(outer: string, inner: string): boolean {
  // Kinds in the store are prefixes.
  return canContain(outer as ReferenceKind, inner as ReferenceKind);
}

/** A user has environments; whatever is in another one is denied, living or gone. */
function requireAccess(caller: Caller, environmentId: string | null): void {
  if (caller.kind === "user" && environmentId !== null && !caller.environmentIds.has(environmentId))
    throw accessDenied();
}

/** Only an account's own ID is within its reach. */
function accountItself(caller: Caller, id: string): ObjectFacts | undefined {
  if (caller.kind !== "account" || caller.accountId !== id) return undefined;
  return { ecosystem_id: "", id, kind: "acc", environment_id: null, gone_at: null };
}
