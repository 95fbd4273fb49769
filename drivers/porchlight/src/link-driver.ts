/** The driver of any line with the device protocol: opens it whenever it is down, and passes commands to its session. */
import {
  type Attempt,
  asShared,
  type Driver,
  type DriverHost,
  type DriverResult,
  notApplied,
} from "@porchlight/driver-kit";
import { type Clock, type Log, type Random, randomInteger, sleep } from "@porchlight/shared/kernel";
import type { ByteLink, HelloInfo } from "@porchlight/shared/wire";
import { readProperty, writeProperty } from "./device/device-commands.ts";
import type { DeviceLife } from "./device/device-life.ts";
import { tryTimeout } from "./exchange/exchange-state.ts";
import { Seqs } from "./exchange/seqs.ts";
import type { FrameLog } from "./line/frame-log.ts";
import { type LineCounters, newLineCounters } from "./line/line-counters.ts";
import { Session } from "./session.ts";

export interface LinkDriverDeps {
  /** The name in logs and `status`, and the path to the devices, for people: `serial /dev/ttyUSB0`. */
  readonly name: string;
  /** Opens the line; called again, after a short while, whenever the line is down or could not be opened. */
  readonly connect: (signal: AbortSignal) => Promise<ByteLink>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** With `shareHost`, a device that another driver releases is taken at once; otherwise within 5 s. */
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  /** For a serial line, bits a second: the transmission time of its frames counts. */
  readonly baudRate?: number | undefined;
  /** Whether the node may be on this line; absent: every node may. A node that may not gets ERROR 12. */
  readonly admits?: ((nodeId: string) => boolean) | undefined;
  /** Delay between two tries to open the line, ms. */
  readonly retryMs?: number | undefined;
  /** Waits between two tries, in place of `retryMs`. `lastedMs`: how long the line was open, 0 when never. */
  readonly pause?: ((lastedMs: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Called when a node has sent HELLO, with its devices; before the HELLO is processed. */
  readonly onHello?: ((node: HelloInfo) => void) | undefined;
  /** Keeps the frames of the line; absent: none are kept. */
  readonly frames?: FrameLog | undefined;
}

/** The part of `status` for a line. */
interface LineStatus {
  readonly line: string;
  /** `closed`: the line itself is not open; the other values are phases of its session. */
  readonly phase: "closed" | Session["phase"];
  /** edgeIds of its live devices. */
  readonly devices: readonly string[];
  readonly counters: Readonly<LineCounters>;
}

/** A driver with the counters of its line. */
export interface LineDriver extends Driver {
  problem(): string | undefined;
  status(): LineStatus;
}

const NOT_HERE = notApplied("The device is not connected.");

/** Starts a driver of the device protocol on a line. Disposing of it closes the line. */
export function linkDriver(deps: LinkDriverDeps): LineDriver {
  const { name, clock, log, random, hubEdgeId } = deps;
  const counters = newLineCounters();
  const commands = { clock, counters };
  let session: Session | undefined;
  const sessionDeps = {
    clock,
    log,
    hubEdgeId,
    counters,
    host: asShared(deps.host),
    transport: name,
    timeoutMs: tryTimeout(deps.baudRate),
    admits: (node: HelloInfo) => {
      deps.onHello?.(node);
      return deps.admits?.(node.id) ?? true;
    },
    seqs: new Seqs(randomInteger(random, 0x10000)),
    tap: deps.frames?.tap(),
  };

  const serve = (link: ByteLink, signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      const opened = new Session(link, sessionDeps, (reason) => {
        signal.removeEventListener("abort", stop);
        session = undefined;
        resolve(reason);
      });
      const stop = () => opened.close("the driver stops");
      signal.addEventListener("abort", stop, { once: true });
      session = opened;
      opened.open();
    });

  const ending = new AbortController();
  const { retryMs = RETRY_MS } = deps;
  const wait = (signal: AbortSignal) => sleep(clock, "line to be opened again", retryMs, signal);
  const pause = deps.pause ?? ((_lasted: number, signal: AbortSignal) => wait(signal));
  const ended = keepPlugged({ name, connect: deps.connect, serve, clock, log, pause }, ending.signal);
  const find = (device: string): DeviceLife | undefined => session?.device(device);

  return {
    name,
    has: (edgeId) => find(edgeId) !== undefined,
    read: async (device, address, attempt: Attempt): Promise<DriverResult> => {
      const life = find(device);
      return life ? readProperty(life, address, attempt, commands) : NOT_HERE;
    },
    write: async (device, address, value, attempt: Attempt): Promise<DriverResult> => {
      const life = find(device);
      return life ? writeProperty(life, address, value, attempt, commands) : NOT_HERE;
    },
    problem: () => (session ? undefined : "The line does not exist, or cannot be opened."),
    status: () => ({
      line: name,
      phase: session?.phase ?? "closed",
      devices: session?.live() ?? [],
      counters: { ...counters },
    }),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await ended;
    },
  };
}

interface HotPlugDeps {
  /** The name of the line, for logs. */
  readonly name: string;
  readonly connect: (signal: AbortSignal) => Promise<ByteLink>;
  /** Owns an opened line until it is down; resolves with the reason. Closes it when `signal` is aborted. */
  readonly serve: (link: ByteLink, signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
  /** Waits before the next try, after a line is gone or could not be opened. `lastedMs`: how long it was open, 0 when never. */
  readonly pause: (lastedMs: number, signal: AbortSignal) => Promise<void>;
}

/** Interval between checks for a missing port, ms. */
const RETRY_MS = 250;

/** Keeps a line open until `signal` is aborted; settles then. Never rejects. */
export async function keepPlugged(deps: HotPlugDeps, signal: AbortSignal): Promise<void> {
  const { name, clock, log, pause } = deps;
  let stated: string | undefined;
  while (!signal.aborted) {
    const opened = await open(deps, signal);
    const openedAt = clock.monotonic();
    let lastedMs = 0;
    if (opened.kind === "open") {
      stated = undefined;
      log.info({ line: name }, "the line is open");
      const reason = await serve(deps, opened.link, signal);
      lastedMs = clock.monotonic() - openedAt;
      if (!signal.aborted) log.warn({ line: name, reason }, "the line was removed");
    } else if (stated !== opened.reason && !signal.aborted) {
      stated = opened.reason;
      log.warn({ line: name, reason: opened.reason }, "the line cannot be opened; the hub tries again until it can");
    }
    if (!signal.aborted) await pause(lastedMs, signal).catch(() => undefined);
  }
}

/** An error of a line ends only that line. */
async function serve(deps: HotPlugDeps, link: ByteLink, signal: AbortSignal): Promise<string> {
  try {
    return await deps.serve(link, signal);
  } catch (error) {
    deps.log.error({ line: deps.name, error }, "a line has failed");
    link.close();
    return "an internal fault";
  }
}

type Opened = { readonly kind: "open"; readonly link: ByteLink } | { readonly kind: "absent"; readonly reason: string };

async function open({ connect }: HotPlugDeps, signal: AbortSignal): Promise<Opened> {
  try {
    const link = await connect(signal);
    if (!signal.aborted) return { kind: "open", link };
    link.close();
    return { kind: "absent", reason: "stopped" };
  } catch (error) {
    return { kind: "absent", reason: error instanceof Error ? error.message : String(error) };
  }
}
