/**
 * Where a command came from, and where its time went: JSON in two columns of its row, so that they cost no write of their own. Its own
 * file because those who write a command and who tell of it read it alike.
 */
import { z } from "zod";
import type { CommandRow } from "../../store/index.ts";

/** The request that gave the command, as far as it is known where the row is made. */
export interface CommandOrigin {
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** A value of a virtual device was reported, as its own sensor would. */
  readonly isReport?: true | undefined;
}

/** Where a command's time goes, in this order; `hub` is until the device was asked and after it had answered, `tunnel` there and back. */
const COMMAND_HOPS = ["api", "node", "tunnel", "hub", "device"] as const;
export type CommandHop = (typeof COMMAND_HOPS)[number];

const storedOrigin = z.object({
  address: z.string().optional(),
  requestId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  isReport: z.literal(true).optional(),
});
/** What another node is told of the request, when it carries the command out. */
export const remoteOrigin = storedOrigin.pick({ address: true, idempotencyKey: true }).optional();
const storedHops = z.partialRecord(z.enum(COMMAND_HOPS), z.number());

/** Text of the column; null when nothing is known. */
export function originText(origin: CommandOrigin): string | null {
  const text = JSON.stringify(origin);
  return text === "{}" ? null : text;
}

/**
 * Text of the column.
 * @param ms of each stretch by its name, as a `TimingBreakdown` has them: what a hub has told is named `hub-…`
 * @param isElsewhere another node took the request: how long it had it is not known here
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
  // Every command that ends has this text: it is put together from its parts.
  let text = `{"${isElsewhere ? "node" : "api"}":${tenths(check + store + queue)}`;
  if (tunnel !== undefined) text += `,"tunnel":${tenths(Math.max(0, tunnel - hub - (device ?? 0)))}`;
  if (turn !== undefined || journal !== undefined) text += `,"hub":${tenths(hub)}`;
  if (device !== undefined) text += `,"device":${tenths(device)}`;
  return `${text}}`;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** What a row tells of its origin; nothing of one that was stored before origins were. */
export function originOf({ origin }: Pick<CommandRow, "origin">): CommandOrigin {
  return origin === null ? {} : storedOrigin.parse(JSON.parse(origin));
}

/** The hops of a row in their order. */
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
