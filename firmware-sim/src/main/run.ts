/** `porchlight-sim run`: the nodes of the files, on real ports, until told to stop. */
import { createInterface } from "node:readline";
import { randomInteger, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { Command, Option } from "commander";
import { COMMANDS, obey } from "../control.ts";
import { faultNames } from "../faults/fault-words.ts";
import { Ports } from "../open-port.ts";
import { Simulator } from "../simulator.ts";
import { faulted, linked } from "./node-options.ts";
import { nodesOf, notNegative, wholeNumber } from "./usage.ts";

interface RunOptions {
  readonly link?: readonly string[];
  readonly interface: string;
  readonly json?: boolean;
  readonly control?: boolean;
  readonly seed?: number;
  readonly speed: number;
  readonly fault?: readonly string[];
}

/** The command, for the program's list. */
export function runCommand(): Command {
  return new Command("run")
    .argument("<files...>", "YAML: the nodes and their devices")
    .description("Run the nodes of the files until SIGTERM or SIGINT; prints NODE-ID PATH for each when it is ready.")
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
    .addOption(new Option("--json", "one JSON object a line on stdout").env("PORCHLIGHT_JSON"))
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
    .addHelpText("after", () => moreHelp().join("\n"))
    .action(run);
}

async function run(files: readonly string[], options: RunOptions): Promise<void> {
  const definitions = faulted(linked(files.flatMap(nodesOf), options.link ?? []), options.fault ?? []);
  const ports = new Ports({ clock: systemClock, address: options.interface });
  const simulator = await Simulator.start({
    clock: systemClock,
    seed: options.seed ?? randomInteger(systemRandom, 2 ** 32),
    speed: options.speed,
    definitions,
    openPort: (definition, attach, port) => ports.open(definition, attach, port),
  });
  const stop = async () => {
    // First the goodbyes, so that nobody looks for what is closed next.
    await ports[Symbol.asyncDispose]();
    await simulator[Symbol.asyncDispose]();
    setImmediate(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
  for (const { node, definition, port } of simulator.nodes) {
    const devices = node.devices.map(({ edgeId }) => edgeId);
    const line = options.json
      ? JSON.stringify({ node: node.edgeId, name: definition.name, path: port?.path, devices })
      : `${node.edgeId} ${port?.path}`;
    process.stdout.write(`${line}\n`);
  }
  if (!options.control) return;
  // One after another, so that answers come in the order of their lines.
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== "") process.stdout.write(`${JSON.stringify(await obey(simulator, line))}\n`);
  }
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
