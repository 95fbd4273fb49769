/**
 * The immediate part of a deletion, in one transaction: the object is deleted, its credentials are revoked, and its
 * contents count as deleted with it. The sweeper deletes their rows.
 */
import { endLivingObject, type References, type Resolved, type Revocations } from "../access/index.ts";
import { type ObjectRow, statement, type Transaction } from "../store/index.ts";

export interface DeletionDeps {
  readonly references: References;
  readonly revocations: Revocations;
  readonly sweeper: SweepTrigger;
  readonly devices: DeviceKeeper;
}

/** Starts a sweep of the rest. */
export interface SweepTrigger {
  wake(): void;
}

/** Holder of the environments' cached devices. */
export interface DeviceKeeper {
  environmentChanged(environmentId: string): void;
  homeChanged(environmentId: string): void;
}

/** Kind of the deleted container, which determines the sweep. */
export type SweepKind = "eco" | "env" | "cli";

type Swept = { eco: string; id: string; kind: string; at: number };
const addSweep = statement<Swept>("add_sweep")((db, p) =>
  db
    .insertInto("sweeps")
    .values({ ecosystem_id: p.eco, id: p.id, kind: p.kind, created_at: p.at })
    .onConflict((conflict) => conflict.columns(["ecosystem_id", "id"]).doNothing()),
);
/** Raises the epochs, so that later messages of the open connections have no effect. */
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

/** Returns the row as it was before. @throws "Environment Not Found", "Precondition Failed" */
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

/** Returns the row as it was before. @throws "Ecosystem Not Found", "Precondition Failed" */
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

/** Records that a deleted container must be swept, by any process that is alive then. */
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
