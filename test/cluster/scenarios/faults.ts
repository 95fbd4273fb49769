/** The faults of a cluster: each begins, lasts, and ends by itself, so that a new one is one entry. All chance is of the seed. */
import { pick, randomInteger } from "@porchlight/shared/kernel";
import type { Direction, FaultProxy } from "../../parts/fault-proxy.ts";
import type { Load } from "../clients/load.ts";
import type { ClusterNode, Line } from "../node.ts";

export type Fault = (load: Load) => Promise<void>;

const HOUR_S = 3600;

export const FAULTS = {
  /** Nothing at all, for comparison. */
  steady: (load) => lasts(load, 5000, 5000),
  "kill a node": async (load) => {
    const node = anyNode(load);
    await node.sigkill();
    await lasts(load, 1000, 6000);
    await node.start();
    await lasts(load, 2000, 4000);
  },
  /** Longer than its lease: it wakes up without one. */
  "stop a node": async (load) => {
    const node = anyNode(load);
    node.sigstop();
    await lasts(load, 18_000, 22_000);
    node.sigcont();
    await lasts(load, 2000, 4000);
  },
  "stop a node for a moment": async (load) => {
    const node = anyNode(load);
    node.sigstop();
    await lasts(load, 500, 8000);
    node.sigcont();
    await lasts(load, 1000, 2000);
  },
  "stop NATS": async (load) => {
    load.cluster.nats?.stop();
    await lasts(load, 2000, 8000);
    load.cluster.nats?.cont();
    await lasts(load, 1000, 2000);
  },
  "kill NATS": async (load) => {
    await load.cluster.nats?.kill();
    await lasts(load, 1000, 6000);
    await load.cluster.nats?.restart();
    await lasts(load, 1000, 3000);
  },
  "stop PostgreSQL": async (load) => {
    load.cluster.postgres.stop();
    await lasts(load, 2000, 12_000);
    load.cluster.postgres.cont();
    await lasts(load, 2000, 4000);
  },
  "kill PostgreSQL": async (load) => {
    await load.cluster.postgres.kill();
    await lasts(load, 500, 4000);
    await load.cluster.postgres.restart();
    await lasts(load, 2000, 4000);
  },
  "cut a node from NATS": (load) => broken(load, ["nats"], (line) => line.cutOff()),
  "cut a node from PostgreSQL": (load) => broken(load, ["postgres"], (line) => line.cutOff()),
  "cut a node from both": (load) => broken(load, ["nats", "postgres"], (line) => line.cutOff()),
  "a black hole before NATS": (load) => broken(load, ["nats"], (line) => line.silence(someWays(load))),
  "a black hole before PostgreSQL": (load) => broken(load, ["postgres"], (line) => line.silence(someWays(load))),
  "slow lines": (load) => broken(load, ["nats", "postgres"], (line) => line.delay(5, 80)),
  "cut the hubs": async (load) => {
    load.cluster.hubLine.cut();
    await lasts(load, 2000, 5000);
  },
  "a black hole before the hubs": async (load) => {
    load.cluster.hubLine.silence();
    await lasts(load, 3000, 25_000);
    load.cluster.hubLine.heal();
    await lasts(load, 2000, 4000);
  },
  "a clock jumps": async (load) => {
    const node = anyNode(load);
    for (const hours of [1, -1, 0]) {
      node.setClock(hours * HOUR_S);
      await lasts(load, 2000, 7000);
    }
  },
  /** As a new version is rolled out: one node after another, each gone in order before the next. */
  "restart all in turn": async (load) => {
    for (const node of load.cluster.nodes) {
      await node.sigterm();
      await node.start();
      await lasts(load, 1000, 2000);
    }
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]];

/** One node's lines, for a while: longer than a lease one time in three. */
async function broken(load: Load, lines: readonly Line[], fault: (line: FaultProxy) => void): Promise<void> {
  const node = anyNode(load);
  for (const line of lines) {
    const proxy = node.lines[line];
    if (proxy) fault(proxy);
  }
  await (randomInteger(load.random, 3) === 0 ? lasts(load, 16_000, 22_000) : lasts(load, 1000, 9000));
  for (const line of lines) node.lines[line]?.heal();
  await lasts(load, 2000, 4000);
}

function anyNode({ random, cluster }: Load): ClusterNode {
  return cluster.node(randomInteger(random, cluster.nodes.length));
}

/** Both directions, or one. */
function someWays({ random }: Load): readonly Direction[] {
  return pick<readonly Direction[]>(random, [["up", "down"], ["up"], ["down"]]);
}

function lasts(load: Load, least: number, most: number): Promise<void> {
  return load.clockPause(least + load.random.fraction() * (most - least));
}
