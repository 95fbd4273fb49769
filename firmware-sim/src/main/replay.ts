/** `porchlight-sim replay`: plays one side of a capture against an agent or a board, and reports the differences of the other side. */
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { Command, Option } from "commander";
import type { Passed, Sender } from "../lab/capture/capture.ts";
import { decodeAll } from "../lab/capture/decode.ts";
import { eventJson, eventLines, Replay } from "../lab/capture/replay.ts";
import { scriptOf } from "../lab/capture/script.ts";
import { openPty } from "../simulator/links/pty-link.ts";
import { openSerial, parseSerialPlace } from "../simulator/links/serial-link.ts";
import { connectTcp, connectTls, parseTcpPlace, type SharedKey } from "../simulator/links/socket-link.ts";
import { bytesOf, noteLine, printLine, UsageError } from "./command-line.ts";
import { captureIn } from "./decode.ts";

interface ReplayOptions extends PlaceOptions {
  readonly as: Sender;
  readonly node?: string;
  readonly link?: string;
  readonly patience: string;
  readonly speed: string;
  readonly fast?: boolean;
  readonly json?: boolean;
}

const DIFFERS = 1;
const TIMED_OUT = 42;

/** The `replay` command. */
export function replayCommand(): Command {
  return new Command("replay")
    .argument("<file>", "a capture")
    .description(
      "Play one side of a capture. Status 1 when the other side differs in meaning, 42 when its frames do not arrive.",
    )
    .addOption(new Option("--as <side>", "the side to play").choices(["node", "hub"]).makeOptionMandatory())
    .addOption(new Option("--serial <path[@baud]>", "the serial line of the other side"))
    .addOption(new Option("--tcp <host:port>", "the serial line of the other side"))
    .addOption(new Option("--psk <hex>", "the key that the board shares with its hub: TLS").env("PORCHLIGHT_PSK"))
    .addOption(new Option("--id <edgeid>", "the board's edgeId, which names the key"))
    .addOption(
      new Option("--link <path>", "stable path of the pseudo-terminal, which is made when no place is given").env(
        "PORCHLIGHT_LINK",
      ),
    )
    .option("--node <edgeid>", "the node, if the capture has several")
    .option("--patience <seconds>", "how long to wait for a frame", "10")
    .option("--speed <factor>", "how much faster to send than captured", "1")
    .option("--fast", "send without the captured pauses")
    .addOption(new Option("--json", "print one JSON object per line").env("PORCHLIGHT_JSON"))
    .action(replay);
}

async function replay(path: string, options: ReplayOptions): Promise<void> {
  const patience = 1000 * positive("--patience", options.patience);
  const speed = options.fast ? Number.POSITIVE_INFINITY : positive("--speed", options.speed);
  const script = scriptOf(decodeAll(passedOf(path, options.node)), options.as);
  if (script.length === 0) throw new UsageError(`${path}: there is nothing to play`);
  const { link, close } = await opened(options);
  const outcome = await new Replay({
    ...{ clock: systemClock, random: systemRandom, link, me: options.as, script, patience, speed },
    onEvent: (event) => {
      const lines = options.json ? [eventJson(event)] : eventLines(event);
      for (const line of lines) (event.kind === "waits" ? noteLine : printLine)(line);
    },
  }).run();
  close();
  const { differences, never } = outcome;
  process.stderr.write(`${script.length} steps, ${differences} differences${never ? "; it ended too early" : ""}\n`);
  process.exitCode = differences > 0 ? DIFFERS : never ? TIMED_OUT : 0;
}

/** The captured traffic of one node. @throws UsageError */
function passedOf(path: string, node: string | undefined): readonly Passed[] {
  const { passed } = captureIn(path, bytesOf(path));
  const nodes = [...new Set(passed.flatMap((piece) => piece.node ?? []))];
  if (node === undefined && nodes.length > 1)
    throw new UsageError(`${path}: say with --node which one of ${nodes.join(", ")}`);
  if (node !== undefined && !nodes.includes(node))
    throw new UsageError(`--node ${node}: ${path} is of ${nodes.join(", ") || "one node without a name"}`);
  return node === undefined ? passed : passed.filter((piece) => piece.node === node);
}

async function opened(options: ReplayOptions): Promise<{ link: ByteLink; close(): void }> {
  const place = placeOfOption(options);
  if (place) {
    const link = await place.open();
    return { link, close: () => link.close() };
  }
  const port = openPty(options.link);
  process.stdout.write(`${options.json ? JSON.stringify({ path: port.path }) : port.path}\n`);
  return port;
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new UsageError(`${option} ${text}: it must be a number above 0`);
  return number;
}

/** Options for the place of a board outside the simulator: `--serial PATH[@BAUD]` or `--tcp HOST:PORT`. */
export interface PlaceOptions {
  readonly serial?: string | undefined;
  readonly tcp?: string | undefined;
  /** The key in hex. */
  readonly psk?: string | undefined;
  readonly id?: string | undefined;
}

const KEY = /^([0-9a-f]{2}){16,64}$/i;

export interface Place {
  /** The place in the user's words. */
  readonly name: string;
  /** Whether several lines can be open at the same time. */
  readonly isShared: boolean;
  /** @throws OpenProblem */
  open(): Promise<ByteLink>;
}

/** The key of a board that requires TLS. @throws UsageError */
export function keyOf({ psk, id, tcp }: PlaceOptions): SharedKey | undefined {
  if (psk === undefined) return undefined;
  if (tcp === undefined) throw new UsageError("--psk: only a board on the network has a key");
  if (!KEY.test(psk)) throw new UsageError("--psk: it must be a key of 16 to 64 bytes in hex");
  if (id === undefined) throw new UsageError("--psk: say with --id whose key it is");
  return { identity: id, key: Buffer.from(psk, "hex") };
}

/** @throws UsageError for an invalid place, or for both options */
export function placeOfOption(options: PlaceOptions): Place | undefined {
  const { serial, tcp } = options;
  const shared = keyOf(options);
  if (serial !== undefined && tcp !== undefined) throw new UsageError("--serial and --tcp: give one of them");
  if (serial !== undefined) {
    const place = parseSerialPlace(serial);
    if (!place) throw new UsageError(`--serial ${serial}: it must be PATH or PATH@BAUD`);
    return { name: serial, isShared: false, open: () => openSerial(place) };
  }
  if (tcp === undefined) return undefined;
  const place = parseTcpPlace(tcp);
  if (!place) throw new UsageError(`--tcp ${tcp}: it must be HOST:PORT`);
  const name = shared ? `${tcp} with TLS` : tcp;
  return { name, isShared: true, open: () => (shared ? connectTls(place, shared) : connectTcp(place)) };
}
