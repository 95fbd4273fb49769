/** A machine of Debian's with systemd, to install things on: a copy of this one, which is thrown away. Only root can have it. */
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { eventually } from "../../test/parts/eventually.ts";
import { ROOT } from "../../test/parts/program.ts";
import { type Ran, runTool } from "./tool.fixture.ts";

export class Machine implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<void>;
  #output = "";

  private constructor(folder: string) {
    this.#folder = folder;
    const script = join(ROOT, "packaging", "test", "machine.sh");
    // The machine does not outlive the test, however that ends.
    const command = ["--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "private", "sh", script, folder];
    this.#process = spawn("setpriv", command, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on("data", (data) => {
        this.#output += data;
      });
    this.#ended = new Promise((resolve) => this.#process.once("exit", () => resolve()));
  }

  /** Boots it. @throws Error with its output when it does not come up */
  static async start(): Promise<Machine> {
    const machine = new Machine(mkdtempSync(join(tmpdir(), "porchlight-machine-")));
    try {
      await eventually(
        "the machine has booted",
        async () => (await machine.run("systemctl is-active multi-user.target")).status === 0,
      );
      return machine;
    } catch (failure) {
      await machine[Symbol.asyncDispose]();
      throw new Error(`${failure}\n${machine.#output}`);
    }
  }

  /** Runs a line of shell there, as root and with nothing of this process's environment. */
  run(line: string): Promise<Ran> {
    const first = this.#first();
    if (first === undefined) throw new Error("the machine does not run");
    const inside = ["--target", String(first), "--all", "--root", "--wd"];
    const bare = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"];
    return runTool("nsenter", [...inside, ...bare, "sh", "-c", line]);
  }

  /** The output of a line that is to succeed, without the line end. @throws Error with its whole output */
  async good(line: string): Promise<string> {
    const { status, output } = await this.run(line);
    if (status !== 0) throw new Error(`${line}: status ${status}\n${output}`);
    return output.trimEnd();
  }

  /** Takes a file along, and gives its path there. */
  take(path: string): string {
    const there = join("/tmp", basename(path));
    const first = this.#first();
    copyFileSync(path, join("/proc", String(first), "root", there));
    return there;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const first = this.#first();
    // Its first process takes all others with it; the script then tidies up.
    if (first !== undefined) process.kill(first, "SIGKILL");
    else this.#process.kill("SIGKILL");
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** systemd, by its number outside. */
  #first(): number | undefined {
    const [unshare] = childrenOf(this.#process.pid);
    return childrenOf(unshare)[0];
  }
}

function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    // It has ended.
    return [];
  }
}
