/** `porchlight-sim conform`: checks a real device against every rule of the protocol document, as its hub; or a hub, as its nodes. */
import { exec } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { printable, printableLines } from "@porchlight/shared/model";
import { Command, Option } from "commander";
import { z } from "zod";
import { htmlReport, junitReport } from "../lab/conform/html-report.ts";
import { type ProveHubOptions, proveHub } from "../lab/conform/hub/prove-hub.ts";
import { proveNode, Silence } from "../lab/conform/prove-node.ts";
import { isProof, type Result, type RuleReport, ruleTexts, sumOf } from "../lab/conform/rule.ts";
import { closingLines, jsonReport, Progress, resultLine } from "../lab/conform/terminal-report.ts";
import { type FileProblem, type Path, readYaml, salvage, withLines } from "../simulator/devices/schema-problems.ts";
import { openPty } from "../simulator/links/pty-link.ts";
import { OpenProblem } from "../simulator/links/socket-link.ts";
import { noteLine, noteOutput, textOf, UsageError } from "./command-line.ts";
import { LineProgram } from "./line-program.ts";
import { type PlaceOptions, placeOfOption } from "./replay.ts";
import { CONFORM_STATUSES, FAILED, NOTHING_PROVED, TIMED_OUT } from "./shell.ts";

interface ConformOptions extends HubOptions, DeviceOptions {
  readonly agent?: boolean;
  readonly boards?: string;
  readonly json?: boolean;
  readonly html?: string;
  readonly junit?: string;
  readonly only?: string;
  readonly quick?: boolean;
}

/** Tolerated delay of a frame on a busy machine, ms. */
const JITTER = 250;

const DOCUMENT = new URL("../../../docs/contract/device-protocol.md", import.meta.url);

/** The `conform` command. */
export function conformCommand(): Command {
  return new Command("conform")
    .description(
      "Test a device: act as its hub, and check every rule for nodes in docs/contract/device-protocol.md. This writes to the device.\nWith --agent, test a hub: act as nodes on a pseudo-terminal, and check every rule for hubs.",
    )
    .addOption(new Option("--serial <path[@baud]>", "the serial line of the device").conflicts("tcp"))
    .addOption(new Option("--tcp <host:port>", "the network address of the device"))
    .addOption(new Option("--psk <hex>", "the key that the device shares with its hub, for TLS").env("PORCHLIGHT_PSK"))
    .addOption(new Option("--id <edgeid>", "edgeId of the device, which names the key"))
    .addOption(new Option("--agent", "test a hub on a pseudo-terminal").conflicts(["serial", "tcp"]))
    .addOption(
      new Option("--boards <file>", "a file of boards, which are tested in parallel").conflicts([
        "serial",
        "tcp",
        "agent",
        "exec",
      ]),
    )
    .addOption(
      new Option("--link <path>", "with --agent and --exec: stable path of the pseudo-terminal").env("PORCHLIGHT_LINK"),
    )
    .addOption(
      new Option(
        "--exec <command>",
        "the command that starts the device, or with --agent the hub, on a pseudo-terminal; {port} becomes its path",
      ),
    )
    .addOption(
      new Option(
        "--exec-log <file>",
        "with --exec: the file for the output of the command; the last lines go to stderr when it ends",
      ),
    )
    .addOption(new Option("--only <rules>", "only these rules, such as F5,R2"))
    .addOption(new Option("--quick", "leave out tests that take long"))
    .addOption(
      new Option(
        "--stimulate <command...>",
        "commands that make the device report something, such as a press of its button; with --agent, a command that sets a property of the lamp that is played",
      ),
    )
    .addOption(
      new Option("--reset <command>", "the command that resets the board; without it, --exec restarts its command"),
    )
    .addOption(new Option("--json", "the report as JSON on stdout").env("PORCHLIGHT_JSON"))
    .addOption(new Option("--html <file>", "write the report as an HTML page"))
    .addOption(new Option("--junit <file>", "write the report as JUnit XML for a build server"))
    .addHelpText(
      "after",
      `\n${CONFORM_STATUSES}\n\nExamples:\n  porchlight-sim conform --serial /dev/ttyUSB0@115200 --html report.html\n  porchlight-sim conform --agent --exec 'porchlight-agent run --cloud http://127.0.0.1:9 --data /tmp/proved --serial {port}'`,
    )
    .action(conform);
}

async function conform(options: ConformOptions): Promise<void> {
  const texts = ruleTexts(readFileSync(DOCUMENT, "utf8"));
  const only = options.only?.split(/[ ,]+/).filter((id) => id !== "");
  const unknown = only?.filter((id) => !texts.has(id)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`--only ${unknown.join(",")}: there is no such rule in the protocol document`);
  const isStyled = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  using progress = process.stderr.isTTY === true ? progressOn(process.stderr) : undefined;
  const onResult = (result: Result) => {
    progress?.clear();
    if (!options.json) process.stdout.write(`${resultLine(result, isStyled)}\n`);
  };
  const asked: Asked = {
    ...{ clock: systemClock, random: systemRandom, jitter: JITTER, texts, only, quick: options.quick, onResult },
    onBegin: (rule) => progress?.begin(rule),
  };
  try {
    const reports = await proved(asked, options, isStyled);
    progress?.clear();
    reported(reports, options, isStyled);
  } catch (failure) {
    if (!(failure instanceof Silence)) throw failure;
    noteLine(failure.message);
    process.exitCode = TIMED_OUT;
  }
}

