/** What made a property change, as `property.changed` tells it (A6). */
import type { SceneCaller, ValueRecord } from "../../tunnel/index.ts";

export type ChangeCause =
  | {
      readonly kind: "command";
      readonly commandId: string;
      readonly tokenId?: string | undefined;
      /** From when it was accepted until it was confirmed; absent when nobody waited for it. */
      readonly durationMs?: number | undefined;
    }
  | { readonly kind: "device" }
  /**
   * A scene. `commandId` is the command that set this property, `sceneCommandId` that of the whole call; a hub that calls the scene by itself has
   * neither, and says in `by` why.
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
  /** Somebody at home, through the hub's own API. */
  | { readonly kind: "local" }
  | { readonly kind: "refresh"; readonly tokenId?: string | undefined };

/** The same in the words of a hub's history. */
export const CHANGE_CAUSES = { report: "device", read: "refresh", local: "local" } as const satisfies Readonly<
  Record<ValueRecord["cause"], ChangeCause["kind"]>
>;
