/** A real pseudo-terminal for tests: its path is opened like any serial port, its other end is the test's. */
import { constants, openSync } from "node:fs";
import type { Socket } from "node:net";
import { ReadStream } from "node:tty";
import * as nodePty from "@lydell/node-pty";
import type { ByteLink } from "@porchlight/shared/wire";

export interface Pty {
  /** What the hub opens. */
  readonly path: string;
  /** The device's end. */
  readonly link: ByteLink;
  unplug(): void;
}

interface Terminal {
  readonly master: Socket;
  readonly slave: Socket;
  readonly ptsName: string;
}

export function openPty(): Pty {
  const { master, slave, ptsName } = openTerminal();
  // The line stays open while no program has opened the port; node-pty's own end would steal the hub's bytes.
  const keeper = new ReadStream(openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY));
  slave.destroy();
  // node-pty throws when a terminal with fewer than two listeners of its own fails.
  master.on("error", () => undefined);
  master.on("error", () => undefined);
  const unplug = () => {
    master.destroy();
    keeper.destroy();
  };
  return {
    path: ptsName,
    unplug,
    link: {
      listen: (onBytes, onClosed) => {
        master.on("data", onBytes);
        master.once("close", () => onClosed("unplugged"));
      },
      write: (bytes) =>
        new Promise((resolve, reject) => master.write(bytes, (error) => (error ? reject(error) : resolve()))),
      close: unplug,
    },
  };
}

/** node-pty's `open` is missing from its types. */
function openTerminal(): Terminal {
  const open: unknown = Reflect.get(nodePty, "open");
  const terminal: unknown = typeof open === "function" ? open({ encoding: null }) : undefined;
  if (!isTerminal(terminal)) throw new Error("node-pty gave no terminal");
  return terminal;
}

function isTerminal(terminal: unknown): terminal is Terminal {
  return (
    typeof terminal === "object" &&
    terminal !== null &&
    "master" in terminal &&
    "slave" in terminal &&
    "ptsName" in terminal
  );
}