async function proved(asked: Asked, options: ConformOptions, isStyled: boolean): Promise<readonly RuleReport[]> {
  const { boards, json, html } = options;
  if (boards === undefined)
    return [options.agent ? await proveAgent(asked, options) : await proveDevice(asked, options)];
  if (html !== undefined) throw new UsageError("--html: the page is for one device; use --junit or --json for several");
  const entries = boardsOf(boards);
  const width = Math.max(...entries.map(({ name }) => name.length));
  return await proveBoards(entries, { ...asked, onBegin: undefined }, (board, result) => {
    if (!json) process.stdout.write(`${printable(board).padEnd(width)}  ${resultLine(result, isStyled)}\n`);
  });
}

function progressOn({ columns }: NodeJS.WriteStream & { readonly columns: number }): Progress {
  return new Progress({ clock: systemClock, write: (text) => void process.stderr.write(text), columns });
}

function reported(reports: readonly RuleReport[], { json, html, junit }: ConformOptions, isStyled: boolean): void {
  const [report] = reports;
  if (html !== undefined && report)
    writeFileSync(
      html,
      htmlReport(
        report,
        new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" }).format(report.startedAt),
      ),
    );
  if (junit !== undefined) writeFileSync(junit, junitReport(reports));
  for (const each of reports)
    process.stdout.write(
      json ? `${printableLines(jsonReport(each))}\n` : `${closingLines(each, isStyled).join("\n")}\n`,
    );
  if (reports.some((each) => sumOf(each).fail > 0)) process.exitCode = FAILED;
  else if (!reports.every(isProof)) process.exitCode = NOTHING_PROVED;
}

/**
 * Proves several boards side by side, each on its own line. @param onResult called with each result and its board @returns a report for
 * each board, in order
 */
function proveBoards(
  boards: readonly BoardEntry[],
  asked: Asked,
  onResult: (board: string, result: Result) => void,
): Promise<RuleReport[]> {
  return Promise.all(
    boards.map((board) => proveBoard(board, { ...asked, onResult: (result) => onResult(board.name, result) })),
  );
}

/** A board that cannot be flashed, opened or reached proves nothing, and does not prevent the proof of the others. */
async function proveBoard({ name, flash, ...board }: BoardEntry, asked: Asked): Promise<RuleReport> {
  const startedAt = asked.clock.now();
  const from = asked.clock.monotonic();
  try {
    if (flash !== undefined) await flashed(flash);
    const report = await proveDevice(asked, board);
    return { ...report, subject: `${name}: ${report.subject}` };
  } catch (failure) {
    if (!isOfBoard(failure)) throw failure;
    const stopped = failure.message;
    return { subject: name, startedAt, ms: asked.clock.monotonic() - from, results: [], stopped };
  }
}

class FlashFailed extends Error {}

async function flashed(command: string): Promise<void> {
  try {
    await ran(command);
  } catch (failure) {
    throw new FlashFailed(`flash: ${failure instanceof Error ? failure.message.trim() : String(failure)}`);
  }
}

function isOfBoard(failure: unknown): failure is Error {
  return [FlashFailed, OpenProblem, Silence, UsageError].some((known) => failure instanceof known);
}

/** Options for the proof of one board: its place or start command, and the commands that operate it by hand. */
interface DeviceOptions extends PlaceOptions {
  /** A command that starts it on a pseudo-terminal, instead of `serial` and `tcp`. */
  readonly exec?: string | undefined;
  readonly link?: string | undefined;
  readonly execLog?: string | undefined;
  /** Commands that cause reports. */
  readonly stimulate?: readonly string[] | undefined;
  /** A command that resets it. */
  readonly reset?: string | undefined;
}

/** @throws UsageError, OpenProblem; Silence when nothing arrives */
async function proveDevice(asked: Asked, options: DeviceOptions): Promise<RuleReport> {
  const { exec: command, link: name, execLog: log, reset } = options;
  const place = placeOfOption(options);
  const stimuli = options.stimulate?.map((stimulus) => ({ name: stimulus, run: () => ran(stimulus) }));
  const resets = reset === undefined ? undefined : () => ran(reset);
  if (place && command !== undefined) throw new UsageError("--exec starts the device; leave out --serial and --tcp");
  if (command !== undefined) {
    await using board = new LineProgram({ clock: asked.clock, subject: "board", command, link: name, log });
    const { link, path } = board.port;
    return await proveNode({ ...asked, link, where: path, stimuli, reset: resets ?? (() => board.restart()) });
  }
  if (!place)
    throw new UsageError(
      "Specify the device: --serial PATH[@BAUD], --tcp HOST:PORT, or --exec COMMAND that starts it; or --agent for a hub.",
    );
  const connect = place.isShared ? place.open : undefined;
  return proveNode({ ...asked, link: await place.open(), where: place.name, connect, stimuli, reset: resets });
}

