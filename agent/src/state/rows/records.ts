/** The records of the hub's history as the store holds them: those of the tunnel, with the model's read-only values. */
import type { HubHops, Value } from "@porchlight/shared/model";
import type { ChangeCause } from "@porchlight/shared/rest";
import type { HubRecord, ResultRecord, SceneCaller, ValueRecord } from "@porchlight/shared/tunnel";

type WithValues<R> = R extends unknown
  ? { readonly [K in keyof R]: K extends "value" | "requested" ? Value : R[K] }
  : never;

export type StoredRecord = WithValues<HubRecord>;
/** The end of a command (`frames.ts`, resultRecord). */
export type StoredResult = WithValues<ResultRecord> & {
  /** Of one that was given at home and confirmed: when the value last changed, ms since 1970. */
  readonly modifiedAt?: number | undefined;
};
/** How a value was learned: `report`: the device told; `read`: it was asked; `local`: a write at home. */
export type Cause = ValueRecord["cause"];
/** The scene that a command belongs to. */
export interface CommandScene {
  /** `scn_…` */
  readonly id: string;
  /** Who called it at home; left out when the cloud did. */
  readonly by?: SceneCaller | undefined;
}
/** The end of a command before it has its number. */
export type CommandEnd = Omit<StoredResult, "kind" | "n" | "modifiedAt"> & {
  /** The command was given at home: the cloud knows nothing of it. */
  readonly local?: boolean | undefined;
  /** Where the hub's time went: for the journal, not for the history. */
  readonly hops?: HubHops | undefined;
  readonly scene?: CommandScene | undefined;
};

/** Why a value has changed: a command, or the scene that the hub called by itself. */
export function commandCause(commandId: string, scene: CommandScene | undefined): ChangeCause {
  return scene ? { ...sceneCause(scene), commandId } : { kind: "command", commandId };
}

/** The scene that has changed a value. */
export function sceneCause({ id, by }: CommandScene) {
  return { kind: "scene", sceneId: id, ...(by && { by }) } as const;
}
