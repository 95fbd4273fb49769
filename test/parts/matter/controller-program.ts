/** A foreign controller of Matter as a process, with the orders and questions of a test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../program.ts";

/** An endpoint as the controller knows it. */
export interface Endpoint {
  readonly number: number;
  /** Of which it is a part. */
  readonly parent: number | null;
  /** Codes of its device types. */
  readonly types: readonly number[];
  /** `BridgedDeviceBasicInformation`, of a device. */
  readonly information: Readonly<Record<string, unknown>>;
}

/** What a controller was refused, with the status of Matter. */
class RefusedByMatter extends Error {
  readonly status: unknown;

  constructor(message: string, status: unknown) {
    super(message);
    this.status = status;
  }
}

export class Controller implements AsyncDisposable {
  readonly program: Program;
  readonly #folder: string;
  #number = 0;

  private constructor(folder: string, within: readonly string[]) {
    this.#folder = folder;
    this.program = new Program("controller", "test/parts/matter/controller.ts", [folder], {}, within);
  }

  static async start(within: readonly string[]): Promise<Controller> {
    const controller = new Controller(mkdtempSync(join(tmpdir(), "porchlight-controller-")), within);
    await controller.#answer(0);
    return controller;
  }

  /** Pairs with the bridge; gives the milliseconds until it was paired, and until all of it was known. */
  async pair(code: string): Promise<{ readonly pairedMs: number; readonly knownMs: number }> {
    const { answer: pairedMs, ms: knownMs } = await this.#ask<number>({ order: "pair", code });
    return { pairedMs, knownMs };
  }

  /** Leaves the bridge, as an app does that removes it. */
  async leave(): Promise<void> {
    await this.#ask({ order: "leave" });
  }

  async endpoints(): Promise<readonly Endpoint[]> {
    return (await this.#ask<readonly Endpoint[]>({ order: "endpoints" })).answer;
  }

  /** The endpoint of the device that is called so. */
  async device(name: string): Promise<Endpoint | undefined> {
    return (await this.endpoints()).find(({ information }) => information.nodeLabel === name);
  }

  /** The endpoints of the device with that endpoint: its own and those of its parts, by number. */
  async endpointsOf(root: number): Promise<readonly Endpoint[]> {
    const all = await this.endpoints();
    const own = all.filter(({ number, parent }) => number === root || parent === root);
    return own.toSorted((one, other) => one.number - other.number);
  }

  /** The last notified value of an attribute. */
  async attribute(endpoint: number, cluster: string, name: string): Promise<unknown> {
    return (await this.#ask({ order: "attribute", endpoint, cluster, name })).answer;
  }

  /** Gives the milliseconds that it took. @throws RefusedByMatter */
  async invoke(endpoint: number, cluster: string, name: string, value?: object): Promise<number> {
    return (await this.#ask({ order: "invoke", endpoint, cluster, name, value })).ms;
  }

  /** @throws RefusedByMatter */
  async write(endpoint: number, cluster: string, name: string, value: unknown): Promise<void> {
    await this.#ask({ order: "write", endpoint, cluster, name, value });
  }

  /** Lets another controller in; gives the code for it. */
  async share(): Promise<string> {
    return (await this.#ask<string>({ order: "share" })).answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ask<T = unknown>(order: object): Promise<{ readonly answer: T; readonly ms: number }> {
    const number = ++this.#number;
    const answered = this.#answer<T>(number);
    this.program.tell(JSON.stringify({ number, ...order }));
    return await answered;
  }

  async #answer<T>(number: number): Promise<{ readonly answer: T; readonly ms: number }> {
    const message = await this.program.line((line) => {
      const parsed = JSON.parse(line);
      return parsed.number === number ? parsed : undefined;
    });
    if (message.failure === undefined) return message;
    throw new RefusedByMatter(message.failure, message.status);
  }
}
