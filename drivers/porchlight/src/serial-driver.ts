/** The driver of a serial port: a real port that can disappear and return, below the driver of the device protocol. */
import type { DriverHost } from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import type { FrameLog } from "./line/frame-log.ts";
import { type LineDriver, linkDriver } from "./link-driver.ts";
import { openSerialPort, type SerialPortSettings } from "./serial-link.ts";

export interface SerialDriverDeps {
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
