/** One run: a cluster and a home, clients that never rest, faults in turn, calm, and the judgement. A seed repeats its schedule. */
import { type Random, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { follower, startReceiver } from "../clients/followers.ts";
import { Load } from "../clients/load.ts";
import { reader, reporter, watcher } from "../clients/readers.ts";
import { makeUser, tokenUser } from "../clients/token-users.ts";
import { writer } from "../clients/writer.ts";
import { Cluster } from "../cluster.ts";
import { ClusterHome } from "../cluster-home.ts";
import { emptyHistory, type History } from "../history/history.ts";
import { judge } from "../history/judge.ts";
import { judgeSmooth } from "../history/judge-smooth.ts";
import { calm, gather, query } from "./calm.ts";
import { FAULTS, type FaultName } from "./faults.ts";

export interface RunOptions {
  readonly seed: number;
  /** The faults, one after another; the next is asked for when one is over, until there is none. */
  readonly next: (random: Random, ranMs: number) => FaultName | undefined;
  readonly nodes?: number;
  readonly hubs?: number;
  readonly ownClocks?: boolean;
  readonly nats?: boolean;
  /** How many times longer than they would clients rest between two requests; 1 when left out. */
  readonly rest?: number;
  /** Called with each fault as it begins. */
  readonly onFault?: (line: string) => void;
}

export interface RunResult {
  readonly violations: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly FaultName[];
  readonly history: History;
  /** The nodes' last output. */
  readonly stderr: string;
}

/** What no caller is to notice. */
const GENTLE: ReadonlySet<FaultName> = new Set(["steady", "restart all in turn"]);
const DEVICES_PER_HUB = 1;
const WRITTEN = ["LightColor.hue", "LightLevel.level"] as const;
/** Load before the first fault and behind the last, ms. */
const AROUND_MS = 2000;

export async function run(options: RunOptions): Promise<RunResult> {
  const { seed, nodes = 3, hubs = 6, ownClocks = false, nats = true } = options;
  // Faults and their times depend on the seed alone; the acts of clients must not move them.
  const random = seededRandom(seed);
  const cluster = await Cluster.start({ nodes, seed, ownClocks, nats });
  await using stack = new AsyncDisposableStack();
  stack.use(cluster);
  const home = stack.use(
    await ClusterHome.start({ cluster, hubs, devicesPerHub: DEVICES_PER_HUB, random: seededRandom(seed + 1) }),
  );
  const history = emptyHistory(home.truth);
  const parts = { clock: systemClock, cluster, home, history };
  const load = stack.use(new Load({ ...parts, random: seededRandom(seed + 2), rest: options.rest }));
  const schedule = new Load({ ...parts, random });
  stack.use(schedule);
  const following = new AbortController();
  const followers = await begin(load, stack, following.signal);
  const clients = [
    ...home.devices.flatMap((device) => [
      ...WRITTEN.map((property) => writer(load, device, property)),
      reporter(load, device),
    ]),
    reader(load),
    reader(load),
    watcher(load),
    tokenUser(load, await makeUser(load, "token-user")),
  ];
  const faults: FaultName[] = [];
  await load.clockPause(AROUND_MS);
  const began = systemClock.monotonic();
  for (;;) {
    const ranMs = systemClock.monotonic() - began;
    const name = options.next(random, ranMs);
    if (name === undefined) break;
    faults.push(name);
    options.onFault?.(`${(ranMs / 1000).toFixed(1)} s: ${name}`);
    await FAULTS[name](schedule);
  }
  await load.clockPause(AROUND_MS);
  load.end();
  await Promise.all(clients);
  const awaited = await calm(load);
  following.abort(new Error("everything is told"));
  await Promise.all(followers);
  const final = await gather(load);
  const whole = { ...history, final };
  const { violations, counts } = judge(whole);
  const noticed = faults.every((name) => GENTLE.has(name)) ? judgeSmooth(whole) : [];
  const { stderr } = cluster;
  return { violations: [...awaited, ...violations, ...noticed], counts, faults, history: whole, stderr };
}

/** The receivers of events, from where the log stands now; a break ends none of them. */
async function begin(load: Load, stack: AsyncDisposableStack, signal: AbortSignal): Promise<Promise<void>[]> {
  const { home, history } = load;
  const receiver = stack.use(await startReceiver(load));
  await home.api.good("POST", "/api/webhooks", { url: receiver.url, ecosystemId: home.ecosystemId });
  const [newest] = await query(load, "select max(sequence)::int as n from events where ecosystem_id = $1", [
    home.ecosystemId,
  ]);
  history.hookAfter = Number(newest?.n);
  return ["a", "b"].map((name) => follower(load, name, history.hookAfter, signal));
}
