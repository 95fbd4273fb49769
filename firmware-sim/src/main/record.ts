/** `porchlight-sim record`: sits between a real board and a hub, and records their traffic. */
import { systemClock } from "@porchlight/shared/kernel";
import { Command, Option } from "commander";
import type { Sender } from "../lab/capture/capture.ts";
import { CaptureFile } from "../lab/capture/capture-file.ts";
import { Decoder, frameJson, frameLine } from "../lab/capture/decode.ts";
import { type Parted, passThrough } from "../lab/capture/pass-through.ts";
import { openNetworkPort } from "../simulator/links/network-port.ts";
import { openPty } from "../simulator/links/pty-link.ts";
import { noteLine, printLine, UsageError } from "./command-line.ts";
import { keyOf, type Place, type PlaceOptions, placeOfOption } from "./replay.ts";

interface RecordOptions extends PlaceOptions {
  readonly out: string;
  readonly link?: string;
  readonly listen?: string;
  readonly interface: string;
  readonly show?: boolean;
  readonly json?: boolean;
}

/** Exit status when the board has gone. */
const GONE = 1;

type OnPassed = (from: Sender, bytes: Uint8Array) => void;

/** The `record` command. */
export function recordCommand(): Command {
  return new Command("record")
    .description("Record the traffic between a board and a hub into a capture, until SIGTERM or SIGINT.")
    .addOption(
      new Option("--serial <path[@baud]>", "port of the board; the hub gets a pseudo-terminal, whose path is printed"),
    )
    .addOption(new Option("--tcp <host:port>", "the board on the network; the hub connects to --listen"))
    .addOption(new Option("--psk <hex>", "the key that the board shares with its hub: TLS").env("PORCHLIGHT_PSK"))
    .addOption(new Option("--id <edgeid>", "the board's edgeId, which names the key"))
    .addOption(new Option("--listen <port>", "TCP port for the hub; 0 is any free one").env("PORCHLIGHT_LISTEN"))
    .addOption(
      new Option("--interface <address>", "IPv4 address on which --listen is")
        .env("PORCHLIGHT_INTERFACE")
        .default("127.0.0.1"),
    )
    .addOption(new Option("--link <path>", "stable path of the pseudo-terminal").env("PORCHLIGHT_LINK"))
    .requiredOption("--out <file>", "the capture; pcapng, for Wireshark, if its name ends with .pcapng")
    .option("--show", "print each frame in words")
    .addOption(new Option("--json", "print one JSON object per line").env("PORCHLIGHT_JSON"))
    .action(record);
}

async function record(options: RecordOptions): Promise<void> {
  const place = placeOfOption(options);
  if (!place) throw new UsageError("say where the board is: --serial PATH or --tcp HOST:PORT");
  if (options.tcp !== undefined && options.listen === undefined)
    throw new UsageError("--tcp: say with --listen where the hub is to connect");
  // Connect the board first: without it there is nothing to capture.
  using stack = new DisposableStack();
  const file = (): CaptureFile => stack.use(CaptureFile.open(options.out, `the board at ${place.name}`, systemClock));
  const parted =
    options.tcp === undefined ? await onSerial(place, options, file) : await onNetwork(place, options, file);
  if (!parted) return;
  noteLine(`${parted.side === "node" ? "the board" : "the hub"} is gone: ${parted.reason}`);
  process.exitCode = GONE;
}

/** Runs until interrupted (undefined), or until the board has gone. */
async function onSerial(place: Place, options: RecordOptions, file: () => CaptureFile): Promise<Parted | undefined> {
  const board = await place.open();
  const port = openPty(options.link);
  const onPassed = recorder(file(), options);
  ready({ path: port.path }, options);
  try {
    return await Promise.race([passThrough({ hub: port.link, board, onPassed }), askedToStop()]);
  } finally {
    port.close();
    board.close();
  }
}

/** Opens a separate connection to the board for each connection of the hub, as if there were no recorder. */
async function onNetwork(place: Place, options: RecordOptions, file: () => CaptureFile): Promise<undefined> {
  const port = Number(options.listen);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--listen ${options.listen}: it is no port`);
  const onPassed = recorder(file(), options);
  const server = await openNetworkPort({ address: options.interface, port, psk: keyOf(options) }, (hub) => {
    place.open().then(
      (board) => passThrough({ hub, board, onPassed }),
      (failure) => {
        noteLine(`the board cannot be reached: ${String(failure)}`);
        hub.close();
      },
    );
  });
  ready({ address: `${options.interface}:${server.port}` }, options);
  await askedToStop();
  server.close();
}

/** Records the traffic, and shows it on request. */
function recorder(file: CaptureFile, { show, json }: RecordOptions): OnPassed {
  const decoder = new Decoder();
  return (dir, bytes) => {
    file.add(dir, bytes);
    if (!show) return;
    for (const frame of decoder.push({ t: file.elapsed, dir, bytes }))
      printLine(json ? frameJson(frame) : frameLine(frame));
  };
}

function ready(where: { path?: string; address?: string }, { json }: RecordOptions): void {
  process.stdout.write(`${json ? JSON.stringify(where) : (where.path ?? where.address)}\n`);
}

function askedToStop(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(undefined));
  });
}
