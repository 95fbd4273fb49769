/** A serial line: a port on the hub's side, the device's socket on the other. It stands however often the device behind it dies. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { ROOT } from "../../../parts/program.ts";
import { DeviceLine, type DeviceLineOptions, type Ways } from "./device-line.ts";

/** How soon a device that is not there is looked for again, ms. */
const AGAIN_MS = 50;
/** Bytes that may wait for a device that does not read; what comes after is lost, as on a wire. */
const BACKLOG = 16 * 1024;

export class SerialLine extends DeviceLine {
  readonly #path: string;
  readonly #ways: Ways;
  #port: ChildProcessWithoutNullStreams | undefined;
  #device: Socket | undefined;
  #isOpen = true;
  #again: NodeJS.Timeout | undefined;

  private constructor(options: DeviceLineOptions, path: string) {
    super(options);
    this.#path = path;
    this.#ways = this.ways(
      (bytes) => {
        if (this.#device?.writable && this.#device.writableLength < BACKLOG) this.#device.write(bytes);
      },
      (bytes) => void this.#port?.stdin.write(bytes),
    );
    this.plug();
    this.#reach();
  }

  /** @param path where the hub finds the port, a moment later */
  static open(options: DeviceLineOptions, path: string): SerialLine {
    return new SerialLine(options, path);
  }

  override unplug(): void {
    this.#port?.kill("SIGKILL");
    this.#port = undefined;
    rmSync(this.#path, { force: true });
  }

  override plug(): void {
    if (this.#port) return;
    const port = spawn(process.execPath, [join(ROOT, "test/faults/home/line/port-program.ts"), this.#path]);
    // Bytes for a port that has just been pulled are lost, as on a wire.
    port.stdin.on("error", () => undefined);
    port.stderr.resume();
    port.stdout.on("data", (bytes) => {
      if (this.#port === port) this.#ways.device.push(bytes);
    });
    this.#port = port;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#again);
    this.end(this.#ways);
    this.#device?.destroy();
    this.unplug();
  }

  #reach(): void {
    const device = connect({ path: this.options.socket });
    device.on("error", () => undefined);
    device.on("data", (bytes) => this.#ways.hub.push(bytes));
    device.on("close", () => {
      if (this.#isOpen) this.#again = setTimeout(() => this.#reach(), AGAIN_MS);
    });
    this.#device = device;
  }
}
