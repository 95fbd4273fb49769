/**
 * The driver of a serial port: a real port that can disappear and return, raw 8N1, below the driver of the device protocol. The port is
 * never operated in a way that resets the board.
 */
import { execFile } from "node:child_process";
import { realpath, stat } from "node:fs/promises";
import { promisify } from "node:util";
import type { DriverHost } from "@porchlight/driver-kit";
import { type Clock, every, type Log, type Random } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { SerialPort } from "serialport";
import type { FrameLog } from "./line/frame-log.ts";
import { type LineDriver, linkDriver } from "./link-driver.ts";

interface SerialDriverDeps {
  /** Path of the port; a symbolic link is resolved at each opening. */
  readonly path: string;
  /** Bits a second; 115200 by default. */
  readonly baudRate?: number | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** With `shareHost`, a device that another driver releases is taken at once; otherwise within 5 s. */
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  /** Opens the port; by default a real one. */
  readonly openPort?: ((settings: SerialPortSettings) => Promise<ByteLink>) | undefined;
  /** Delay between two tries to open the port, ms. */
  readonly retryMs?: number | undefined;
  /** Keeps the frames; absent: none are kept. */
  readonly frames?: FrameLog | undefined;
}

const DEFAULT_BAUD_RATE = 115_200;

/** Starts the driver of a port that can be unplugged and plugged in again. DP1, "Serial". */
export function serialDriver(deps: SerialDriverDeps): LineDriver {
  const { path, clock, random, log, host, hubEdgeId, retryMs, frames, baudRate = DEFAULT_BAUD_RATE } = deps;
  const openPort = deps.openPort ?? openSerialPort;
  return linkDriver({
    name: `serial ${path}`,
    connect: () => openPort({ path, baudRate, clock, log }),
    clock,
    random,
    log,
    host,
    hubEdgeId,
    baudRate,
    retryMs,
    frames,
  });
}

export interface SerialPortSettings {
  readonly path: string;
  /** Bits a second. */
  readonly baudRate: number;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The identity of the port, to distinguish it from the next one with its name; rejects when there is none. Absent: read from the file
   * system.
   */
  readonly identityOf?: ((device: string) => Promise<string>) | undefined;
}

/** Interval between checks that an open port still exists in the file system, ms. */
const LOOK_MS = 1000;

const run = promisify(execFile);

/**
 * Opens a port, or a pseudo-terminal; a symbolic link is resolved now.
 * @throws Error that states why it cannot be opened
 */
export async function openSerialPort(settings: SerialPortSettings): Promise<ByteLink> {
  const { path, baudRate, clock, log, identityOf = fileIdentity } = settings;
  const device = await realpath(path);
  // No modem line is set: DTR stays as it was, and a pseudo-terminal, which has none, works like a port.
  const port = new SerialPort({ path: device, baudRate, hupcl: false, lock: true, autoOpen: false });
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  const link = new SerialLink(port);
  try {
    await keepDtrAtClose(device);
  } catch (error) {
    log.warn(
      { path, error: String(error) },
      "closing this port may reset the board behind it (HUPCL could not be cleared)",
    );
  }
  await link.watch(clock, () => identityOf(device));
  return link;
}

/** `hupcl: false` only avoids setting HUPCL, which Linux sets on every real port; a port keeps the cleared flag. */
async function keepDtrAtClose(device: string): Promise<void> {
  await run("stty", [process.platform === "linux" ? "-F" : "-f", device, "-hupcl"]);
}

async function fileIdentity(device: string): Promise<string> {
  const { rdev, ino } = await stat(device);
  return `${rdev}/${ino}`;
}

class SerialLink implements ByteLink {
  readonly #port: SerialPort;
  readonly #writes = new Set<(reason: Error) => void>();
  #onClosed: ((reason: string) => void) | undefined;
  /** Why the line is down. */
  #down: string | undefined;
  #stopWatching: (() => void) | undefined;

  constructor(port: SerialPort) {
    this.#port = port;
    port.on("close", (error: Error | null) => this.#goDown(error ? `the port is gone: ${error.message}` : "closed"));
    port.on("error", (error) => this.#fail(error.message));
  }

  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void {
    this.#onClosed = onClosed;
    if (this.#down === undefined) this.#port.on("data", onBytes);
    else onClosed(this.#down);
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#down !== undefined) return reject(new Error(this.#down));
      this.#writes.add(reject);
      const settle = (error: Error | null | undefined) => {
        if (!this.#writes.delete(reject)) return;
        if (!error) return resolve();
        reject(error);
        this.#fail(error.message);
      };
      // serialport never settles a drain that finds the port closed: #goDown rejects such a write.
      this.#port.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (error) => {
        if (error) settle(error);
        else this.#port.drain(settle);
      });
    });
  }

  close(): void {
    this.#fail("closed");
  }

  /** A read of a vanished port can end empty again and again instead of failing: the missing name shows that the port is gone. */
  async watch(clock: Clock, identity: () => Promise<string>): Promise<void> {
    const opened = await identity();
    const look = async () => {
      const now = await identity().catch(() => undefined);
      if (now !== opened) this.#fail("the port is gone");
    };
    if (this.#down !== undefined) return;
    const timer = every(clock, "look for a serial port", LOOK_MS, () => void look());
    this.#stopWatching = () => timer.cancel();
  }

  #fail(reason: string): void {
    if (this.#port.isOpen) this.#port.close(() => undefined);
    this.#goDown(reason);
  }

  #goDown(reason: string): void {
    if (this.#down !== undefined) return;
    this.#down = reason;
    this.#stopWatching?.();
    const writes = [...this.#writes];
    this.#writes.clear();
    for (const reject of writes) reject(new Error(reason));
    this.#onClosed?.(reason);
  }
}
