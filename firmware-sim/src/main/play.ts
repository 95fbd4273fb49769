/** `porchlight-sim play`: plays a scenario on the nodes of a file, with an exit status for CI. */
import { type Clock, randomInteger, systemClock, systemRandom, VirtualClock } from "@porchlight/shared/kernel";
import { Command, Option } from "commander";
import { CaptureFile } from "../lab/capture/capture-file.ts";
import { NO_FAULT } from "../simulator/device-fault.ts";
import type { DeviceDefinition, NodeDefinition } from "../simulator/devices/definition.ts";
import { unknownWord } from "../simulator/devices/schema-problems.ts";
import { type Fault, NO_NODE_FAULTS, readFault, withFault } from "../simulator/fault-words.ts";
import { memoryLinks } from "../simulator/links/memory-link.ts";
import { Ports } from "../simulator/open-port.ts";
import { fastStage, liveStage, type Played, playScenario, type ScenarioOutcome } from "../simulator/play-scenario.ts";
import { readScenario } from "../simulator/read-step.ts";
import { Simulator, type SimulatorDeps } from "../simulator/simulator.ts";
import { nodesOf, notNegative, printLine, textOf, UsageError, wholeNumber } from "./command-line.ts";

interface PlayOptions {
  readonly link?: readonly string[];
  readonly interface: string;
  readonly seed?: number;
  readonly speed: number;
  readonly fast?: boolean;
  readonly fault?: readonly string[];
  readonly capture?: string;
  readonly json?: boolean;
}

const STATUS: Readonly<Record<ScenarioOutcome["kind"], number>> = { ok: 0, failed: 1, timed_out: 42 };

/** The `play` command. */
export function playCommand(): Command {
  return new Command("play")
    .argument("<file>", "YAML: the nodes and their devices")
    .argument("<scenario>", "YAML: what is done and what is expected")
    .description("Play a scenario. Status 1 when a step fails, 42 when an expected result does not occur in time.")
    .addOption(
      new Option("--link <path...>", "stable path of the port; NODE=PATH when there are several nodes").env(
        "PORCHLIGHT_LINK",
      ),
    )
    .addOption(
      new Option("--interface <address>", "IPv4 address of network nodes")
        .env("PORCHLIGHT_INTERFACE")
        .default("127.0.0.1"),
    )
    .addOption(new Option("--seed <number>", "of all chance in it").env("PORCHLIGHT_SEED").argParser(wholeNumber))
    .addOption(
      new Option("--speed <factor>", "of devices' lives and the scenario's times; 0 is --fast")
        .env("PORCHLIGHT_SPEED")
        .default(1)
        .argParser(notNegative),
    )
    .addOption(new Option("--fault <fault...>", "[NODE|EDGEID:]NAME[=AMOUNT]").env("PORCHLIGHT_FAULT"))
    .option("--fast", "skip all waiting; then there are no ports and no hub")
    .option("--capture <file>", "write all traffic into this file; pcapng if its name ends with .pcapng")
    .addOption(new Option("--json", "print one JSON object per step").env("PORCHLIGHT_JSON"))
    .action(play);
}

async function play(file: string, scenario: string, options: PlayOptions): Promise<void> {
  const definitions = faulted(linked(nodesOf(file), options.link ?? []), options.fault ?? []);
  const read = readScenario(textOf(scenario), definitions);
  if (read.kind === "problems")
    throw new UsageError(read.problems.map((problem) => `${scenario}: ${problem}`).join("\n"));
  const isFast = options.fast === true || options.speed === 0;
  const virtual = new VirtualClock();
  const clock: Clock = isFast ? virtual : systemClock;
  const ports = new Ports({ clock, address: options.interface });
  await using capture = capturing(options.capture, file, clock);
  await using simulator = await Simulator.start({
    clock,
    seed: options.seed ?? randomInteger(systemRandom, 2 ** 32),
    speed: isFast ? 1 : options.speed,
    definitions,
    openPort: isFast ? openNowhere : (definition, attach, port) => ports.open(definition, attach, port),
    watch: capture.watch,
  });
  for (const { node, port } of isFast ? [] : simulator.nodes)
    printLine(options.json ? JSON.stringify({ node: node.edgeId, path: port?.path }) : `${node.edgeId} ${port?.path}`);
  process.stderr.write(`seed ${simulator.seed}\n`);
  const stage = isFast ? fastStage(virtual) : liveStage(simulator.life, systemClock);
  const outcome = await playScenario(read.steps, simulator, stage, (played) =>
    printLine(options.json ? json(played) : line(played)),
  );
  await ports[Symbol.asyncDispose]();
  process.exitCode = STATUS[outcome.kind];
}

