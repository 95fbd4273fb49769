/** The process of zigbee2mqtt: started with the simulated radio before its own code, listened to, killed, and never left behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "../program.ts";
import type { FromRadio } from "./channel.ts";
import type { Radio } from "./radio.ts";

const ADAPTER = join(ROOT, "test/parts/zigbee2mqtt/adapter.ts");
const MOST_LINES = 400;

export class BridgeProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  /** Whether it was asked to end. */
  #isAsked = false;
  readonly #lines: string[] = [];
  readonly #readers = new Set<(line: string) => void>();

  /**
   * @param program main file of zigbee2mqtt
   * @param folder its data, and where it runs: outside of the repository, whose commit it would take for its own
   * @param radio is connected to it while it runs
   */
  constructor(program: string, folder: string, radio: Radio) {
    const child = spawn(process.execPath, ["--import", ADAPTER, program], {
      cwd: folder,
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ZIGBEE2MQTT_DATA: folder },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced",
    });
    this.#child = child;
    child.on("message", (message: FromRadio) => radio.take(message));
    // A process that ends has closed the channel a moment before it is known to have ended.
    radio.connect((message) => void (child.connected && child.send(message, () => {})));
    for (const input of [child.stdout, child.stderr])
      if (input) createInterface({ input }).on("line", (line) => this.#hear(line));
    this.#ended = new Promise((resolve) =>
      child.once("close", () => {
        radio.disconnect(this.#isAsked ? undefined : new Error(`zigbee2mqtt ended:\n${this.log}`));
        resolve();
      }),
    );
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its last output: for the message of a failing test. */
  get log(): string {
    return this.#lines.join("\n");
  }

  /** The first line to come that is it. @throws Error when the process ends before */
  async line(isIt: (line: string) => boolean): Promise<void> {
    const found = Promise.withResolvers<"found">();
    const read = (line: string) => {
      if (isIt(line)) found.resolve("found");
    };
    this.#readers.add(read);
    const how = await Promise.race([found.promise, this.#ended]);
    this.#readers.delete(read);
    if (how !== "found") throw new Error(`zigbee2mqtt ended:\n${this.log}`);
  }

  /** Sends it a signal that ends it, and waits until it is gone. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#isAsked = true;
    this.#child.kill(signal);
    await this.#ended;
  }

  #hear(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > MOST_LINES) this.#lines.shift();
    for (const reader of [...this.#readers]) reader(line);
  }
}
