/** A home of simulated devices in memory, on a virtual clock, with a hub that greets, acknowledges and commands: for tests of the whole. */
import { settle, VirtualClock } from "@porchlight/shared/kernel";
import { readDefinitions } from "./devices/read-definitions.ts";
import type { Passing } from "./line-damage.ts";
import { memoryLinks } from "./links/memory-link.ts";
import { ScriptedHub } from "./node/test-node.fixture.ts";
import { Simulator } from "./simulator.ts";

export interface TestHome {
  readonly clock: VirtualClock;
  readonly simulator: Simulator;
  /** One for each line that was ever plugged in, oldest first. */
  readonly hubs: readonly ScriptedHub[];
  /** All that passed: `MS NODE FROM HEX`. */
  readonly trace: readonly string[];
  /** So many seconds with hubs that do what hubs do, and write now and then. */
  live(seconds: number): Promise<void>;
}

/** @param file YAML, as a user writes it */
export async function startHome(file: string, seed = 1, speed = 1): Promise<TestHome> {
  const read = readDefinitions(file);
  if (read.kind === "problems") throw new Error(read.problems.join("\n"));
  const clock = new VirtualClock();
  const hubs: ScriptedHub[] = [];
  const trace: string[] = [];
  const simulator = await Simulator.start({
    clock,
    seed,
    speed,
    definitions: read.nodes,
    watch: (node, { at, from, bytes }: Passing) =>
      trace.push(`${at} ${node.edgeId} ${from} ${Buffer.from(bytes).toString("hex")}`),
    openPort: ({ name = "unnamed" }, attach) => {
      const [link, far] = memoryLinks();
      hubs.push(new ScriptedHub(far, clock, () => undefined));
      attach(link);
      return { path: `/dev/${name}`, close: () => link.close() };
    },
  });
  await settle();
  let second = 0;
  return {
    clock,
    simulator,
    hubs,
    trace,
    live: async (seconds) => {
      for (const end = second + seconds; second < end; second++) {
        for (const hub of hubs.filter(({ closed }) => closed === undefined)) await attend(hub, second);
        await clock.advance(1000);
      }
    },
  };
}

async function attend(hub: ScriptedHub, second: number): Promise<void> {
  const heard = hub.heard.splice(0).map(({ message }) => message);
  for (const { type, seq } of heard) {
    if (type === "HELLO") await hub.say({ type: "HELLO_ACK", seq, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    if (type === "REPORT" || type === "CHANGED") await hub.say({ type: "ACK", seq });
    if (type === "PING") await hub.say({ type: "PONG", seq });
  }
  const address = { device: 0, service: "LightLevel", index: 0, property: "level" };
  if (second % 3 === 0) await hub.say({ type: "WRITE", seq: 1 + second, ...address, value: (second * 7) % 100 });
}
