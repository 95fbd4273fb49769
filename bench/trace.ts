/**
 * `npm run trace -- put [--files]`: which files and functions of ours run for one warm PUT, or for one report of a device, by V8's counts of
 * calls. A function is on the way when it ran at least once for each of the requests that are counted.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "undici";
import { eventually } from "../test/parts/eventually.ts";
import { type Program, ROOT } from "../test/parts/program.ts";
import { type Product, startProduct } from "./product.ts";

const WARM = 50;
const COUNTED = 20;
/** Group commits, acknowledgements and histories of the last request end within it. */
const SETTLED_MS = 500;
/** Reports that come closer together travel together. */
const APART_MS = 200;
const DEBUGGER = /Debugger listening on (ws:\S+)/;

interface ScriptCoverage {
  readonly url: string;
  /** The first range of a function is all of it. */
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
}

/** V8's profiler in a program that was started with `--inspect`. */
class Inspector implements Disposable {
  readonly #socket: WebSocket;
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async attach(program: Program): Promise<Inspector> {
    const url = await eventually("the inspector listens", async () => DEBUGGER.exec(program.stderr)?.[1]);
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const inspector = new Inspector(socket);
    await inspector.call("Profiler.enable");
    return inspector;
  }

  call<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      const read = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data));
        if (message.id !== id) return;
        this.#socket.removeEventListener("message", read);
        resolve(message.result);
      };
      this.#socket.addEventListener("message", read);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

const [what = "put", ...flags] = process.argv.slice(2);
process.env.NODE_OPTIONS = "--inspect=127.0.0.1:0";
await using product = await startProduct(1, 1);
const [hub] = product.hubs;
if (!hub || (what !== "put" && what !== "report")) throw new Error("Usage: npm run trace -- put|report [--files]");
const send = what === "put" ? putter(product) : reporter(hub);

await send(WARM);
await pause(SETTLED_MS);
for (const [name, program] of [
  ["cloud", product.cloud],
  ["hub", hub],
] as const) {
  using inspector = await Inspector.attach(program);
  await inspector.call("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await send(COUNTED);
  await pause(SETTLED_MS);
  const { result } = await inspector.call<{ result: ScriptCoverage[] }>("Profiler.takePreciseCoverage");
  await inspector.call("Profiler.stopPreciseCoverage");
  print(name, result);
}

function print(name: string, scripts: readonly ScriptCoverage[]): void {
  const ours = `file://${ROOT}`;
  const files = scripts.flatMap(({ url, functions }) => {
    const count = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) >= COUNTED);
    const path = url.slice(ours.length);
    const isOurs = url.startsWith(ours) && !/^(?:test|bench)\/|node_modules/.test(path);
    return isOurs && count.length > 0 ? [{ path, functions: count.length }] : [];
  });
  const functions = files.reduce((sum, file) => sum + file.functions, 0);
  process.stdout.write(`${name}: ${files.length} files, ${functions} functions run for one ${what}\n`);
  if (!flags.includes("--files")) return;
  for (const file of files.sort((a, b) => (a.path < b.path ? -1 : 1)))
    process.stdout.write(`  ${String(file.functions).padStart(3)} ${file.path}\n`);
}

/** Sends PUTs, one after another. */
function putter({ url, devices, headers }: Product): (count: number) => Promise<void> {
  const client = new Client(url);
  let n = 0;
  return async (count) => {
    for (let left = count; left > 0; left -= 1) {
      const body = JSON.stringify({ value: (n++ % 3600) / 10 });
      const path = `/api/devices/${devices[0]}/services/LightColor.hue`;
      const answer = await client.request({ method: "PUT", path, headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`a PUT was answered with ${answer.statusCode}`);
    }
  };
}

/** Reports changes of a device, each in a message of its own to the cloud. */
function reporter(program: Program): (count: number) => Promise<void> {
  return async (count) => {
    for (let left = count; left > 0; left -= 1) {
      const reported = program.next((line) => (line === "reported" ? true : undefined));
      program.tell("report 1");
      await reported;
      await pause(APART_MS);
    }
  };
}
