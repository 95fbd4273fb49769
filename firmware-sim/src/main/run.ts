/** `porchlight-sim run`: the nodes of the files, on real ports, until told to stop. */
import { createInterface } from "node:readline";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { Command, Option } from "commander";
import { COMMANDS, obey } from "../control.ts";
import type { NodeDefinition } from "../devices/definition.ts";
import { Ports } from "../open-port.ts";
import { Simulator } from "../simulator.ts";
import { nodesOf, UsageError } from "./usage.ts";

interface RunOptions {
  readonly link?: readonly string[];
  readonly interface: string;
  readonly json?: boolean;
  readonly control?: boolean;
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
    .addHelpText(
      "after",
      ["", "Commands on stdin:", ...Object.entries(COMMANDS).map(([name, { words }]) => `  ${name} ${words}`)].join(
        "\n",
      ),
    )
    .action(run);
}

async function run(files: readonly string[], options: RunOptions): Promise<void> {
  const definitions = linked(files.flatMap(nodesOf), options.link ?? []);
  const ports = new Ports({ clock: systemClock, address: options.interface });
  const simulator = await Simulator.start({
    clock: systemClock,
    random: systemRandom,
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

/** The nodes with the stable paths that the command line gives them. @throws UsageError */
function linked(nodes: readonly NodeDefinition[], links: readonly string[]): NodeDefinition[] {
  const named = new Map<string, string>();
  for (const link of links) {
    const [node, path] = link.includes("=")
      ? [link.slice(0, link.indexOf("=")), link.slice(link.indexOf("=") + 1)]
      : ["", link];
    if (node === "" && nodes.length > 1) throw new UsageError(`--link ${link}: say which node, as NODE=PATH`);
    const found = node === "" ? nodes[0] : nodes.find(({ edgeId, name }) => edgeId === node || name === node);
    if (!found || path === "") throw new UsageError(`--link ${link}: there is no node ${node}`);
    named.set(found.edgeId, path);
  }
  return nodes.map((node) => ({ ...node, link: named.get(node.edgeId) ?? node.link }));
}
