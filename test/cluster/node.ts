/** One node of a cluster: a real process that reaches its database and NATS through lines of its own, which a test may break. */
import { join } from "node:path";
import { FaultProxy, type Target } from "../parts/fault-proxy.ts";
import { freePort } from "../parts/free-port.ts";
import { type Ended, Program } from "../parts/program.ts";
import { WallClock } from "../parts/wall-clock.ts";

/** What a node reaches by a line. */
export type Line = "postgres" | "nats";

export interface NodeOptions {
  readonly name: string;
  /** Of the cluster; the node's own is made in it. */
  readonly folder: string;
  readonly secretFile: string;
  readonly postgres: Target;
  /** Missing: the node is alone. */
  readonly nats: Target | undefined;
  /** Of the delays on its lines. */
  readonly seed: number;
  readonly env: Readonly<Record<string, string>>;
  /** Whether its wall clock can be set. */
  readonly hasOwnClock: boolean;
}

export class ClusterNode implements AsyncDisposable {
  readonly name: string;
  readonly port: number;
  readonly lines: Readonly<Partial<Record<Line, FaultProxy>>>;
  readonly #options: NodeOptions;
  readonly #clock: WallClock | undefined;
  #program: Program | undefined;
  #runs = false;

  private constructor(options: NodeOptions, port: number, lines: Partial<Record<Line, FaultProxy>>) {
    this.name = options.name;
    this.port = port;
    this.lines = lines;
    this.#options = options;
    this.#clock = options.hasOwnClock ? new WallClock(options.folder, `wall-clock-${options.name}`) : undefined;
  }

  /** Makes its lines; the process is begun by {@link start}. */
  static async make(options: NodeOptions): Promise<ClusterNode> {
    const { postgres, nats, seed } = options;
    const lines: Partial<Record<Line, FaultProxy>> = { postgres: await FaultProxy.start(() => postgres, seed) };
    if (nats !== undefined) lines.nats = await FaultProxy.start(() => nats, seed + 1);
    return new ClusterNode(options, await freePort(), lines);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Its last output on stderr. */
  get stderr(): string {
    return this.#program?.stderr ?? "";
  }

  /** Whether its process has been started and has not ended. */
  get runs(): boolean {
    return this.#runs;
  }

  get pid(): number | undefined {
    return this.#program?.pid;
  }

  /** Starts the process, the second time on the same port and folder. @throws Error when it ends before it listens */
  async start(): Promise<void> {
    const { folder, secretFile, env, name } = this.#options;
    const { postgres, nats } = this.lines;
    const options = {
      port: String(this.port),
      data: join(folder, name),
      database: `postgres://porchlight@127.0.0.1:${postgres?.port}/postgres`,
      "secret-file": secretFile,
      ...(nats && { nats: `nats://127.0.0.1:${nats.port}` }),
    };
    const args = Object.entries(options).flatMap(([flag, value]) => [`--${flag}`, value]);
    const program = new Program(name, "cloud/src/main.ts", ["serve", ...args], { ...env, ...this.#clock?.env });
    this.#program = program;
    this.#runs = true;
    void program.ended.then(() => {
      this.#runs = false;
    });
    await program.line((line) => (line.startsWith("listening on ") ? true : undefined));
  }

  /** SIGKILL, and waits until it is gone. */
  async sigkill(): Promise<void> {
    await this.#program?.kill();
  }

  /** SIGSTOP: it holds every connection, and does nothing. */
  sigstop(): void {
    this.#program?.signal("SIGSTOP");
  }

  sigcont(): void {
    this.#program?.signal("SIGCONT");
  }

  /** SIGTERM: it sends its hubs away, lets calls end, and ends. */
  async sigterm(): Promise<Ended | undefined> {
    return this.#program?.stop();
  }

  /** How far its wall clock is off from now on, seconds. @throws Error when it has none of its own */
  setClock(seconds: number): void {
    if (this.#clock === undefined) throw new Error(`${this.name} was made without a clock of its own`);
    this.#clock.set(seconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
    for (const line of Object.values(this.lines)) await line[Symbol.asyncDispose]();
  }
}
