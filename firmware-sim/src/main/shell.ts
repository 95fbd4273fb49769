/** `porchlight-sim shell`: a hub for one board, without agent and cloud, driven by a user or a script. */
import { clearLine, createInterface, cursorTo, type Interface } from "node:readline";
import { every, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { printableLines } from "@porchlight/shared/model";
import { Command, Option } from "commander";
import { Unreachable } from "../lab/conform/rule.ts";
import { ShellBoard } from "../lab/shell/board.ts";
import { completions } from "../lab/shell/command.ts";
import { Shell } from "../lab/shell/shell.ts";
import { eventShown, type Shown } from "../lab/shell/wording.ts";
import { OpenProblem, type OpenProblemKind } from "../simulator/links/socket-link.ts";
import { noteLine, UsageError } from "./command-line.ts";
import { type PlaceOptions, placeOfOption } from "./replay.ts";

interface ShellOptions extends PlaceOptions {
  readonly json?: boolean;
}

/** Tolerated delay of a frame on a busy machine, ms. */
const JITTER = 250;
/** Interval for reporting the board's violations, ms. */
const LOOK_MS = 1000;

/** The `shell` command. */
export function shellCommand(): Command {
  return new Command("shell")
    .argument("[lines...]", "commands, each one word of the shell; without any they are read from stdin")
    .description("Act as the hub of one board: read, write, identify, watch, with the time of each.")
    .addOption(new Option("--serial <path[@baud]>", "the serial line of the device").conflicts("tcp"))
    .addOption(new Option("--tcp <host:port>", "the network address of the device"))
    .addOption(new Option("--psk <hex>", "the key that the device shares with its hub, for TLS").env("PORCHLIGHT_PSK"))
    .addOption(new Option("--id <edgeid>", "edgeId of the device, which names the key"))
    .addOption(new Option("--json", "print one JSON object per line").env("PORCHLIGHT_JSON"))
    .addHelpText(
      "after",
      "\n`help` in it lists the commands. A script ends at the first command that fails.\n\nStatus: 0 every command went well, 1 one failed, 2 wrong usage, 4 no such port, 5 another program has the port, 6 no connection,\n7 wrong key, 42 nothing came from the board.\n\nExamples:\n  porchlight-sim shell --serial /dev/ttyUSB0@115200\n  porchlight-sim shell --tcp 192.168.1.40:7300 'write Switch.on true' 'expect LightLevel.level 40 within 2s'",
    )
    .action(shell);
}

async function shell(lines: readonly string[], options: ShellOptions): Promise<void> {
  const place = placeOfOption(options);
  if (!place) throw new UsageError("Specify the board: --serial PATH[@BAUD] or --tcp HOST:PORT.");
  const link = await place.open();
  const isPerson = lines.length === 0 && process.stdin.isTTY === true && process.stdout.isTTY === true && !options.json;
  let prompt: Interface | undefined;
  const show = ({ text, json }: Shown) => {
    if (prompt) {
      cursorTo(process.stdout, 0);
      clearLine(process.stdout, 0);
    }
    process.stdout.write(`${printableLines(options.json ? JSON.stringify(json) : text)}\n`);
    prompt?.prompt(true);
  };
  const board = new ShellBoard({
    ...{ clock: systemClock, random: systemRandom, link, jitter: JITTER },
    onEvent: (event) => show(eventShown(event)),
  });
  const reported = every(systemClock, "rules that are broken", LOOK_MS, () => board.tellBroken());
  try {
    const session = new Shell({ board, where: place.name, show });
    if (isPerson || lines.length === 0) await session.begin();
    else await board.learnWhenStale();
    if (isPerson) prompt = promptOf(board);
    const input = prompt ?? (lines.length > 0 ? lines : createInterface({ input: process.stdin }));
    prompt?.prompt();
    for await (const line of input) {
      const end = await session.run(line);
      if (end === "quit") break;
      if (end === "failed" && !isPerson) {
        process.exitCode = FAILED;
        break;
      }
      if (board.closed !== undefined) throw new Unreachable(`The line is down: ${board.closed}.`);
      prompt?.prompt();
    }
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure;
    noteLine(failure.message);
    process.exitCode = board.bytes === 0 ? TIMED_OUT : FAILED;
  } finally {
    prompt?.close();
    reported.cancel();
    board.end();
    process.stdin.destroy();
  }
}

function promptOf(board: ShellBoard): Interface {
  const { stdin: input, stdout: output } = process;
  const completer = (line: string) => completions(line, board.devices);
  return createInterface({ input, output, prompt: "> ", completer, historySize: 1000, removeHistoryDuplicates: true });
}

/** Success. `docs/firmware.md` and `docs/firmware-lab.md` list these exit statuses. */
export const OK = 0;
/** A failure, a difference, a broken rule, or a finding. */
export const FAILED = 1;
/** A mistake in the command line, or in a file that it names. */
export const WRONG_USAGE = 2;
/** `conform`: no rule could be judged, or not all of the selected ones. */
export const NOTHING_PROVED = 3;
/** Nothing arrived, or it arrived too late. */
export const TIMED_OUT = 42;
/** Interrupted by the user. */
export const INTERRUPTED = 130;

const OPEN: Readonly<Record<OpenProblemKind, number>> = { no_port: 4, locked: 5, no_connection: 6, wrong_key: 7 };

/** The status for a command that threw. */
export function statusOf(failure: unknown): number {
  if (failure instanceof OpenProblem) return OPEN[failure.kind];
  return failure instanceof UsageError ? WRONG_USAGE : FAILED;
}

/** The statuses in the help of `conform`. */
export const CONFORM_STATUSES =
  "Status: 0 no rule is broken, 1 a rule is broken, 2 wrong usage, 3 nothing was proved, 4 no such port, 5 another program uses the port,\n6 no connection, 7 wrong key, 42 nothing was received.";
