/**
 * The origin of a command and the timing of its stages: JSON in two columns of its row, so that they cost no write of
 * their own. Writers and readers of commands share the format.
 */
import { z } from "zod";
import type { CommandRow } from "../../store/index.ts";

/** The request that a command came from, as far as it is known where the row is made. */
export interface CommandOrigin {
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The value was reported for a virtual device, as its own sensor would. */
  readonly isReport?: true | undefined;
}

/** The stages of a command, in order; `hub` is the hub's time before and after the device's, `tunnel` the time there and back. */
const COMMAND_HOPS = ["api", "node", "tunnel", "hub", "device"] as const;
export type CommandHop = (typeof COMMAND_HOPS)[number];

const storedOrigin = z.object({
  address: z.string().optional(),
  requestId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  isReport: z.literal(true).optional(),
});
/** The part of the origin that another node gets when it executes the command. */
export const remoteOrigin = storedOrigin.pick({ address: true, idempotencyKey: true }).optional();
const storedHops = z.partialRecord(z.enum(COMMAND_HOPS), z.number());

/** Text of the column; null for an unknown origin. */
export function originText(origin: CommandOrigin): string | null {
  const text = JSON.stringify(origin);
  return text === "{}" ? null : text;
}

/**
 * Text of the column.
 * @param ms duration of each stage by name, as in a `TimingBreakdown`; stages reported by a hub are named `hub-…`
 * @param isElsewhere another node took the request: its own time is not known here
 */
export function hopsText(ms: Readonly<Record<string, number>>, isElsewhere: boolean): string | null {
  const {
    check = 0,
    store = 0,
    queue = 0,
    tunnel,
    "hub-turn": turn,
    "hub-journal": journal,
    "hub-device": device,
  } = ms;
  const hub = (turn ?? 0) + (journal ?? 0);
  // Every command that ends has this text: it is concatenated, because that is fast.
  let text = `{"${isElsewhere ? "node" : "api"}":${tenths(check + store + queue)}`;
  if (tunnel !== undefined) text += `,"tunnel":${tenths(Math.max(0, tunnel - hub - (device ?? 0)))}`;
  if (turn !== undefined || journal !== undefined) text += `,"hub":${tenths(hub)}`;
  if (device !== undefined) text += `,"device":${tenths(device)}`;
  return `${text}}`;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The origin in a row; empty for a row stored before the column existed. */
export function originOf({ origin }: Pick<CommandRow, "origin">): CommandOrigin {
  return origin === null ? {} : storedOrigin.parse(JSON.parse(origin));
}

/** The hops of a row, in order. */
export function hopsOf({
  hops,
}: Pick<CommandRow, "hops">): readonly { readonly hop: CommandHop; readonly ms: number }[] {
  if (hops === null) return [];
  const stored = storedHops.parse(JSON.parse(hops));
  return COMMAND_HOPS.flatMap((hop) => {
    const ms = stored[hop];
    return ms === undefined ? [] : [{ hop, ms }];
  });
}
