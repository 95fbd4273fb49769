/** The real service for contract tests: over HTTP on loopback, on either store, every answer held against its OpenAPI document. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "@porchlight/cloud";
import { cloudSettings } from "@porchlight/cloud/config/settings.ts";
import { changeAt } from "@porchlight/cloud/store/fresh-store.fixture.ts";
import { Porchlight } from "@porchlight/sdk";
import { silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { Judge } from "../parts/judge.ts";
import { freshDatabase } from "../parts/postgres.ts";
import { rounds } from "../parts/rounds.ts";

/** The same suite passes on both. */
export const STORES = ["SQLite", "PostgreSQL"] as const;
export type StoreName = (typeof STORES)[number];
/**
 * SQLite, and in `npm run test:long` PostgreSQL too: for suites that ask every route thousands of things which the service decides above
 * its store. What differs on PostgreSQL is tried in every run.
 */
export const STORES_AT_LENGTH: readonly StoreName[] = STORES.slice(0, rounds(1, STORES.length));

/** As quick as a test wants it. */
const plainHasher = {
  hash: async (password: string) => `plain ${password}`,
  verify: async (hashed: string, password: string) => hashed === `plain ${password}`,
};

/** An account with what came with it, and clients of every kind of token. */
export interface Owner {
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly userId: string;
  readonly asAccount: Porchlight;
  readonly asServer: Porchlight;
  readonly asUser: Porchlight;
  readonly serverToken: string;
  readonly userToken: string;
}

export class ContractCloud implements AsyncDisposable {
  /** The service's address. */
  readonly url: string;
  readonly #app: App;
  readonly #judge: Judge;
  readonly #database: string;
  readonly #end: () => Promise<void>;
  #owners = 0;

  private constructor(url: string, app: App, database: string, end: () => Promise<void>) {
    this.url = url;
    this.#app = app;
    this.#database = database;
    this.#judge = new Judge(url);
    this.#end = end;
  }

  static async start(store: StoreName): Promise<ContractCloud> {
    const data = mkdtempSync(join(tmpdir(), "porchlight-contract-"));
    const postgres = store === "PostgreSQL" ? await freshDatabase("tables") : undefined;
    const database = postgres?.url ?? join(data, "cloud.db");
    const settings = cloudSettings.parse({
      ...{ data, database, port: 0, rateLimit: "off", webhookAllow: ["127.0.0.0/8"] },
    });
    const app = await App.start({
      ...{ settings, clock: systemClock, random: systemRandom, log: silentLog, hasher: plainHasher },
    });
    return new ContractCloud(await app.listen(), app, database, async () => {
      await app[Symbol.asyncDispose]();
      await postgres?.[Symbol.asyncDispose]();
      rmSync(data, { recursive: true, force: true });
    });
  }

  /** What the service serves, as `METHOD /path/{id}`. */
  get operations(): string[] {
    return this.#app.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  }

  /** As `fetch`. @throws Error when the document does not describe the answer */
  get fetch(): Judge["fetch"] {
    return this.#judge.fetch;
  }

  /** Changes rows behind the API's back: for what would take long through it. */
  change(change: Parameters<typeof changeAt>[1]): Promise<void> {
    return changeAt(this.#database, change);
  }

  client(token?: string): Porchlight {
    return new Porchlight({ baseUrl: this.url, token, fetch: this.fetch });
  }

  /** Signs a user up, and makes a token of each kind. */
  async owner(): Promise<Owner> {
    this.#owners += 1;
    const email = `owner-${this.#owners}@example.com`;
    const password = "correct horse battery";
    const anonymous = this.client();
    const { id: accountId, ...made } = await anonymous.accounts.create({ email, password });
    const { token = "" } = await anonymous.accounts.logIn({ email, password });
    const asAccount = this.client(token);
    const server = await asAccount.servers.create({});
    const [serverToken] = await asAccount.servers.tokens(server.id).all();
    const userToken = await asAccount.users.createToken(made.userId);
    const tokens = { serverToken: serverToken?.token ?? "", userToken: userToken.token ?? "" };
    const clients = { asAccount, asServer: this.client(tokens.serverToken), asUser: this.client(tokens.userToken) };
    return { password, accountId, ...made, ...tokens, ...clients };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    this.#judge.close();
  }
}
