/** Control lines, by which a user or a test operates simulated devices; each is answered with one JSON object. */
import { isNamed, seededRandom } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { NO_FAULT } from "./device-fault.ts";
import { unknownWord } from "./devices/schema-problems.ts";
import { type Fault, readFault } from "./fault-words.ts";
import type { Simulator } from "./simulator.ts";

type Answer = Readonly<Record<string, unknown>>;

interface Command {
  /** The words after the command's name; those in brackets are optional. */
  readonly words: string;
  run(simulator: Simulator, words: readonly string[]): Answer | Promise<Answer>;
}

/** Every command with its words and its action. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  set: {
    words: "EDGEID SERVICE[:INDEX].PROPERTY VALUE",
    run: (simulator, [edgeId = "", where = "", ...value]) => {
      const device = simulator.device(edgeId);
      device.turn(where, readValue(value));
      return { value: device.read(where) };
    },
  },
  press: {
    words: "EDGEID SERVICE[:INDEX].PROPERTY VALUE",
    run: (simulator, [edgeId = "", where = "", ...value]) => {
      simulator.device(edgeId).press(where, readValue(value));
      return {};
    },
  },
  get: {
    words: "EDGEID [SERVICE[:INDEX].PROPERTY]",
    run: (simulator, [edgeId = "", where]) => {
      const device = simulator.device(edgeId);
      return where === undefined ? { values: Object.fromEntries(device.values) } : { value: device.read(where) };
    },
  },
  writes: { words: "EDGEID", run: (simulator, [edgeId = ""]) => ({ writes: simulator.device(edgeId).writes }) },
  fault: {
    words: "EDGEID|NODE FAULT [AMOUNT]",
    run: (simulator, [reference = "", ...words]) => {
      const fault = faultOf(words.join(" "));
      const faults = simulator.fail(reference, fault);
      if (fault.of === "device") return { fault: fault.fault };
      return fault.of === "node" ? { faults } : { fault: NO_FAULT, faults };
    },
  },
  reboot: {
    words: "EDGEID",
    run: (simulator, [reference = ""]) => {
      const { board, node } = simulator.find(reference);
      board.reboot();
      return { boot: node.boot };
    },
  },
  brownout: {
    words: "NODE [MS]",
    run: (simulator, [node = "", ms]) => ({
      ms: simulator.find(node).board.brownOut(ms === undefined ? undefined : atLeast(0, ms)),
    }),
  },
  speed: {
    words: "SPEED",
    run: (simulator, [speed = ""]) => {
      simulator.life.speed = atLeast(0, speed);
      return { speed: simulator.life.speed };
    },
  },
  step: {
    words: "SECONDS",
    run: (simulator, [seconds = ""]) => {
      simulator.life.step(1000 * atLeast(0, seconds));
      return { seconds: simulator.life.monotonic() / 1000 };
    },
  },
  leave: {
    words: "EDGEID",
    run: (simulator, [edgeId = ""]) => {
      simulator.find(edgeId).node.remove(edgeId);
      return {};
    },
  },
  come: {
    words: "EDGEID",
    run: (simulator, [edgeId = ""]) => {
      simulator.find(edgeId).node.add(simulator.definition(edgeId));
      return {};
    },
  },
  unplug: {
    words: "NODE",
    run: (simulator, [node = ""]) => {
      simulator.unplug(node);
      return {};
    },
  },
  plug: { words: "NODE", run: async (simulator, [node = ""]) => ({ path: await simulator.plug(node) }) },
  move: { words: "NODE", run: async (simulator, [node = ""]) => ({ path: await simulator.move(node) }) },
  announce: {
    words: "NODE",
    run: (simulator, [node = ""]) => {
      simulator.say(node, "announce");
      return {};
    },
  },
  withdraw: {
    words: "NODE",
    run: (simulator, [node = ""]) => {
      simulator.say(node, "withdraw");
      return {};
    },
  },
  noise: {
    words: "NODE SEED",
    run: (simulator, [node = "", seed = ""]) => ({ bytes: simulator.disturb(node, seededRandom(Number(seed))) }),
  },
  state: {
    words: "NODE",
    run: (simulator, [reference = ""]) => {
      const { board, node, port } = simulator.find(reference);
      const { edgeId, boot, state, untold: unreported, underWay, damage } = node;
      return {
        node: edgeId,
        boot,
        state,
        untold: unreported,
        underWay,
        damage: Object.fromEntries(damage),
        faults: board.faults,
        path: port?.path,
      };
    },
  },
};

/** Executes one line. Never throws: a failure is `{ok: false, error, detail}`. */
export async function obey(simulator: Simulator, line: string): Promise<Answer> {
  const [name = "", ...words] = line.trim().split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return refused("Unknown Command", unknownWord("command", name, Object.keys(COMMANDS)));
  const least = command.words.split(" ").filter((word) => !word.startsWith("[")).length;
  if (words.length < least) return refused("Words Missing", `${name} ${command.words}`);
  try {
    return { ok: true, command: name, ...(await command.run(simulator, words)) };
  } catch (failure) {
    return refused(
      isNamed(failure) ? failure.name : "Failed",
      failure instanceof Error ? failure.message : String(failure),
    );
  }
}

function refused(error: string, detail: string): Answer {
  return { ok: false, error, detail };
}

/** Parses JSON, or returns other text unchanged. */
function readValue(words: readonly string[]): Value {
  const text = words.join(" ");
  try {
    return JSON.parse(text) as Value;
  } catch {
    return text;
  }
}

/** Parses the words of a fault. @throws Error that states the mistake */
export function faultOf(text: string): Fault {
  const read = readFault(text);
  if (read.kind === "ok") return read.fault;
  throw new Error(read.kind === "problem" ? read.problem : unknownWord("fault", read.word, read.known));
}

function atLeast(least: number, text: string): number {
  const number = Number(text);
  if (text === "" || !(number >= least) || !Number.isFinite(number))
    throw new Error(`${text} is no number from ${least}`);
  return number;
}
