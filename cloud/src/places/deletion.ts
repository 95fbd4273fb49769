/**
 * What a deletion does at once, in the one transaction that makes it so: the object itself is gone, what acted in it acts no
 * more, and what was inside is gone by standing there. The rows of that are the sweeper's.
 */
import { endLivingObject, type References, type Resolved, type Revocations } from "../access/index.ts";
import { type ObjectRow, statement, type Transaction } from "../store/index.ts";

export interface DeletionDeps {
  readonly references: References;
  readonly revocations: Revocations;
  readonly sweeper: SweepTrigger;
  readonly devices: DeviceKeeper;
}

/** Begins a sweep of what is left. */
export interface SweepTrigger {
  wake(): void;
}

/** Who keeps the devices of an environment in memory. */
export interface DeviceKeeper {
  environmentChanged(environmentId: string): void;
  homeChanged(environmentId: string): void;
}

/** What is left to be swept, and how. */
export type SweepKind = "eco" | "env" | "cli";

type Swept = { eco: string; id: string; kind: string; at: number };
const addSweep = statement<Swept>("add_sweep")((db, p) =>
  db
    .insertInto("sweeps")
    .values({ ecosystem_id: p.eco, id: p.id, kind: p.kind, created_at: p.at })
    .onConflict((conflict) => conflict.columns(["ecosystem_id", "id"]).doNothing()),
);
/** Whatever a connection still had to say has no effect any more: its epoch is not the newest. */
const supersedeHubs = (name: string, column: "ecosystem_id" | "environment_id") =>
  statement<{ eco: string; place: string }>(name)((db, p) =>
    db
      .updateTable("clients")
      .set((of) => ({ epoch: of("epoch", "+", 1), online: 0 }))
      .where("ecosystem_id", "=", p.eco)
      .where(column, "=", p.place),
  );
const supersedeInEcosystem = supersedeHubs("supersede_hubs_of_ecosystem", "ecosystem_id");
const supersedeInEnvironment = supersedeHubs("supersede_hubs_of_environment", "environment_id");
const endEcosystemRow = statement<{ eco: string; at: number }>("end_ecosystem")((db, p) =>
  db.updateTable("ecosystems").set({ gone_at: p.at }).where("id", "=", p.eco).where("gone_at", "is", null),
);

/** Gives its row as it was. @throws "Environment Not Found", "Precondition Failed" */
export async function endEnvironment(
  tx: Transaction,
  deps: DeletionDeps,
  target: Resolved<"env">,
  matches?: (version: number) => boolean,
): Promise<ObjectRow> {
  const { ecosystemId: eco, id } = target;
  const row = await endLivingObject(tx, deps.references, target, tx.now(), matches);
  await tx.run(supersedeInEnvironment, { eco, place: id });
  await leaveToSweeper(tx, deps, eco, id, "env");
  await deps.revocations.end(tx, { kind: "environment", subjectId: id });
  tx.afterCommit(() => deps.devices.environmentChanged(id));
  return row;
}

/** Gives its row as it was. @throws "Ecosystem Not Found", "Precondition Failed" */
export async function endEcosystem(
  tx: Transaction,
  deps: Omit<DeletionDeps, "devices">,
  accountId: string,
  target: Resolved<"eco">,
  matches?: (version: number) => boolean,
): Promise<ObjectRow> {
  const { id: eco } = target;
  const row = await endLivingObject(tx, deps.references, target, tx.now(), matches);
  await tx.run(endEcosystemRow, { eco, at: tx.now() });
  await tx.run(supersedeInEcosystem, { eco, place: eco });
  await leaveToSweeper(tx, deps, eco, eco, "eco");
  await deps.revocations.end(tx, { kind: "ecosystem", subjectId: eco });
  await deps.revocations.end(tx, { kind: "access", subjectId: accountId });
  return row;
}

/** What is left of a gone container is swept away, whichever process is alive then. */
export async function leaveToSweeper(
  tx: Transaction,
  { sweeper }: { readonly sweeper: SweepTrigger },
  eco: string,
  id: string,
  kind: SweepKind,
): Promise<void> {
  await tx.run(addSweep, { eco, id, kind, at: tx.now() });
  tx.afterCommit(() => sweeper.wake());
}
