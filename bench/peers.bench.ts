/**
 * A write to a device and its answer through brokers that a user would pick instead, beside our relayed PUT in the same run: how many
 * a second with 32 in flight, how long with one, and the processor time of everything but the caller. What each promises is a
 * column; the bare relay measures what HTTP, WebSocket and the commits of our promise cost without anything else that we do.
 */

import { processorSeconds } from "../test/parts/process-figures.ts";
import { inTurn, median, of, pairs, percentiles, print, ratio } from "./frame.ts";
import type { Way } from "./peers/round-trip.ts";
import { throughBareRelay, throughMosquitto, throughNats, throughPorchlight, throughRedis } from "./peers/ways.ts";

const IN_FLIGHT = 32;
const ROUNDS = 6;
const SECONDS = 0.7;

interface Measured {
  /** Answers a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Of everything but the caller, for each answer, µs. */
  readonly us: number;
  readonly callerUs: number;
}

await using ours = await throughPorchlight(IN_FLIGHT);
await using mosquitto = await throughMosquitto(0);
await using kept = await throughMosquitto(2);
await using nats = await throughNats();
await using redis = await throughRedis(true);
await using forgetful = await throughRedis(false);
await using committed = await throughBareRelay(IN_FLIGHT, true);
await using bare = await throughBareRelay(IN_FLIGHT, false);
const ways = [ours, redis, kept, forgetful, mosquitto, nats, committed, bare];

// What runs on Node.js is compiled while it runs, and ours is the most of it.
for (const way of ways) await measure(way, IN_FLIGHT, way === ours ? 8 : 1.5);
const full = await all(IN_FLIGHT);
for (const peer of ways) {
  const theirs = of(full, peer);
  print(`round trip, ${IN_FLIGHT} in flight, answers a second: ${peer.name}`, {
    measured: median(of(full, ours).map(({ rate }) => rate)),
    limit: median(theirs.map(({ rate }) => rate)),
    ratio: ratio(pairs(full, ours, peer, ({ rate }) => rate)),
    goal: goalBeside(peer),
    "our µs": median(of(full, ours).map(({ us }) => us)),
    "their µs": median(theirs.map(({ us }) => us)),
    "their caller µs": median(theirs.map(({ callerUs }) => callerUs)),
    "their p99, ms": median(theirs.map(({ p99 }) => p99)),
    ...peer.promises,
  });
}
const single = await all(1);
for (const peer of ways) {
  const theirs = of(single, peer);
  print(`round trip, one in flight, median ms: ${peer.name}`, {
    measured: median(of(single, ours).map(({ p50 }) => p50)),
    limit: median(theirs.map(({ p50 }) => p50)),
    ratio: ratio(pairs(single, ours, peer, ({ p50 }) => p50)),
    goal: goalBeside(peer) === "> 1" ? "< 1" : goalBeside(peer),
    "our µs": median(of(single, ours).map(({ us }) => us)),
    "their µs": median(theirs.map(({ us }) => us)),
  });
}

/** Ahead of the way with a promise like ours. */
function goalBeside(peer: Way): string {
  if (peer === ours) return "itself";
  return peer === redis ? "> 1" : "for comparison";
}

function all(workers: number) {
  return inTurn(ROUNDS, ways, (way) => measure(way, workers, SECONDS));
}

async function measure(way: Way, workers: number, seconds: number): Promise<Measured> {
  const latencies: number[] = [];
  const processor = () => way.pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
  const [before, callerBefore, start] = [processor(), process.cpuUsage(), performance.now()];
  const end = start + seconds * 1000;
  const work = async (worker: number) => {
    for (let n = 0; performance.now() < end; n++) {
      const sent = performance.now();
      await way.trip(worker, ((worker * 7 + n) % 3600) / 10);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  const took = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(callerBefore);
  return {
    rate: latencies.length / took,
    ...percentiles(latencies),
    us: ((processor() - before) * 1e6) / latencies.length,
    callerUs: (user + system) / latencies.length,
  };
}
