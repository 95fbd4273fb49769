/** The serial port of a board, as the hub's end of its line: opened in raw mode, and without resetting the board. */
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

/** Default speed of a serial line (L1). */
const BAUD = 115_200;

/** Interval at which to check that an open port still exists in the file system, ms. */
const LOOK_MS = 1000;

const run = promisify(execFile);

/** `PATH[@BAUD]`, in the form of the hub's own `--serial`; undefined when it is malformed. */
export function parseSerialPlace(text: string): SerialPlace | undefined {
  const [, path = "", baud] = /^(.+?)(?:@(\d+))?$/.exec(text) ?? [];
  const baudRate = baud === undefined ? BAUD : Number(baud);
  return path === "" || !(baudRate > 0) ? undefined : { path, baudRate };
}

/**
 * Opens a port or a pseudo-terminal; resolves a symbolic link once, now.
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
  // HUPCL, which Linux sets on every real port, would drop DTR on close and reset the board. A failure is harmless: a port that does not
  // support it does not need it.
  await run("stty", [process.platform === "linux" ? "-F" : "-f", device, "-hupcl"]).catch(() => undefined);
  const opened = await identityOf(device);
  const isThere = async () => opened === (await identityOf(device).catch(() => undefined));
  return serialLink(port, isThere, clock);
}

/** Distinguishes a port from a later one of the same name. */
async function identityOf(device: string): Promise<string> {
  const { rdev, ino } = await stat(device);
  return `${rdev}/${ino}`;
}

function serialLink(port: SerialPort, isThere: () => Promise<boolean>, clock: Clock): ByteLink {
  let down: string | undefined;
  let reported: ((reason: string) => void) | undefined;
  const goDown = (reason: string) => {
    if (down !== undefined) return;
    down = reason;
    looking.cancel();
    if (port.isOpen) port.close(() => undefined);
    reported?.(reason);
  };
  // Reads of a vanished port can return nothing for ever instead of failing, so check that the name still exists.
  const look = async () => {
    if (!(await isThere())) goDown("the port is gone");
  };
  const looking = every(clock, "look for a serial port", LOOK_MS, () => void look());
  port.on("close", (failure: Error | null) => goDown(failure ? `the port is gone: ${failure.message}` : "closed"));
  port.on("error", (failure) => goDown(failure.message));
  return {
    listen: (onBytes, onClosed) => {
      reported = onClosed;
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
