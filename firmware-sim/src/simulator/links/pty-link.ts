/** A real pseudo-terminal as the device's end of a serial line: the hub opens its path like any other serial port. */
import { constants, lstatSync, openSync, readlinkSync, renameSync, rmSync, symlinkSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { ReadStream } from "node:tty";
import * as nodePty from "@lydell/node-pty";
import { type Clock, systemClock, type Timer } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";

/** A plugged-in port. `close` unplugs it; opening another one under the same name plugs it in again. */
export interface PtyPort {
  /** Path for the hub: the stable name when there is one. */
  readonly path: string;
  readonly link: ByteLink;
  close(): void;
}

/**
 * Opens a port.
 * @param name path of a symbolic link to the port, which exists while the port is plugged in
 * @throws Error when no terminal is available, or when `name` exists and is no symbolic link
 */
export function openPty(name?: string): PtyPort {
  const { master, fd, slave, ptsName } = openedTerminal();
  // A slave of our own that is never read keeps the line open while no hub is connected; node-pty's would take the hub's bytes.
  const keeper = new ReadStream(openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY));
  keeper.setRawMode(true);
  slave.destroy();
  const link = new PtyLink(master, fd, keeper);
  if (name !== undefined) {
    try {
      pointTo(name, ptsName);
    } catch (failure) {
      link.close();
      throw failure;
    }
  }
  return {
    path: name ?? ptsName,
    link,
    close: () => {
      if (name !== undefined && pointsTo(name, ptsName)) rmSync(name, { force: true });
      link.close();
    },
  };
}

class PtyLink implements ByteLink {
  readonly #master: Socket;
  readonly #writer: PtyWriter;
  readonly #keeper: ReadStream;

  constructor(master: Socket, fd: number, keeper: ReadStream) {
    this.#master = master;
    this.#writer = new PtyWriter(fd);
    this.#keeper = keeper;
    // node-pty throws on an error of a terminal that has fewer than two listeners; "close" follows in any case.
    master.on("error", () => undefined);
    master.on("error", () => undefined);
    master.once("close", () => {
      this.#writer.end();
      keeper.destroy();
    });
  }

  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void {
    this.#master.on("data", onBytes);
    this.#master.once("close", () => onClosed("unplugged"));
    if (this.#master.destroyed) queueMicrotask(() => onClosed("unplugged"));
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#master.destroyed) return Promise.reject(new Error("unplugged"));
    return this.#writer.write(bytes);
  }

  close(): void {
    // End it before the descriptor is closed, because its number may then belong to another file.
    this.#writer.end();
    this.#master.destroy();
    this.#keeper.destroy();
  }
}

interface OpenedTerminal {
  readonly master: Socket;
  /** File descriptor of the master; it does not block. */
  readonly fd: number;
  readonly slave: Socket;
  readonly ptsName: string;
}

/** `open`, which node-pty's types lack. Never call its `destroy`: it would signal process -1. */
function openedTerminal(): OpenedTerminal {
  const open: unknown = Reflect.get(nodePty, "open");
  const terminal: unknown = typeof open === "function" ? open({ encoding: null }) : undefined;
  if (!isOpened(terminal)) throw new Error("node-pty gave no terminal");
  const { master, slave, ptsName, _fd: fd } = terminal;
  return { master, slave, ptsName, fd };
}

/** The terminal as node-pty returns it. */
type NodePtyTerminal = Omit<OpenedTerminal, "fd"> & { readonly _fd: number };

function isOpened(terminal: unknown): terminal is NodePtyTerminal {
  return (
    typeof terminal === "object" &&
    terminal !== null &&
    "master" in terminal &&
    "slave" in terminal &&
    "ptsName" in terminal &&
    "_fd" in terminal &&
    typeof terminal._fd === "number"
  );
}

/** Whether the link still points to this port: another port may have been plugged in under the same name. */
function pointsTo(name: string, target: string): boolean {
  return lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(name) === target;
}

/** Atomically makes `name` a link to `target`, replacing an existing link. */
function pointTo(name: string, target: string): void {
  const there = lstatSync(name, { throwIfNoEntry: false });
  if (there && !there.isSymbolicLink()) throw new Error(`${name} exists and is no symbolic link`);
  const fresh = `${name}.${process.pid}`;
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  renameSync(fresh, name);
}

/** Bytes that may wait for a hub that does not read; further ones are lost, as on a wire. */
const BACKLOG = 16 * 1024;
/** Interval at which to retry a full buffer, ms. */
const RETRY_MS = 20;

interface Waiting {
  bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * Writes to the master of a pseudo-terminal. Node.js's own stream writes in a loop until everything is written: once the kernel's
 * buffer is full and no hub reads, the whole process would hang.
 */
export class PtyWriter {
  readonly #fd: number;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #retry: Timer | undefined;
  #isOver = false;

  /** @param fd of the master; it must not block */
  constructor(fd: number, clock: Clock = systemClock) {
    this.#fd = fd;
    this.#clock = clock;
  }

  /** Resolves when the bytes are written, or lost because too many wait. Rejects when the line is closed. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#isOver) return Promise.reject(new Error("unplugged"));
    if (this.#waiting.reduce((sum, { bytes: { length } }) => sum + length, 0) > BACKLOG) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      if (!this.#retry) this.#flush();
    });
  }

  /** Stops writing. Safe to repeat. */
  end(): void {
    this.#isOver = true;
    this.#retry?.cancel();
    for (const { reject } of this.#waiting.splice(0)) reject(new Error("unplugged"));
  }

  #flush(): void {
    this.#retry = undefined;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const written = this.#put(next);
      if (written === undefined) return;
      next.bytes = next.bytes.subarray(written);
      if (next.bytes.length > 0) continue;
      this.#waiting.shift();
      next.resolve();
    }
  }

  /** Number of bytes that the kernel accepted; undefined when it accepts none now, or never. */
  #put({ bytes, reject }: Waiting): number | undefined {
    try {
      return writeSync(this.#fd, bytes);
    } catch (failure) {
      if (isFull(failure))
        this.#retry = this.#clock.timer("a terminal that nobody reads", RETRY_MS, () => this.#flush());
      else {
        this.#waiting.shift();
        reject(failure);
        this.#flush();
      }
      return undefined;
    }
  }
}

function isFull(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && failure.code === "EAGAIN";
}
