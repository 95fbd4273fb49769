/** `porchlight-sim run`: runs the nodes of the files on real ports until interrupted. */
import { createInterface } from "node:readline";
import { randomInteger, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { Command, Option } from "commander";
import { Decoder, frameJson, frameLine } from "../lab/capture/decode.ts";
import { COMMANDS, obey } from "../simulator/control.ts";
import type { NodeDefinition } from "../simulator/devices/definition.ts";
import { faultNames } from "../simulator/fault-words.ts";
import type { Passing } from "../simulator/line-damage.ts";
import { Ports } from "../simulator/open-port.ts";
import { type RunningNode, Simulator } from "../simulator/simulator.ts";
import { sceneOf } from "../view/keys.ts";
import { View } from "../view/terminal.ts";
import { nodesOf, notNegative, printLine, wholeNumber } from "./command-line.ts";
import { capturing, faulted, linked } from "./play.ts";

interface RunOptions {
  readonly link?: readonly string[];
  readonly interface: string;
  readonly json?: boolean;
  readonly control?: boolean;
  readonly seed?: number;
  readonly speed: number;
  readonly fault?: readonly string[];
  readonly view: boolean;
  readonly log?: boolean;
  readonly capture?: string;
}

/** The `run` command. */
export function runCommand(): Command {
  return new Command("run")
    .argument("<files...>", "YAML: the nodes and their devices")
    .description(
      "Run the nodes of the files until stopped. On a terminal: a live view. Otherwise: NODE-ID PATH for each node, and a line for each frame.",
    )
    .addOption(
      new Option("--link <path...>", "stable path of the port; NODE=PATH when there are several nodes").env(
        "PORCHLIGHT_LINK",
      ),
    )
    .addOption(
      new Option("--interface <address>", "IPv4 address at which network nodes listen and are announced by mDNS")
        .env("PORCHLIGHT_INTERFACE")
        .default("127.0.0.1"),
    )
    .addOption(new Option("--json", "print one JSON object per line").env("PORCHLIGHT_JSON"))
    .addOption(
      new Option("--control", "take commands on stdin, each answered with a line of JSON").env("PORCHLIGHT_CONTROL"),
    )
    .addOption(
      new Option("--seed <number>", "of all chance in it: the same seed makes the same bytes, boots included")
        .env("PORCHLIGHT_SEED")
        .argParser(wholeNumber),
    )
    .addOption(
      new Option("--speed <factor>", "of devices' lives: 10 is ten times as fast, 0 stands still")
        .env("PORCHLIGHT_SPEED")
        .default(1)
        .argParser(notNegative),
    )
    .addOption(
      new Option("--fault <fault...>", "[NODE|EDGEID:]NAME[=AMOUNT]; of every node when it does not say which").env(
        "PORCHLIGHT_FAULT",
      ),
    )
    .addOption(new Option("--no-view", "no live view on a terminal, but a line for each frame"))
    .addOption(
      new Option("--log", "a line for each frame on stdout, as is usual without --json and --control").env(
        "PORCHLIGHT_LOG",
      ),
    )
    .addOption(new Option("--no-log", "no line for each frame"))
    .option(
      "--capture <file>",
      "write all traffic into this file, for decode and replay; pcapng if its name ends with .pcapng",
    )
    .addHelpText("after", () => moreHelp().join("\n"))
    .action(run);
}

async function run(files: readonly string[], options: RunOptions): Promise<void> {
  const definitions = faulted(linked(files.flatMap(nodesOf), options.link ?? []), options.fault ?? []);
  const ports = new Ports({ clock: systemClock, address: options.interface });
  const { json = false, control = false } = options;
  const isSeen = options.view && !json && !control && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const log = new RunLog({
    definitions,
    json,
    since: systemClock.monotonic(),
    isSeen,
    isWanted: options.log ?? (!isSeen && !json && !control),
  });
  const capture = capturing(options.capture, files.join(", "), systemClock);
  const simulator = await Simulator.start({
    clock: systemClock,
    seed: options.seed ?? randomInteger(systemRandom, 2 ** 32),
    speed: options.speed,
    definitions,
    openPort: (definition, attach, port) => ports.open(definition, attach, port),
    watch: (node, passing) => {
      log.passed(node.edgeId, passing);
      capture.watch?.(node, passing);
    },
  });
  const view = isSeen ? viewOf(simulator, log, () => void stop()) : undefined;
  const stop = async () => {
    view?.[Symbol.dispose]();
    // Send the goodbyes first, so that hubs do not look for ports that close next.
    await ports[Symbol.asyncDispose]();
    await simulator[Symbol.asyncDispose]();
    await capture[Symbol.asyncDispose]();
    setImmediate(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => void stop());
  if (view) return;
  for (const running of simulator.nodes) printLine(nodeLine(running, simulator.seed, json));
  if (!json && !control) process.stderr.write(`seed ${simulator.seed}\n`);
  log.begin();
  if (!control) return;
  // One after another, so that answers are in the order of their lines.
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== "") printLine(JSON.stringify(await obey(simulator, line)));
  }
}

