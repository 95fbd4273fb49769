/** The console against the real service, both within the test: what was asked of the service is seen, and whatever was written. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { seededRandom } from "@porchlight/shared/kernel";
import { type Ran, type RunOptions, run } from "../src/main/run.fixture.ts";

export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** Whether it came with an `idempotency-key`. */
  readonly isKeyed: boolean;
}

const PASSWORD = "correct horse battery";

export class TestConsole implements AsyncDisposable {
  readonly cloud: TestCloud;
  /** The person's folder. */
  readonly home: string;
  /** What the service was asked, in order. */
  readonly asked: Asked[] = [];
  /** Everything that was ever written beside the data. */
  stderr = "";
  readonly #random = seededRandom(7);

  private constructor(cloud: TestCloud, home: string) {
    this.cloud = cloud;
    this.home = home;
  }

  static async start(...settings: Parameters<typeof TestCloud.start>): Promise<TestConsole> {
    return new TestConsole(await TestCloud.start(...settings), mkdtempSync(join(tmpdir(), "porchlight-home-")));
  }

  /** Runs a command line. @param line words, or a line with them: quotes keep words together */
  async run(line: string | readonly string[], options: Partial<RunOptions> = {}): Promise<Ran> {
    const argv = typeof line === "string" ? wordsOf(line) : line;
    const ran = await run(argv, {
      ...{ home: this.home, clock: this.cloud.clock, random: this.#random, fetch: this.fetch },
      ...options,
    });
    this.stderr += ran.stderr;
    return ran;
  }

  /** As {@link run}, with `--json`; the data. @throws Error when the command fails */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by comparing it
  async json(line: string, options: Partial<RunOptions> = {}): Promise<any> {
    const { exitStatus, stdout, stderr } = await this.run([...wordsOf(line), "--json"], options);
    if (exitStatus !== 0) throw new Error(`${line} ended with ${exitStatus}: ${stderr}`);
    return stdout === "" ? undefined : JSON.parse(stdout);
  }

  /** An account, logged in. */
  async signIn(email = "ada@example.com") {
    const made = await this.json(`accounts create --email ${email} --password-stdin`, { stdin: PASSWORD });
    await this.json(`login --email ${email} --password-stdin`, { stdin: PASSWORD });
    return made as { id: string; ecosystemId: string; environmentId: string; userId: string };
  }

  get fetch() {
    return async (url: string, init: RequestInit): Promise<Response> => {
      const { method = "GET", body } = init;
      const given = new Headers(init.headers);
      const { pathname, search } = new URL(url);
      const { status, headers, bytes } = await this.cloud.send({
        ...{ method, url: `${pathname}${search}`, headers: Object.fromEntries(given) },
        body: typeof body === "string" ? body : undefined,
      });
      this.asked.push({ method, path: pathname, status, isKeyed: given.has("idempotency-key") });
      const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      return new Response([204, 304].includes(status) || bytes.length === 0 ? null : new Uint8Array(bytes), {
        status,
        headers: sent,
      });
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud[Symbol.asyncDispose]();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Words of a line, as a shell takes them apart. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
