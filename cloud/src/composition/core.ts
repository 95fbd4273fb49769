/** What every part of the cloud stands on: its settings, time, chance and log, the database, and the other nodes. */
import type { Clock, Log, Random, Scope } from "@porchlight/shared/kernel";
import type { CloudSettings } from "../config/index.ts";
import type { ThisNode } from "../nodes/index.ts";
import { withoutEchoes } from "../ops/index.ts";
import { joinNodes } from "../several-nodes.ts";
import type { AppDeps } from "./app-deps.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";

export interface Core extends OpenDatabase {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly processorTime: AppDeps["processorTime"];
  /** Undefined of a lone node. */
  readonly nodes: ThisNode | undefined;
}

/** @throws as `openDatabase` does */
export async function startCore(deps: AppDeps, scope: Scope): Promise<Core> {
  const { settings, clock, random, bus, processorTime } = deps;
  const log = withoutEchoes(deps.log);
  const database = await openDatabase({ ...deps, log }, scope);
  const nodes = joinNodes({ settings, clock, log, bus, store: database.store }, scope);
  return { settings, clock, random, log, processorTime, nodes, ...database };
}
