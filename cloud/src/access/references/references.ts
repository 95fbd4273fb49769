/**
 * Resolves a reference to an object, for its caller (A1.1.1).
 *
 * An object outside the caller's reach is looked up exactly as an ID that was never issued: by ID within the reach, and not found.
 */
import { BoundedMap, type Id, type IdPrefix } from "@porchlight/shared/kernel";
import {
  accessDenied,
  canContain,
  parseReference,
  type ReferenceKind,
  type ReferencePart,
  SCENE_TARGET,
  type Wanted,
  wantedKind,
  ZONE_ITEM,
} from "@porchlight/shared/rest";
import { NO_OTHERS, type Others } from "../../nodes/index.ts";
import { one, type Statement, type Store, statement } from "../../store/index.ts";
import { type Caller, reach } from "../caller.ts";
import {
  accessEntryFacts,
  commandFacts,
  deliveryFacts,
  type ObjectFacts,
  objectByAlias,
  objectById,
  tokenFacts,
} from "./object-facts.ts";
import {
  accessEntryOfAccount,
  commandOfAccount,
  deliveryOfAccount,
  ecosystemByAlias,
  objectOfAccount,
  tokenOfAccount,
} from "./service-queries.ts";
import { isZoneItem } from "./zone-contents.ts";

export interface Resolved<K extends ReferenceKind = ReferenceKind> {
  readonly ecosystemId: string;
  readonly id: Id<K>;
  /** The environment of the object, which for an environment is itself; null for an object directly in the ecosystem. */
  readonly environmentId: string | null;
  readonly kind: K;
}

/** References cached; about 300 bytes each. */
const CAPACITY = 50_000;

type FactsStatement = Statement<{ owner: string; id: string }, ObjectFacts>;

/** A look-up by ID: within one ecosystem, and over all ecosystems that an account has or had. */
interface ById {
  readonly inEcosystem: FactsStatement;
  readonly ofAccount: FactsStatement;
}

const accountOfEcosystem = statement<{ eco: string }>("account_of_ecosystem")((db, p) =>
  db.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco),
);

const OBJECTS: ById = { inEcosystem: objectById, ofAccount: objectOfAccount };
/** Look-ups of kinds that have an ID but no alias, each with its own table. */
const BY_ID: Partial<Readonly<Record<IdPrefix, ById>>> = {
  cmd: {
    inEcosystem: statement<{ owner: string; id: string }>("command_facts")((db, p) =>
      commandFacts(db, "ecosystems.id", p),
    ),
    ofAccount: commandOfAccount,
  },
  acs: {
    inEcosystem: statement<{ owner: string; id: string }>("access_entry_facts")((db, p) =>
      accessEntryFacts(db, "ecosystems.id", p),
    ),
    ofAccount: accessEntryOfAccount,
  },
  tok: {
    inEcosystem: statement<{ owner: string; id: string }>("token_facts")((db, p) => tokenFacts(db, "ecosystems.id", p)),
    ofAccount: tokenOfAccount,
  },
  dlv: {
    inEcosystem: statement<{ owner: string; id: string }>("delivery_facts")((db, p) =>
      deliveryFacts(db, "ecosystems.id", p),
    ),
    ofAccount: deliveryOfAccount,
  },
};

export class References {
  readonly #store: Store;
  readonly #cache = new ReferenceCache<Resolved>(CAPACITY);
  readonly #others: Others;

