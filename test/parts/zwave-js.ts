/** The real zwave-js-server as a process, on a simulated stick: started, given orders for its devices, and never left behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { ROOT } from "./program.ts";
import type { NetworkOrder } from "./zwave-js/mock-network.ts";

const PROGRAM = join(ROOT, "test/parts/zwave-js/mock-network.ts");

export class ZwaveJs implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #output = "";
  #answered: ((answer: unknown) => void) | undefined;

  private constructor(port: number, folder: string) {
    this.url = `ws://127.0.0.1:${port}`;
    this.#folder = folder;
    const child = spawn(process.execPath, [PROGRAM, String(port), folder], {
      cwd: folder,
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    for (const input of [child.stdout, child.stderr]) {
      input?.on("data", (part: Buffer) => {
        this.#output = (this.#output + part.toString()).slice(-4000);
      });
    }
    child.on("message", (answer) => this.#answered?.(answer));
    this.#ended = new Promise((resolve) => child.once("close", () => resolve()));
  }

  /** Settles when all its nodes are interviewed. @throws Error when it ends before */
  static async start(): Promise<ZwaveJs> {
    const peer = new ZwaveJs(await freePort(), mkdtempSync(join(tmpdir(), "porchlight-zwave-js-")));
    await peer.#answer();
    return peer;
  }

  /** Settles when it is done. @throws Error when the process has ended */
  async order(order: NetworkOrder): Promise<void> {
    const done = this.#answer();
    this.#child.send(order);
    await done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answer(): Promise<void> {
    const answered = new Promise<unknown>((resolve) => {
      this.#answered = resolve;
    });
    const ended = this.#ended.then(() => {
      throw new Error(`zwave-js-server ended:\n${this.#output}`);
    });
    // A process that ends later is no failure of this order.
    ended.catch(() => undefined);
    await Promise.race([answered, ended]);
  }
}
