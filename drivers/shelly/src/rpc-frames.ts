/** Frames of the protocol (JSON-RPC 2.0 in Shelly's dialect): requests, and the parsing of incoming text. */
import { parseRawJson } from "@porchlight/driver-kit";
import { z } from "zod";

/** Largest accepted frame, characters; a device with every feature sends about 30 KiB at once. */
export const LARGEST_FRAME = 256 * 1024;

const MOST_EVENTS = 100;

const answer = z.object({
  id: z.int(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string().max(4096) }).optional(),
});
const event = z.object({ component: z.string().max(64), event: z.string().max(64) });
const json = z.record(z.string().max(64), z.unknown());
const notice = z.discriminatedUnion("method", [
  z.object({ method: z.literal("NotifyStatus"), src: z.string().max(128), params: json }),
  z.object({ method: z.literal("NotifyFullStatus"), src: z.string().max(128), params: json }),
  z.object({
    method: z.literal("NotifyEvent"),
    src: z.string().max(128),
    params: z.object({ events: z.array(event).max(MOST_EVENTS) }),
  }),
]);

export type Answer = z.output<typeof answer>;
export type Notice = z.output<typeof notice>;
export type ShellyEvent = z.output<typeof event>;

export type Frame =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "notice"; readonly notice: Notice }
  | { readonly kind: "tooLarge" | "notJson" | "notUnderstood" };

export function frameOf(text: string): Frame {
  if (text.length > LARGEST_FRAME) return { kind: "tooLarge" };
  let parsed: unknown;
  try {
    parsed = parseRawJson(text);
  } catch {
    return { kind: "notJson" };
  }
  const told = notice.safeParse(parsed);
  if (told.success) return { kind: "notice", notice: told.data };
  const answered = answer.safeParse(parsed);
  return answered.success ? { kind: "answer", answer: answered.data } : { kind: "notUnderstood" };
}

export interface Request {
  readonly id: number;
  /** A device sends notices only to a peer with a name. */
  readonly src: string;
  /** Firmware 2.0.0 ignores frames without a receiver. */
  readonly dst: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly auth?: object | undefined;
}
