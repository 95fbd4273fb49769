/** Reads the description of one device part by part, and tolerates any answer. */
import type { DeviceAbout } from "@porchlight/shared/model";
import { type DescriptionPart, decodeServices, MAX_PARTS } from "@porchlight/shared/wire";
import type { ExchangeEnd } from "../exchange/exchange-state.ts";
import type { Exchanges } from "../exchange/exchanges.ts";
import { DescribedDevice } from "./described-device.ts";

export type Described =
  | {
      readonly kind: "described";
      readonly device: DescribedDevice;
      readonly leftOut: number;
      readonly problems: readonly string[];
    }
  | { readonly kind: "lost" }
  | { readonly kind: "failed"; readonly reason: string };

interface Seat {
  readonly place: number;
  readonly exchanges: Exchanges;
  /** Facts about the device from other sources: its own DESCRIPTION takes precedence. */
  readonly about: DeviceAbout;
}

/** Requests every part of the description at a place. Never rejects. DP4, "DESCRIPTION". */
export async function describeDevice({ place: device, exchanges, about: nodeAbout }: Seat): Promise<Described> {
  const parts: DescriptionPart[] = [];
  let total = 1;
  while (parts.length < Math.min(total, MAX_PARTS)) {
    const part = parts.length;
    const end = await exchanges.request({
      make: (seq) => ({ type: "DESCRIBE", seq, device, part }),
      answer: "DESCRIPTION",
    });
    if (end.kind === "lost") return { kind: "lost" };
    if (end.kind !== "answered" || end.message.type !== "DESCRIPTION") return failed(end);
    const { message } = end;
    if (message.device !== device || message.part !== part)
      return { kind: "failed", reason: "it sent the description of something else" };
    if (part > 0 && message.parts !== total) return { kind: "failed", reason: "it changed while it was read" };
    total = message.parts;
    parts.push({ services: message.services, about: message.about });
  }
  const { services, about, leftOut, problems } = decodeServices(parts);
  const tooMany = Math.max(0, total - MAX_PARTS);
  return {
    kind: "described",
    device: new DescribedDevice(services, { ...nodeAbout, ...about }),
    leftOut: leftOut + tooMany,
    problems: tooMany > 0 ? [...problems, `${tooMany} parts after the first ${MAX_PARTS}`] : problems,
  };
}

function failed(end: ExchangeEnd): Described {
  const reason = end.kind === "error" ? `error ${end.code} ${end.text}`.trim() : end.kind;
  return { kind: "failed", reason };
}