  constructor(store: Store, others: Others = NO_OTHERS) {
    this.#store = store;
    this.#others = others;
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
    const { generation } = this.#cache;
    // The walk has checked the kind.
    const resolved = (await this.#look(caller, wantedKind(kind), text)) as Resolved<K>;
    // Not cached: only the account itself resolves its ID, and kinds with their own table are rarely resolved twice.
    if (!BY_ID[kind] && !text.startsWith("acc_")) {
      this.#others.follow(resolved.ecosystemId);
      this.#cache.set(key, resolved, generation);
    }
    return resolved;
  }

  /**
   * The living zone or device that an entry of `items` names.
   * @throws "Zone Item Invalid", "Zone Item Not Found", "Access Denied"
   */
  async resolveZoneItem(caller: Caller, text: string): Promise<Resolved<"zon" | "dev">> {
    // The walk has checked the kind.
    return (await this.#look(caller, ZONE_ITEM, text)) as Resolved<"zon" | "dev">;
  }

  /**
   * The living zone or device that an item of a scene targets.
   * @throws "Scene Item Invalid", "Scene Item Not Found", "Access Denied"
   */
  async resolveSceneTarget(caller: Caller, text: string): Promise<Resolved<"zon" | "dev">> {
    // The walk has checked the kind.
    return (await this.#look(caller, SCENE_TARGET, text)) as Resolved<"zon" | "dev">;
  }

  /** Drops the ecosystem's cached references, here and on other nodes, after an object or alias changed. Call it in `tx.afterCommit`. */
  forget(ecosystemId: string): void {
    this.reread(ecosystemId);
    this.#others.invalidations.note({ kind: "references" });
  }

  /** Drops the ecosystem's cached references, after a commit of another node. */
  reread(ecosystemId: string): void {
    this.#cache.forget(ecosystemId);
  }

  async #look(caller: Caller, wanted: Wanted, text: string): Promise<Resolved> {
    const parts = parseReference(wanted.kinds, text);
    if (!parts) throw wanted.invalid();
    const facts = await this.#walk(caller, wanted, parts);
    return {
      ecosystemId: facts.ecosystem_id,
      // Kinds in the store are prefixes, and the walk has let only the wanted ones pass.
      kind: facts.kind as ReferenceKind,
      id: facts.id as Id<ReferenceKind>,
      environmentId: facts.environment_id,
    };
  }

  /** Walks from the outermost part to the innermost; the first faulty part determines the error. */
  async #walk(caller: Caller, wanted: Wanted, parts: readonly ReferencePart[]): Promise<ObjectFacts> {
    let outer: ObjectFacts | undefined;
    const last = parts.at(-1);
    for (const part of parts) {
      const named = parts.length > 1 ? part.text : undefined;
      const found = part.by === "id" ? await this.#byId(caller, part) : await this.#byAlias(caller, part.text, outer);
      if (!found) throw part.by === "id" ? wanted.invalid(named) : wanted.notFound(named);
      if (outer && !(await this.#isDirectlyIn(outer, found))) throw wanted.notFound(named);
      // An object of another kind with this alias is not found, even when it is outside the caller's access.
      if (part === last && !wanted.kinds.some((kind) => kind === found.kind)) throw wanted.notFound(named);
      requireAccess(caller, found.environment_id);
      if (found.gone_at !== null) throw wanted.notFound(named);
      outer = found;
    }
    if (!outer) throw wanted.invalid();
    return outer;
  }

  async #byId(caller: Caller, { kind, text: id }: { kind: IdPrefix; text: string }): Promise<ObjectFacts | undefined> {
    if (kind === "acc") return (await this.#isOwnAccount(caller, id)) ? accountFacts(id) : undefined;
    const { inEcosystem, ofAccount } = BY_ID[kind] ?? OBJECTS;
    // An account reaches its deleted ecosystems too: objects in them are gone rather than unknown.
    return caller.kind === "account"
      ? one(this.#store.service.all(ofAccount, { owner: caller.accountId, id }))
      : one(this.#store.of(caller.ecosystemId).sql.all(inEcosystem, { owner: caller.ecosystemId, id }));
  }

  /** Whether the ID is the caller's account; for a server or user, the account that owns its ecosystem. */
  async #isOwnAccount(caller: Caller, id: string): Promise<boolean> {
    if (caller.kind === "account") return caller.accountId === id;
    const { ecosystemId: eco } = caller;
    return (await one(this.#store.of(eco).sql.all(accountOfEcosystem, { eco })))?.account_id === id;
  }

  async #byAlias(caller: Caller, alias: string, outer: ObjectFacts | undefined): Promise<ObjectFacts | undefined> {
    if (!outer) return undefined;
    if (outer.kind === "acc") {
      const found = await one(this.#store.service.all(ecosystemByAlias, { account: outer.id, alias }));
      // An ecosystem out of the caller's reach gets the same answer as one that does not exist.
      return found && reach(caller).includes(found.ecosystem_id) ? found : undefined;
    }
    const { sql } = this.#store.of(outer.ecosystem_id);
    const found = await one(sql.all(objectByAlias, { eco: outer.ecosystem_id, alias }));
    // The alias of a gone object is free, swept or not.
    return found?.gone_at === null ? found : undefined;
  }

  async #isDirectlyIn(outer: ObjectFacts, inner: ObjectFacts): Promise<boolean> {
    // Kinds in the store are prefixes.
    if (!canContain(outer.kind as IdPrefix, inner.kind as IdPrefix)) return false;
    if (outer.kind === "acc") return true;
    const { ecosystem_id: eco, id: zone } = outer;
    if (inner.ecosystem_id !== eco) return false;
    if (outer.kind === "zon") return isZoneItem(this.#store.of(eco).sql, eco, zone, inner.id);
    return outer.kind !== "env" || inner.environment_id === outer.id;
  }
}

/** A user reaches the environments of its access entries; objects of another environment are denied, living or gone. */
function requireAccess(caller: Caller, environmentId: string | null): void {
  if (caller.kind === "user" && environmentId !== null && !caller.environmentIds.has(environmentId))
    throw accessDenied();
}

function accountFacts(id: string): ObjectFacts {
  return { ecosystem_id: "", id, kind: "acc", environment_id: null, gone_at: null };
}

/** Caches resolved references, so that hot paths need no query; bounded, and cleared by every change that can affect an answer. */
class ReferenceCache<R extends { readonly ecosystemId: string }> {
  readonly #byText: BoundedMap<string, R>;
  readonly #byEcosystem = new Map<string, Set<string>>();
  #changes = 0;

  constructor(capacity: number) {
    this.#byText = new BoundedMap(capacity, (key, { ecosystemId }) => this.#evicted(key, ecosystemId));
  }

  get(key: string): R | undefined {
    return this.#byText.get(key);
  }

  /** Counts changes: take it before the store is read, and pass it to {@link set}. */
  get generation(): number {
    return this.#changes;
  }

  /** Caches a reference, unless a change came after the read began. */
  set(given: string, resolved: R, generation: number): void {
    if (generation !== this.#changes || this.#byText.has(given)) return;
    // A copy of the text: V8 keeps the whole URL in memory for a slice of it.
    const key = Buffer.from(given).toString();
    this.#byText.set(key, resolved);
    const keys = this.#byEcosystem.get(resolved.ecosystemId);
    if (keys) keys.add(key);
    else this.#byEcosystem.set(resolved.ecosystemId, new Set([key]));
  }

  /** Drops the ecosystem's references, after an object or alias changed. Call it in `tx.afterCommit`. */
  forget(ecosystemId: string): void {
    this.#changes += 1;
    for (const key of this.#byEcosystem.get(ecosystemId) ?? []) this.#byText.delete(key);
    this.#byEcosystem.delete(ecosystemId);
  }

  #evicted(key: string, ecosystemId: string): void {
    const keys = this.#byEcosystem.get(ecosystemId);
    keys?.delete(key);
    if (keys?.size === 0) this.#byEcosystem.delete(ecosystemId);
  }
}
