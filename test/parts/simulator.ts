/** The firmware simulator as a real process, with the control lines by which a test plays with its devices. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Program, ROOT } from "./program.ts";

/** The example home: a colour light of its own, and a bridge with six devices. */
export const LAMP = "02-50-4C-51-00-01";
export const HALL_SWITCH = "02-50-4C-52-00-01";
export const THERMOSTAT = "02-50-4C-52-00-02";
export const BUTTON = "02-50-4C-52-00-04";

export interface AppliedWrite {
  readonly address: { readonly service: string; readonly index: string; readonly property: string };
  readonly value: unknown;
}

export class SimulatorProgram implements AsyncDisposable {
  readonly program: Program;
  /** Serial ports under names that stay. */
  readonly lines: readonly string[];
  /** edgeIds of all devices on serial lines. */
  readonly devices: readonly string[];
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(program: Program, lines: readonly string[], devices: readonly string[]) {
    this.program = program;
    this.lines = lines;
    this.devices = devices;
  }

  /** The example home, on serial ports in that folder. @param network YAML of nodes of the network besides, each with a name */
  static async start(folder: string, network?: string): Promise<SimulatorProgram> {
    mkdirSync(folder, { recursive: true });
    const files = [join(ROOT, "firmware-sim/examples/home.yaml")];
    if (network !== undefined) {
      files.push(join(folder, "network.yaml"));
      writeFileSync(join(folder, "network.yaml"), network);
    }
    const names = ["light", "bridge"];
    const links = names.flatMap((name) => ["--link", `${name}=${join(folder, name)}`]);
    const args = ["run", ...files, "--json", "--control", ...links];
    const program = new Program("simulator", "firmware-sim/src/main.ts", args);
    const expected = [...names, ...(network?.matchAll(/name: (\S+)$/gm) ?? [])].length;
    const nodes: { name: string; path: string; devices: string[] }[] = [];
    await program.line((line) => (nodes.push(JSON.parse(line)) === expected ? nodes : undefined));
    const serial = nodes.filter(({ name }) => names.includes(name));
    return new SimulatorProgram(
      program,
      serial.map(({ path }) => path),
      serial.flatMap(({ devices }) => devices),
    );
  }

  /** One control line and its answer. @throws Error when it is refused */
  tell(line: string): Promise<Record<string, unknown>> {
    const answer = this.#turn.then(async () => {
      const next = this.program.next((text) => JSON.parse(text) as Record<string, unknown>);
      this.program.tell(line);
      const reply = await next;
      if (reply.ok !== true) throw new Error(`${line}: ${JSON.stringify(reply)}`);
      return reply;
    });
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  /** The property's value by the device itself. */
  async value(edgeId: string, property: string): Promise<unknown> {
    return (await this.tell(`get ${edgeId} ${property}`)).value;
  }

  /** Every write that the device has applied, oldest first. */
  async writes(edgeId: string): Promise<AppliedWrite[]> {
    return (await this.tell(`writes ${edgeId}`)).writes as AppliedWrite[];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.program[Symbol.asyncDispose]();
  }
}
