/** The frames behind a value, in the words of portal and console: its own file, because they are tables and not sentences. Pure. */
import { tookOf } from "../spans.ts";
import type { WhyFrameTold, WhyTold } from "./why-told.ts";

export interface FrameTable {
  /** What these frames are of. */
  readonly title: string;
  readonly rows: readonly FrameRow[];
}

export interface FrameRow {
  /** Since the first of them: `4.2 ms`. */
  readonly after: string;
  readonly direction: string;
  readonly says: string;
  /** In pairs of digits; ends with `…` when there is more; empty of a damaged frame. */
  readonly hex: string;
}

const DIRECTIONS: Readonly<Record<string, string>> = { to_device: "to the device", from_device: "from the device" };

/** Those of what made the value, then those of the newest command; of what the hub has no frames there is no table. */
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
