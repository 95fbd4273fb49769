/** A statement that is built and compiled at its first use, with named parameters, and then only bound and run. */
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Tables } from "../tables/tables.ts";

export type DialectName = "sqlite" | "postgres";
/** What a column can be bound to. */
export type Bound = string | number | null;
export type Build = Kysely<Tables>;

/** Kysely without a connection: it provides syntax and types, and the stores run what it compiles. */
export const BUILDERS: Readonly<Record<DialectName, Build>> = {
  sqlite: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A parameter that is bound later, or a constant of the statement. */
type Slot = { readonly name: string } | { readonly constant: Bound };

export interface Compiled {
  readonly sql: string;
  /** In the order of the SQL's placeholders. */
  readonly slots: readonly Slot[];
  /** The values in the order of the SQL's placeholders. */
  bind(params: Readonly<Record<string, Bound>>): Bound[];
}

/** `P`: the named values it takes; `R`: a row of its result. */
export interface Statement<P extends Readonly<Record<string, Bound>>, R> {
  readonly name: string;
  readonly sqlite: Compiled;
  readonly postgres: Compiled;
  /** Never set: carries the types. */
  readonly types?: { params: P; row: R };
}

/**
 * A statement for both stores. It is compiled for a store at its first use there: compiling the hundreds of statements
 * for both stores at load time took a tenth of the service's start.
 * @param name unique: the prepared statement's name on PostgreSQL
 * @param build the query, given a builder and the parameters
 */
export function statement<P extends Readonly<Record<string, Bound>>>(name: string) {
  return <R>(build: (db: Build, params: P) => Compilable<R>): Statement<P, R> => {
    const params = new Proxy({}, { get: (_target, key) => new Placeholder(String(key)) }) as P;
    return inDialects(
      name,
      () => compiled(settled(build(BUILDERS.sqlite, params).compile())),
      () => compiled(build(BUILDERS.postgres, params).compile()),
    );
  };
}

interface InDialects {
  readonly name: string;
  readonly sqlite: Compiled;
  readonly postgres: Compiled;
}

const made: InDialects[] = [];

/** The statements of all loaded modules: a test prepares each against the tables of a real store. */
export function everyStatement(): readonly InDialects[] {
  return made;
}

/** Both forms of a statement, each built at its first use. */
export function inDialects(name: string, makeSqlite: () => Compiled, makePostgres: () => Compiled): InDialects {
  let sqlite: Compiled | undefined;
  let postgres: Compiled | undefined;
  const statement = {
    name,
    get sqlite() {
      sqlite ??= makeSqlite();
      return sqlite;
    },
    get postgres() {
      postgres ??= makePostgres();
      return postgres;
    },
  };
  made.push(statement);
  return statement;
}

/**
 * SQLite replans a statement after each binding of a parameter that its planner has inspected: 35 µs each time for a
 * join of four tables that runs in 4 µs. A unary plus, which does nothing, hides the parameter from the planner;
 * constants are inlined, so that partial indexes still apply.
 */
function settled(query: CompiledQuery): CompiledQuery {
  const parameters: unknown[] = [];
  let place = 0;
  const sql = query.sql.replaceAll("?", () => {
    const parameter = query.parameters[place++];
    if (!(parameter instanceof Placeholder)) return literal(parameter);
    parameters.push(parameter);
    return "+?";
  });
  return { ...query, sql, parameters };
}

/** A constant as SQL text. */
export function literal(constant: unknown): string {
  if (constant === null || typeof constant === "number") return String(constant);
  return `'${String(constant).replaceAll("'", "''")}'`;
}

function compiled(query: CompiledQuery): Compiled {
  const slots = query.parameters.map(
    (parameter): Slot => (parameter instanceof Placeholder ? parameter : { constant: parameter as Bound }),
  );
  return { sql: query.sql, slots, bind: (params) => bound(slots, params) };
}

/** A plain loop, because thousands of values are bound a second. */
function bound(slots: readonly Slot[], params: Readonly<Record<string, Bound>>): Bound[] {
  const values: Bound[] = [];
  for (const slot of slots) values.push("constant" in slot ? slot.constant : (params[slot.name] ?? null));
  return values;
}
