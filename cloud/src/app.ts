/** The cloud as one process: the only place that knows every part, and hands each what it needs. */
import { mkdirSync } from "node:fs";
import { type Clock, IdMaker, type Log, type Random, Scope } from "@porchlight/shared/kernel";
import type { FastifyInstance } from "fastify";
import { AccessEntries, Authenticator, openKeyring, References, Revocations, Tokens } from "./access/index.ts";
import {
  Accounts,
  argon2Hasher,
  LogIns,
  type PasswordHasher,
  Passwords,
  Servers,
  SubjectTokens,
  UserAccess,
  Users,
} from "./accounts/index.ts";
import { type CloudSettings, databaseOf, secretFileOf } from "./config/settings.ts";
import { buildServer, Pager } from "./http/index.ts";
import { accountRoutes } from "./http/routes/accounts.ts";
import { clientRoutes } from "./http/routes/clients.ts";
import { ecosystemRoutes } from "./http/routes/ecosystems.ts";
import { environmentRoutes } from "./http/routes/environments.ts";
import { described } from "./http/routes/openapi.ts";
import { serverRoutes } from "./http/routes/servers.ts";
import { serviceRoutes } from "./http/routes/service.ts";
import { tokenRoutes } from "./http/routes/tokens.ts";
import { userRoutes } from "./http/routes/users.ts";
import { Health } from "./ops/index.ts";
import { Clients, Ecosystems, Environments } from "./places/index.ts";
import { Store } from "./store/index.ts";

export interface AppDeps {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** A quick one in tests: argon2id is slow by design. */
  readonly hasher?: PasswordHasher;
}

export class App implements AsyncDisposable {
  /** For `inject`; it listens after {@link listen}. */
  readonly fastify: FastifyInstance;
  readonly #scope: Scope;
  readonly #deps: AppDeps;
  readonly #store: Store;
  readonly #health: Health;
  #drained: Promise<void> | undefined;

  private constructor(deps: AppDeps, scope: Scope, parts: { fastify: FastifyInstance; store: Store; health: Health }) {
    this.#deps = deps;
    this.#scope = scope;
    this.fastify = parts.fastify;
    this.#store = parts.store;
    this.#health = parts.health;
  }

  /** Opens the store and builds everything; nothing listens yet. @throws SchemaTooNew, KeyFileBroken */
  static async start(deps: AppDeps): Promise<App> {
    const scope = new Scope();
    try {
      return await App.#build(deps, scope);
    } catch (error) {
      await scope[Symbol.asyncDispose]();
      throw error;
    }
  }

  static async #build(deps: AppDeps, scope: Scope): Promise<App> {
    const { settings, clock, random, log } = deps;
    mkdirSync(settings.data, { recursive: true, mode: 0o700 });
    const keyring = openKeyring(secretFileOf(settings), random);
    const ids = new IdMaker(clock, random);
    const onLost = (error: Error) => log.warn({ error }, "a connection to the store broke; the pool replaces it");
    const store = scope.use(await Store.open({ location: databaseOf(settings), clock, ids, onLost }));
    const revocations = new Revocations();
    const references = new References(store);
    const authenticator = scope.use(Authenticator.start({ store, clock, revocations }));
    const tokens = new Tokens({ store, clock, random, ids, keyring, revocations });
    const entries = new AccessEntries({ clock, ids, revocations });
    const passwords = await Passwords.start(deps.hasher ?? argon2Hasher);
    const pager = new Pager(keyring);
    const health = new Health({ store, log });
    const base = { store, references, clock, ids, tokens, entries };

    const routes = [
      ...accountRoutes({
        accounts: new Accounts({ ...base, passwords }),
        logIns: new LogIns({ ...base, passwords }),
        pager,
      }),
      ...ecosystemRoutes({ ecosystems: new Ecosystems(base), pager }),
      ...environmentRoutes({ environments: new Environments(base), pager }),
      ...userRoutes({ users: new Users(base), userAccess: new UserAccess(base), pager }),
      ...serverRoutes({ servers: new Servers(base), pager }),
      ...clientRoutes({
        clients: new Clients({ ...base, presence: () => ({ state: "unknown", since: clock.now() }) }),
        pager,
      }),
      ...tokenRoutes({ subjectTokens: new SubjectTokens(base), pager }),
      ...serviceRoutes({ health }),
    ];
    const fastify = buildServer({
      routes: described(routes, settings.publicUrl),
      authenticator,
      log,
      requestId: requestIds(random),
      publicUrl: settings.publicUrl,
    });
    scope.defer(() => fastify.close());
    return new App(deps, scope, { fastify, store, health });
  }

  /** Begins to take requests. Gives where: `http://HOST:PORT`. */
  async listen(): Promise<string> {
    const { host, port } = this.#deps.settings;
    await this.fastify.listen({ host, port });
    const address = this.fastify.server.address();
    if (address === null || typeof address === "string") throw new Error("the server listens on no port");
    return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  }

  /** Takes in no more, and settles when what was under way has ended. */
  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async #drain(): Promise<void> {
    this.#health.stopping();
    await this.fastify.close();
  }

  /** Ends as SIGKILL would: nobody is told, and nothing more is written. */
  async kill(): Promise<void> {
    await this.#store.kill();
    this.fastify.server.closeAllConnections();
    await this.#scope[Symbol.asyncDispose]();
  }

  /** Ends at once; a drain before it is the polite way. */
  [Symbol.asyncDispose](): Promise<void> {
    this.fastify.server.closeAllConnections();
    return this.#scope[Symbol.asyncDispose]();
  }
}

/** IDs of requests: those of one process count up behind a random word of its own. */
function requestIds(random: Random): () => string {
  const word = Buffer.from(random.bytes(6)).toString("hex");
  let count = 0;
  return () => `${word}-${(++count).toString(36)}`;
}
