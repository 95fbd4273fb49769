/** The frames behind a value, in the words of portal and console: its own file because it makes tables, not sentences. Pure. */

import type { Sender } from "./senders.ts";
import { tookOf } from "./spans.ts";

export interface FrameTable {
  /** The exchange that the frames belong to. */
  readonly title: string;
  readonly rows: readonly FrameRow[];
}

export interface FrameRow {
  /** Time since the first frame: `4.2 ms`. */
  readonly after: string;
  readonly direction: string;
  readonly says: string;
  /** Pairs of hex digits; ends with `…` when the frame is longer; empty for a damaged frame. */
  readonly hex: string;
}

const DIRECTIONS: Readonly<Record<string, string>> = { to_device: "to the device", from_device: "from the device" };

/** Tables of the frames that caused the value, then of the newest command; none where the hub has no frames. */
export function frameTables({ cause, asked }: Pick<WhyTold, "cause" | "asked">): FrameTable[] {
  const { kind, command, frames } = cause;
  const ofValue = kind === "device" ? "report" : kind === "refresh" ? "reading" : "command";
  return [
    ...tableOf("Frames of the command", command?.frames),
    ...tableOf(`Frames of the ${ofValue}`, frames),
    ...tableOf("Frames of the newest command", asked?.frames),
  ];
}

function tableOf(title: string, frames: readonly WhyFrameTold[] = []): FrameTable[] {
  if (frames.length === 0) return [];
  const rows = frames.map(({ afterMs, direction, says, hex, bytes }) => ({
    after: tookOf(afterMs),
    direction: DIRECTIONS[direction] ?? direction,
    says,
    hex: `${(hex.match(/../g) ?? []).join(" ")}${hex.length < 2 * bytes ? " …" : ""}`,
  }));
  return [{ title, rows }];
}

/** The part of a `why` answer that sentences need: declared here because this module ranks below the API's schemas. */
interface WhyFrameTold {
  readonly afterMs: number;
  readonly direction: string;
  readonly bytes: number;
  readonly hex: string;
  readonly says: string;
}

export interface WhyCommandTold {
  readonly id: string;
  readonly value: unknown;
  readonly state: string;
  readonly outcome?: string | undefined;
  readonly createdAt: string;
  readonly by?: Sender | undefined;
  readonly isReport?: true | undefined;
  readonly durationMs?: number | undefined;
  readonly hops?: readonly { readonly hop: string; readonly ms: number }[] | undefined;
  readonly journal?:
    | { readonly isFound: boolean; readonly outcome?: string | undefined; readonly detail?: string | undefined }
    | undefined;
  readonly frames?: readonly WhyFrameTold[] | undefined;
}

export interface WhyTold {
  readonly deviceId: string;
  readonly deviceName?: string | undefined;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly unit?: string | undefined;
  readonly value?: unknown;
  readonly modifiedAt?: string | undefined;
  readonly answeredAt: string;
  readonly cause: {
    readonly kind: string;
    readonly at?: string | undefined;
    readonly previousValue?: unknown;
    readonly commandId?: string | undefined;
    readonly sceneId?: string | undefined;
    readonly sceneName?: string | undefined;
    readonly sceneTrigger?: string | undefined;
    readonly by?: Sender | undefined;
    readonly command?: WhyCommandTold | undefined;
    readonly frames?: readonly WhyFrameTold[] | undefined;
  };
  readonly asked?: WhyCommandTold | undefined;
  readonly obstacles: readonly {
    readonly kind: string;
    readonly since?: string | undefined;
    readonly until?: string | undefined;
    readonly reason?: string | undefined;
    readonly isUnsure?: true | undefined;
    readonly detail?: string | undefined;
    readonly code?: number | undefined;
  }[];
  readonly unknown: readonly { readonly about: string; readonly detail: string }[];
  readonly hub?: { readonly name: string } | undefined;
}
