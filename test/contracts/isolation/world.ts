/** Two accounts and what a third has left, on one store: every caller that may ask, everything that may be asked for, and what is seen of it. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { freshAt, PATIENT } from "@porchlight/cloud/store/fresh-store.fixture.ts";
import { Store } from "@porchlight/cloud/store/index.ts";
import { TABLES } from "@porchlight/cloud/store/table-names.fixture.ts";
import { IdMaker, seededRandom } from "@porchlight/shared/kernel";
import { freshDatabase } from "../../parts/postgres.ts";
import type { StoreName } from "../cloud.ts";
import type { Ask } from "./asks.ts";
import { type Belongings, type Kind, prefixOf } from "./belongings.ts";
import { type CallerName, type Population, populate } from "./population.ts";
import { mayWrite, Statements } from "./statements.ts";

/** An answer without what belongs to the moment and to the words of the one who asked, and the SQL that led to it. */
export interface Seen {
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly statements: readonly string[];
}

/** Tables that keep count of use, for requests of each outcome. */
const OF_USE: readonly string[] = [
  ...["request_log", "request_counts", "counting_periods", "token_uses", "token_versions", "nodes"],
];
/** What is stored late of many requests comes with the answer of any; only its transactions show it. */
const OF_COUNTING = /"(request_log|request_counts|counting_periods|token_uses|token_versions|nodes)"|^(begin|commit)/;
/** Headers that differ from one answer to the next by themselves. */
const OF_THE_MOMENT: readonly string[] = ["date", "ratelimit", "ratelimit-policy"];
/** So that answers do not differ by the request's ID. */
const SAME_ID = { "x-request-id": "isolation" };

export class World implements AsyncDisposable {
  readonly cloud: TestCloud;
  readonly people: Population;
  readonly #parts: Parts;
  #digests: ReadonlyMap<string, string> = new Map();
  #hasChanged = false;
  #count = 0;

  private constructor(parts: Parts, people: Population) {
    this.#parts = parts;
    this.cloud = parts.cloud;
    this.people = people;
  }

  static async start(on: StoreName, settings: Parameters<typeof TestCloud.start>[0] = {}): Promise<World> {
    const parts = await open(on, settings);
    const world = new World(parts, await populate(parts.cloud, parts.store));
    // Activity is known of more than one minute then, and so has more than one page.
    await parts.cloud.clock.advance(120_000);
    // A caller that has been seen before is known without the store.
    for (const token of Object.values(world.people.tokens)) await parts.cloud.call("GET", "/api/token", { token });
    await world.#quiet();
    await world.accept();
    return world;
  }

  /** Settles when background work has ended: while the store answers us, it has no other query. */
  async #quiet(): Promise<void> {
    const { store, statements } = this.#parts;
    const { service } = store;
    for (let calm = 0; calm < 50; calm++) {
      const seen = await statements.during(() => service.query(service.build.selectFrom("nodes").select("id")));
      if (seen.statements.length > 1) calm = 0;
    }
  }

  /** A number that no ask has had. */
  get count(): number {
    return ++this.#count;
  }

  /** An ID that was never issued. */
  never(kind: Kind | "item" | "target" | "outerZon"): string {
    return this.#parts.ids.next(kind === "item" || kind === "target" ? "zon" : prefixOf(kind));
  }

  /** Foreign belongings of a caller, by what has become of them. */
  outOfReach(caller: CallerName): (readonly [string, Belongings])[] {
    const isConfined = caller === "server" || caller === "user";
    return Object.entries({ ...this.people.foreign, ...(isConfined && this.people.beside) });
  }

  /** @param words those of the asker that may come back in the answer @throws Error when a refusal has changed something */
  async see(ask: Ask, token: string | undefined, words: readonly string[] = []): Promise<Seen> {
    const { method, url, body, headers } = ask;
    const { result, statements } = await this.#parts.statements.during(() =>
      this.cloud.call(method, url, { token, ...(body && { body }), headers: { ...SAME_ID, ...headers } }),
    );
    if (result.status >= 400 && mayWrite(statements, OF_USE))
      await this.requireUnchanged(`${method} ${url} -> ${result.status}`);
    const without = words.flatMap((word) => [word, encodeURIComponent(word)]);
    const plain = (text: string) => without.reduce((rest, word) => rest.replaceAll(word, "…"), text);
    const shown = Object.entries(result.headers).filter(([name]) => !OF_THE_MOMENT.includes(name));
    return {
      status: result.status,
      title: String(result.body.title ?? ""),
      headers: Object.fromEntries(shown.map(([name, value]) => [name, plain(String(value))])),
      text: plain(result.text),
      statements: statements.filter((text) => !OF_COUNTING.test(text)),
    };
  }

  /** @throws Error when a table is not what it was at the start, but for those that count use */
  async requireUnchanged(after: string): Promise<void> {
    // Most refusals write nothing, and then there is nothing to read.
    if (!this.#parts.statements.takeWritten() && !this.#hasChanged) return;
    const digests = await this.#digest();
    const changed = [...digests].filter(([table, digest]) => this.#digests.get(table) !== digest);
    this.#hasChanged = changed.length > 0;
    if (this.#hasChanged) throw new Error(`${after}: ${changed.map(([table]) => table).join(", ")} have changed`);
  }

  /** The rows that are stored now are to stay. */
  async accept(): Promise<void> {
    this.#digests = await this.#digest();
  }

  async #digest(): Promise<Map<string, string>> {
    const { service } = this.#parts.store;
    const digests = new Map<string, string>();
    for (const table of TABLES.filter((name) => !OF_USE.includes(name))) {
      const rows = await service.query(service.build.selectFrom(table).selectAll());
      const texts = rows.map((row) => JSON.stringify(row)).sort();
      digests.set(table, createHash("sha256").update(texts.join("\n")).digest("hex"));
    }
    return digests;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { statements, store, cloud } = this.#parts;
    statements[Symbol.dispose]();
    await store[Symbol.asyncDispose]();
    await cloud[Symbol.asyncDispose]();
  }
}

interface Parts {
  readonly cloud: TestCloud;
  readonly store: Store;
  readonly statements: Statements;
  readonly ids: IdMaker;
}

async function open(on: StoreName, settings: Parameters<typeof TestCloud.start>[0]): Promise<Parts> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-isolation-"));
  const postgres = on === "PostgreSQL" ? await freshDatabase("tables") : undefined;
  const location = postgres?.url ?? join(folder, "cloud.db");
  const end = async () => {
    await postgres?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  const cloud = await TestCloud.start(settings, freshAt(location, end));
  const ids = new IdMaker(cloud.clock, seededRandom(77));
  const store = await Store.open({ location, limits: PATIENT, clock: cloud.clock, ids });
  return { cloud, store, ids, statements: new Statements(OF_USE) };
}
