/** What made a property change, as `property.changed` tells it (A6). */
import type { ValueRecord } from "../../tunnel/index.ts";

export type ChangeCause =
  | {
      readonly kind: "command";
      readonly commandId: string;
      readonly tokenId?: string | undefined;
      /** From when it was accepted until it was confirmed; absent when nobody waited for it. */
      readonly durationMs?: number | undefined;
    }
  | { readonly kind: "device" }
  /** Somebody at home, through the hub's own API. */
  | { readonly kind: "local" }
  | { readonly kind: "refresh"; readonly tokenId?: string | undefined };

/** The same in the words of a hub's history. */
export const CHANGE_CAUSES = { report: "device", read: "refresh", local: "local" } as const satisfies Readonly<
  Record<ValueRecord["cause"], ChangeCause["kind"]>
>;