/** A port that never opens. */
const openNowhere: SimulatorDeps["openPort"] = (_definition, attach) => {
  const [near] = memoryLinks();
  attach(near);
  return { path: "memory", close: () => near.close() };
};

function line({ step, at, outcome }: Played): string {
  const time = (at / 1000).toFixed(3).padStart(9);
  if (outcome.kind === "ok") return `${time}  ok         ${step.text}`;
  return `${time}  ${outcome.kind === "failed" ? "FAILED   " : "TIMED OUT"}  ${step.text}: ${outcome.why} (line ${step.line})`;
}

function json({ step, at, outcome }: Played): string {
  return JSON.stringify({
    t: Math.round(at),
    line: step.line,
    step: step.text,
    outcome: outcome.kind,
    why: "why" in outcome ? outcome.why : undefined,
  });
}

/** `--capture FILE` of the commands that run nodes: records the traffic of their lines in the file. */
interface Capturing extends AsyncDisposable {
  /** Watcher for the simulator; undefined when nothing is captured. */
  readonly watch: SimulatorDeps["watch"];
}

/** @param path undefined: capture nothing @param of subject of the capture, in words @throws Error when the file cannot be written */
export function capturing(path: string | undefined, of: string, clock: Clock): Capturing {
  const file = path === undefined ? undefined : CaptureFile.open(path, of, clock);
  return {
    watch: file && ((node, { from, bytes }) => file.add(from, bytes, node.edgeId)),
    [Symbol.asyncDispose]: async () => file?.[Symbol.dispose](),
  };
}

/** The nodes with the stable port paths of `--link`, which override their files. @throws UsageError */
export function linked(nodes: readonly NodeDefinition[], links: readonly string[]): NodeDefinition[] {
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

/** The nodes with the faults of `--fault`: `[NODE|EDGEID:]NAME[=AMOUNT]`, for every node when it names none. @throws UsageError */
export function faulted(nodes: readonly NodeDefinition[], faults: readonly string[]): readonly NodeDefinition[] {
  return faults.reduce((faulty, text) => withOne(faulty, text), nodes);
}

function withOne(nodes: readonly NodeDefinition[], text: string): readonly NodeDefinition[] {
  const colon = text.lastIndexOf(":");
  const [who, words] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  const read = readFault(words);
  if (read.kind === "unknown") throw new UsageError(`--fault ${text}: ${unknownWord("fault", read.word, read.known)}`);
  if (read.kind === "problem") throw new UsageError(`--fault ${text}: ${read.problem}`);
  let isKnown = false;
  const changed = nodes.map((node) => {
    // A line fault that names a device applies to its node, because it affects every device behind the line.
    const isNode = who === "" || node.edgeId === who || node.name === who;
    const devices = node.devices.map((device) => {
      if (!isNode && device.edgeId !== who) return device;
      isKnown = true;
      return withDeviceFault(device, read.fault);
    });
    const isOfNode = isNode || (read.fault.of === "node" && node.devices.some(({ edgeId }) => edgeId === who));
    return isOfNode ? withNodeFault({ ...node, devices }, read.fault) : { ...node, devices };
  });
  if (!isKnown) throw new UsageError(`--fault ${text}: there is no node or device ${who}`);
  return changed;
}

function withDeviceFault(device: DeviceDefinition, fault: Fault): DeviceDefinition {
  if (fault.of === "node") return device;
  return { ...device, fault: fault.of === "device" ? fault.fault : NO_FAULT };
}

function withNodeFault(node: NodeDefinition, fault: Fault): NodeDefinition {
  if (fault.of === "all") return { ...node, faults: NO_NODE_FAULTS };
  if (fault.of === "device") return node;
  return { ...node, faults: withFault(node.faults ?? NO_NODE_FAULTS, fault.name, fault.amount) };
}
