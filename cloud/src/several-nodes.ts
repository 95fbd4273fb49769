/** Assembles the parts that only a service of several nodes has: the bus, changes of other nodes, and the shared time. */
import { type Clock, every, type Log, type Scope, type SteeredClock } from "@porchlight/shared/kernel";
import type { References, Revocations } from "./access/index.ts";
import { type Bus, BusWatch, NatsBus } from "./bus/index.ts";
import type { CloudSettings } from "./config/index.ts";
import type { Devices } from "./devices/index.ts";
import { dropOldRevocations, type Followed, ThisNode } from "./nodes/index.ts";
import type { Store } from "./store/index.ts";
import type { Streams } from "./streams/index.ts";
import type { Tunnels } from "./tunnels/index.ts";

export interface SeveralNodesDeps {
  readonly settings: CloudSettings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** In place of NATS, for tests. */
  readonly bus?: Bus | undefined;
}

/** Interval of clock corrections, ms. */
const STEER_MS = 5_000;
const SWEEP_MS = 3_600_000;

/** This process as one of several nodes; undefined for a single node. */
export function joinNodes(deps: SeveralNodesDeps, scope: Scope): ThisNode | undefined {
  const { settings, store, clock, log } = deps;
  const bus = deps.bus ?? (settings.nats && NatsBus.start(settings.nats.reveal(), log));
  if (!bus) return undefined;
  scope.use(bus);
  const sweep = every(clock, "old endings", SWEEP_MS, () => {
    dropOldRevocations(store, clock).catch((error: unknown) =>
      log.warn({ error }, "old revocations could not be deleted"),
    );
  });
  scope.defer(() => sweep.cancel());
  const watch = scope.use(BusWatch.start({ bus, clock, log }));
  return scope.use(ThisNode.start({ store, clock, log, bus, warning: () => watch.warning }));
}

/** Interval at which a single node checks for others, ms. */
const ALONE_MS = 30_000;

/** Warns repeatedly while another process, without a bus to this one, writes to the same database. */
export function warnOfOthers(
  { clock, log }: Pick<SeveralNodesDeps, "clock" | "log">,
  tunnels: Pick<Tunnels, "nodeId" | "livingNodes">,
  scope: Scope,
): void {
  let before = new Set<string>();
  const timer = every(clock, "whether it is alone", ALONE_MS, () => {
    const others = tunnels.livingNodes.map(({ id }) => id).filter((id) => id !== tunnels.nodeId);
    // A node that died before this process started is considered dead within less time.
    const staying = others.filter((id) => before.has(id));
    before = new Set(others);
    if (staying.length > 0)
      log.error(
        { others: staying },
        "another process uses this database without --nats; set --nats for both, or stop one of them",
      );
  });
  scope.defer(() => timer.cancel());
}

export interface FollowedParts {
  readonly revocations: Revocations;
  readonly references: References;
  readonly devices: Devices;
  readonly tunnels: Tunnels;
  readonly streams: Streams;
}

/** Routes the changes of other nodes to the parts that follow them. */
export function followedBy({ revocations, references, devices, tunnels, streams }: FollowedParts): Followed {
  return {
    note: (ecosystemId, note) => {
      if (note.kind === "references") references.reread(ecosystemId);
      else devices.heard(note);
      if (note.kind === "tunnel") tunnels.registry.supersede(note.clientId, note.epoch);
    },
    ended: (revocation) => revocations.tell(revocation),
    forget: (ecosystemId) => {
      references.reread(ecosystemId);
      devices.forget(ecosystemId);
    },
    lost: () => streams.endAll(),
  };
}

/** Corrects the clock by the database's, now and at intervals. @throws "Service Unavailable" */
export async function steer(steered: SteeredClock, store: Store, log: Log, scope: Scope): Promise<void> {
  const once = async () => {
    const asked = steered.monotonic();
    const time = await store.databaseTime();
    if (time !== undefined) steered.steer(time, asked, steered.monotonic());
  };
  await once();
  const timer = every(steered, "time of the database", STEER_MS, () => {
    once().catch((error: unknown) => log.debug({ error }, "the time of the database could not be read"));
  });
  scope.defer(() => timer.cancel());
}
