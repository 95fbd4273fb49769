/** The cause of a property's change, as `property.changed` carries it (A6). */
import type { SceneCaller, ValueRecord } from "../../tunnel/index.ts";

export type ChangeCause =
  | {
      readonly kind: "command";
      readonly commandId: string;
      readonly tokenId?: string | undefined;
      /** Time from acceptance to confirmation; absent when no caller waited for it. */
      readonly durationMs?: number | undefined;
    }
  | { readonly kind: "device" }
  /**
   * A scene. `commandId` is the command that set this property, `sceneCommandId` that of the whole call. When a hub calls the scene on
   * its own, both are absent, and `by` states the reason.
   */
  | {
      readonly kind: "scene";
      readonly sceneId: string;
      readonly sceneCommandId?: string | undefined;
      readonly commandId?: string | undefined;
      readonly tokenId?: string | undefined;
      readonly durationMs?: number | undefined;
      readonly by?: SceneCaller | undefined;
    }
  /** A user at home, through the hub's own API. */
  | { readonly kind: "local" }
  | { readonly kind: "refresh"; readonly tokenId?: string | undefined };

/** Causes by their names in a hub's history. */
export const CHANGE_CAUSES = { report: "device", read: "refresh", local: "local" } as const satisfies Readonly<
  Record<ValueRecord["cause"], ChangeCause["kind"]>
>;