function nodeLine({ node, definition, port }: RunningNode, seed: number, json: boolean): string {
  const devices = node.devices.map(({ edgeId }) => edgeId);
  if (!json) return `${node.edgeId} ${port?.path}`;
  return JSON.stringify({ node: node.edgeId, name: definition.name, path: port?.path, devices, seed });
}

function viewOf(simulator: Simulator, log: RunLog, quit: () => void): View {
  return new View({
    clock: systemClock,
    terminal: { input: process.stdin, output: process.stdout },
    colour: process.env.NO_COLOR === undefined || process.env.NO_COLOR === "",
    scene: () => sceneOf(simulator, log.last),
    obey: async (line) => {
      const { ok, error, detail } = await obey(simulator, line);
      return ok === true ? "" : `${error}: ${detail}`;
    },
    quit,
  });
}

function moreHelp(): string[] {
  return [
    "",
    "Faults:",
    ...faultNames().map(([name, amount]) => `  ${name.padEnd(10)} ${amount}`.trimEnd()),
    "",
    "Commands on stdin, with --control:",
    ...Object.entries(COMMANDS).map(([name, { words }]) => `  ${name} ${words}`),
  ];
}

/** Maximum number of lines for a view. */
const LAST = 200;
/** Bytes that may wait for a reader that does not read; further lines are dropped and counted. */
const BACKLOG = 4 * 1024 * 1024;

interface RunLogOptions {
  readonly definitions: readonly NodeDefinition[];
  readonly json: boolean;
  /** Monotonic ms. */
  readonly since: number;
  /** Whether lines go to stdout. */
  readonly isWanted: boolean;
  /** Whether a view shows the last lines. */
  readonly isSeen: boolean;
}

class RunLog {
  readonly #options: RunLogOptions;
  readonly #frames: FrameLog;
  /** Lines from before `begin`; afterwards only the last ones. */
  #last: string[] = [];
  #hasBegun = false;
  #leftOut = 0;

  constructor(options: RunLogOptions) {
    const { definitions, since } = options;
    this.#options = options;
    this.#frames = new FrameLog(since, new Map(definitions.map(({ edgeId, name }) => [edgeId, name ?? edgeId])));
  }

  /** The last lines, oldest first. */
  get last(): readonly string[] {
    return this.#last;
  }

  passed(edgeId: string, passing: Passing): void {
    if (!this.#options.isWanted && !this.#options.isSeen) return;
    const lines = this.#frames.lines(edgeId, passing, this.#options.json);
    this.#last = [...this.#last, ...lines].slice(-LAST);
    if (this.#hasBegun) this.#print(lines);
  }

  /** Starts the output on stdout, beginning with the earlier lines. */
  begin(): void {
    this.#hasBegun = true;
    this.#print(this.#last);
  }

  #print(lines: readonly string[]): void {
    if (!this.#options.isWanted) return;
    for (const line of lines) {
      if (process.stdout.writableLength > BACKLOG) {
        this.#leftOut++;
        continue;
      }
      if (this.#leftOut > 0)
        process.stderr.write(`${this.#leftOut} lines were dropped, because the output was not read\n`);
      this.#leftOut = 0;
      printLine(line);
    }
  }
}

class FrameLog {
  readonly #decoder = new Decoder();
  readonly #since: number;
  readonly #names: ReadonlyMap<string, string>;

  /**
   * @param since start of the log, monotonic ms
   * @param names display names of nodes, by edgeId
   */
  constructor(since: number, names: ReadonlyMap<string, string>) {
    this.#since = since;
    this.#names = names;
  }

  /** Lines for the frames that these bytes complete. @param edgeId the node on whose line they passed */
  lines(edgeId: string, { at, from, bytes }: Passing, json: boolean): string[] {
    const node = json ? edgeId : (this.#names.get(edgeId) ?? edgeId);
    const frames = this.#decoder.push({ t: at - this.#since, dir: from, node, bytes });
    return frames.map(json ? frameJson : frameLine);
  }
}
