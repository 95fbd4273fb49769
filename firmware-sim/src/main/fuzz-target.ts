/** The target of `fuzz`: a board at a place, or a hub on a pseudo-terminal. */
import { exec } from "node:child_process";
import { promisify } from "node:util";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { FuzzedBoard } from "../lab/fuzz/board.ts";
import { Hub, type HubPlace } from "../lab/fuzz/hub.ts";
import type { Peer } from "../lab/fuzz/peer.ts";
import { openPty } from "../simulator/links/pty-link.ts";
import { parseSerialPlace } from "../simulator/links/serial-link.ts";
import { noteOutput, UsageError } from "./command-line.ts";
import { LineProgram } from "./line-program.ts";
import { type PlaceOptions, placeOfOption } from "./replay.ts";

export interface TargetOptions extends PlaceOptions {
  readonly agent?: boolean;
  readonly exec?: string;
  readonly execLog?: string;
  readonly link?: string;
  readonly reset?: string;
}

export interface FuzzTarget extends AsyncDisposable {
  readonly peer: Peer;
  /** The target in words. */
  readonly name: string;
  /** The command-line options that name it. */
  readonly words: string;
}

/** Time limit for a hub's first call, ms: when a user starts it, and when a command does. */
const PERSON_STARTS = 60_000;
const COMMAND_STARTS = 30_000;
/** Start, eight data bits, stop (8N1). */
const BITS_A_BYTE = 10;

const run = promisify(exec);

/** @param seed of the answers to a hub @throws UsageError */
export function targetOf(options: TargetOptions, seed: number): FuzzTarget {
  return options.agent ? hubTarget(options, seed) : boardTarget(options);
}

function boardTarget(options: TargetOptions): FuzzTarget {
  const { serial, tcp, psk, id, reset, exec: command, link } = options;
  const place = placeOfOption(options);
  if (!place)
    throw new UsageError("Specify the target: --serial PATH[@BAUD] or --tcp HOST:PORT for a board, --agent for a hub.");
  if (command !== undefined || link !== undefined) throw new UsageError("--exec and --link: only with --agent");
  const baudRate = serial === undefined ? undefined : parseSerialPlace(serial)?.baudRate;
  const msPerByte = baudRate === undefined ? 0 : (BITS_A_BYTE * 1000) / baudRate;
  const resets = reset === undefined ? undefined : () => resetBy(reset);
  const peer = new FuzzedBoard({ clock: systemClock, open: place.open, reset: resets, msPerByte });
  const where = serial === undefined ? `--tcp ${tcp}` : `--serial ${serial}`;
  const words = [
    where,
    ...(psk === undefined ? [] : [`--psk … --id ${id}`]),
    ...(reset ? [`--reset ${quoted(reset)}`] : []),
  ];
  return {
    peer,
    name: `the board at ${place.name}`,
    words: words.join(" "),
    [Symbol.asyncDispose]: async () => peer.close(),
  };
}

/** Runs the reset command. A failure is printed and ignored: the next check shows the state of the board. */
async function resetBy(command: string): Promise<void> {
  try {
    const { stdout, stderr } = await run(command);
    noteOutput(stdout + stderr);
  } catch (failure) {
    noteOutput(`--reset: ${failure instanceof Error ? failure.message : String(failure)}\n`);
  }
}

function hubTarget({ exec: command, execLog, link: name, reset }: TargetOptions, seed: number): FuzzTarget {
  if (reset !== undefined) throw new UsageError("--reset is for boards; --exec restarts a hub");
  const shared = { clock: systemClock, random: systemRandom, seed };
  if (command === undefined) {
    const port = openPty(name);
    process.stderr.write(`Start the hub on this line: porchlight-agent run --serial ${port.path} …\n`);
    const { promise: ended } = Promise.withResolvers<string>();
    const start = async () => ({ link: port.link, ended });
    const peer = new Hub({ ...shared, patience: PERSON_STARTS, canRenew: false, start });
    return { peer, name: `the hub on ${port.path}`, words: "--agent", [Symbol.asyncDispose]: async () => port.close() };
  }
  let hub: LineProgram | undefined;
  const start = async (): Promise<HubPlace> => {
    await hub?.[Symbol.asyncDispose]();
    hub = new LineProgram({ clock: systemClock, subject: "hub", command, link: name, log: execLog });
    return { link: hub.port.link, ended: hub.ended };
  };
  const peer = new Hub({ ...shared, patience: COMMAND_STARTS, canRenew: true, start });
  return {
    ...{ peer, name: "the hub", words: `--agent --exec ${quoted(command)}` },
    [Symbol.asyncDispose]: async () => {
      peer.close();
      await hub?.[Symbol.asyncDispose]();
    },
  };
}

/** Quotes a word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
