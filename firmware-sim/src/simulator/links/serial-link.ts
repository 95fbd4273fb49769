/** A serial port that a board is on, as the hub's end of its line: opened raw, and without resetting the board. */
import { execFile } from "node:child_process";
import { realpath, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { type Clock, every, systemClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { SerialPort } from "serialport";
import { serialProblem } from "./socket-link.ts";

export interface SerialPlace {
  readonly path: string;
  /** Bits a second. */
  readonly baudRate: number;
}

/** What a serial line runs at unless it is told otherwise (L1). */
const BAUD = 115_200;

/** How often an open port is looked for in the file system, ms. */
const LOOK_MS = 1000;

const run = promisify(execFile);

/** `PATH[@BAUD]` as the hub's own `--serial` takes it; undefined when it is none. */
export function parseSerialPlace(text: string): SerialPlace | undefined {
  const [, path = "", baud] = /^(.+?)(?:@(\d+))?$/.exec(text) ?? [];
  const baudRate = baud === undefined ? BAUD : Number(baud);
  return path === "" || !(baudRate > 0) ? undefined : { path, baudRate };
}

/**
 * Opens a port, or a pseudo-terminal; a symbolic link is followed now.
 * @throws OpenProblem
 */
export async function openSerial({ path, baudRate }: SerialPlace, clock: Clock = systemClock): Promise<ByteLink> {
  try {
    return await opened(await realpath(path), baudRate, clock);
  } catch (failure) {
    throw serialProblem(path, failure);
  }
}

async function opened(device: string, baudRate: number, clock: Clock): Promise<ByteLink> {
  const port = new SerialPort({ path: device, baudRate, hupcl: false, lock: true, autoOpen: false });
  await new Promise<void>((resolve, reject) => port.open((failure) => (failure ? reject(failure) : resolve())));
  // HUPCL, which Linux sets on every real port, would drop DTR at the end and reset the board. A port without it is as good.
  await run("stty", [process.platform === "linux" ? "-F" : "-f", device, "-hupcl"]).catch(() => undefined);
  const opened = await identityOf(device);
  const isThere = async () => opened === (await identityOf(device).catch(() => undefined));
  return serialLink(port, isThere, clock);
}

/** Tells one port from the next that may get its name. */
async function identityOf(device: string): Promise<string> {
  const { rdev, ino } = await stat(device);
  return `${rdev}/${ino}`;
}

function serialLink(port: SerialPort, isThere: () => Promise<boolean>, clock: Clock): ByteLink {
  let down: string | undefined;
  let told: ((reason: string) => void) | undefined;
  const goDown = (reason: string) => {
    if (down !== undefined) return;
    down = reason;
    looking.cancel();
    if (port.isOpen) port.close(() => undefined);
    told?.(reason);
  };
  // A read of a vanished port can end with nothing for ever instead of failing: its name says that it is gone.
  const look = async () => {
    if (!(await isThere())) goDown("the port is gone");
  };
  const looking = every(clock, "look for a serial port", LOOK_MS, () => void look());
  port.on("close", (failure: Error | null) => goDown(failure ? `the port is gone: ${failure.message}` : "closed"));
  port.on("error", (failure) => goDown(failure.message));
  return {
    listen: (onBytes, onClosed) => {
      told = onClosed;
      port.on("data", onBytes);
      const reason = down;
      if (reason !== undefined) queueMicrotask(() => onClosed(reason));
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (down !== undefined) return reject(new Error(down));
        port.write(Buffer.from(bytes), (failure) => (failure ? reject(failure) : resolve()));
      }),
    close: () => goDown("closed"),
  };
}