/** Options of `conform --agent`, which creates the line, starts the hub if a command is given, proves it, and cleans up. */
interface HubOptions {
  readonly link?: string | undefined;
  readonly exec?: string | undefined;
  readonly execLog?: string | undefined;
  /** Commands that set a property of the played lamp through the hub. */
  readonly stimulate?: readonly string[] | undefined;
}

/** Options of every proof, of a device or of a hub. */
type Asked = Omit<ProveHubOptions, "link" | "where" | "patience" | "gone" | "stimuli">;

/** How long to wait for the user to start the hub, ms. */
const PATIENCE = 60_000;

/** @throws Silence when no hub opens the line in time */
async function proveAgent(asked: Asked, options: HubOptions): Promise<RuleReport> {
  const { link: name, exec, execLog } = options;
  const stimuli = options.stimulate?.map((stimulus) => ({ name: stimulus, run: () => ran(stimulus) }));
  if (exec !== undefined) {
    await using hub = new LineProgram({ clock: asked.clock, subject: "hub", command: exec, link: name, log: execLog });
    const { link, path } = hub.port;
    const gone = hub.ended.then((how) => `${how}, and nothing came.`);
    try {
      return await proveHub({ ...asked, link, where: path, patience: PATIENCE, gone, stimuli });
    } catch (failure) {
      if (failure instanceof Silence && hub.isRunning && hub.output !== "")
        noteOutput(`The hub's command is still running. Its last output:\n${hub.output}`);
      throw failure;
    }
  }
  const { link, path, close } = openPty(name);
  process.stderr.write(`Start the hub on this line: porchlight-agent run --serial ${path} …\n`);
  try {
    return await proveHub({ ...asked, link, where: path, patience: PATIENCE, stimuli });
  } finally {
    close();
  }
}

/** Runs a user's command for a proof: it presses a button, resets a board, or sets a property through a hub. */
const run = promisify(exec);

/** Sends the command's output to stderr, because stdout is for the report alone. @throws Error when it fails */
async function ran(command: string): Promise<void> {
  const { stdout, stderr } = await run(command);
  noteOutput(stdout + stderr);
}

/** Parser of a file of boards that are proved side by side: YAML in, boards out, or every mistake at once, each with its line. */
const text = z.string().min(1);

const board = z.strictObject({
  /** Name in the report. */
  name: text,
  serial: text.optional(),
  tcp: text.optional(),
  psk: text.optional(),
  id: text.optional(),
  exec: text.optional(),
  execLog: text.optional(),
  /** Command that flashes the board, run first. */
  flash: text.optional(),
  reset: text.optional(),
  stimulate: z.array(text).min(1).optional(),
});

const boardsFile = z.strictObject({ boards: z.array(z.unknown()).min(1) });

type BoardEntry = z.infer<typeof board>;

/** @throws UsageError with every problem of the file */
function boardsOf(file: string): readonly BoardEntry[] {
  const read = readBoards(textOf(file));
  if (read.kind === "ok") return read.boards;
  throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
}

type ReadBoards =
  | { readonly kind: "ok"; readonly boards: readonly BoardEntry[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** @param source the file's YAML */
export function readBoards(source: string): ReadBoards {
  const read = readYaml(source);
  if (read.kind === "problems") return read;
  const problems: FileProblem[] = [];
  const found = (problem: FileProblem) => void problems.push(problem);
  const { entry } = salvage(boardsFile, read.file.value, [], found);
  const boards = (entry.boards ?? []).map((raw, at) => readBoard(raw, ["boards", at], found));
  const names = boards.map(({ name }) => name);
  for (const [at, name] of names.entries())
    if (name !== undefined && names.indexOf(name) < at)
      found({ path: ["boards", at, "name"], text: `${name} is there twice` });
  if (problems.length > 0) return { kind: "problems", problems: withLines(read.file, problems) };
  return { kind: "ok", boards: boards as BoardEntry[] };
}

function readBoard(raw: unknown, at: Path, found: (problem: FileProblem) => void): Partial<BoardEntry> {
  const { entry, broken } = salvage(board, raw, at, found);
  const places = ["serial", "tcp", "exec"].filter(
    (key) => key in entry && entry[key as keyof BoardEntry] !== undefined,
  );
  const isKnown = !["serial", "tcp", "exec"].some((key) => broken.has(key));
  if (isKnown && places.length !== 1) found({ path: at, text: "a board needs one of serial, tcp and exec" });
  if (entry.psk !== undefined && entry.tcp === undefined)
    found({ path: [...at, "psk"], text: "only a board on the network has a key: give it a tcp" });
  return entry;
}
