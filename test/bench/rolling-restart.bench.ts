/** All nodes of a service restarted under load, a new one before each old one and in place, and one node that is alone: what callers and hubs notice. */
import { Client } from "pg";
import { BusyHome, HUBS } from "./nodes/busy-home.ts";
import type { Service } from "./nodes/service.ts";
import { print } from "./report.ts";

const NODES = 3;

await measure(`${NODES} nodes, each new one before an old one stops`, NODES, async (service) => {
  for (const old of [...service.nodes]) {
    await service.add();
    await service.stop(old);
  }
});
await measure(`${NODES} nodes, each in place`, NODES, async (service) => {
  for (const old of [...service.nodes]) {
    await service.stop(old);
    await service.add(old.port);
  }
});
await measure("one node alone, in place", 1, async (service) => {
  const [old] = service.nodes;
  if (!old) return;
  await service.stop(old);
  await service.add(old.port);
});

async function measure(what: string, nodes: number, restart: (service: Service) => Promise<void>): Promise<void> {
  await using busy = await BusyHome.start({ nodes, nats: nodes > 1 });
  const { service, callers } = busy;
  await haveRunLong(service);
  const began = performance.now();
  await restart(service);
  const seconds = (performance.now() - began) / 1000;
  const { lost, twice } = await busy.rest();
  print(`restart under load: ${what}, errors of callers`, {
    measured: callers.failed,
    limit: 0,
    ratio: Number.NaN,
    goal: nodes > 1 ? "0" : "",
    errors: callers.failures,
    requests: callers.puts.length + callers.reads + callers.failed,
    hubs: HUBS,
    "most reconnects of a hub": busy.mostReconnects,
    "longest PUT, ms": callers.longestPut,
    "longest read, ms": callers.longestRead,
    "whole, s": seconds,
    lost,
    twice,
  });
}

/** Nodes that have just started are not replaced by those that start now. */
async function haveRunLong({ postgres }: Service): Promise<void> {
  const client = new Client(postgres.url);
  await client.connect();
  await client.query("update nodes set started_at = started_at - 3600000");
  await client.end();
}
