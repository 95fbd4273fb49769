/** What a node says of itself in its TXT record: read, or refused by name. Pure. DP1, "Network". */
import { isEdgeId } from "@porchlight/shared/model";
import { PROTOCOL_VERSION } from "@porchlight/shared/wire";

/** The service that nodes announce. */
export const SERVICE = "_porchlight._tcp.local";

export interface Announcement {
  readonly edgeId: string;
  /** For people; nothing depends on it. */
  readonly model?: string | undefined;
  readonly tls: boolean;
}

/** Why a TXT record is of no use. */
export type AnnouncementProblem = "badTxt" | "otherVersion" | "badId" | "otherSecurity";

const LONGEST_MODEL = 64;
/** Longest TXT record that is looked at, bytes. */
const LONGEST_TXT = 1024;

/** @param data of a TXT record: strings of bytes, each `key=value` (RFC 6763, section 6) */
export function readAnnouncement(data: unknown): Announcement | AnnouncementProblem {
  const pairs = readPairs(data);
  if (!pairs) return "badTxt";
  if (pairs.get("v") !== String(PROTOCOL_VERSION)) return "otherVersion";
  const edgeId = pairs.get("id") ?? "";
  if (!isEdgeId(edgeId)) return "badId";
  const tls = pairs.get("tls");
  if (tls !== undefined && tls !== "psk") return "otherSecurity";
  return { edgeId, model: plainText(pairs.get("mo")), tls: tls === "psk" };
}

/** Keys in lower case; of a key that is there twice the first counts (RFC 6763, section 6.4). */
function readPairs(data: unknown): Map<string, string> | undefined {
  const strings = Array.isArray(data) ? data : [data];
  const pairs = new Map<string, string>();
  let bytes = 0;
  for (const each of strings) {
    if (!Buffer.isBuffer(each)) return undefined;
    bytes += each.length;
    if (bytes > LONGEST_TXT) return undefined;
    const text = each.toString("utf8");
    const at = text.indexOf("=");
    const key = (at < 0 ? text : text.slice(0, at)).toLowerCase();
    if (key !== "" && !pairs.has(key)) pairs.set(key, at < 0 ? "" : text.slice(at + 1));
  }
  return pairs;
}

/** A text that a person can be shown: without what moves the cursor or turns the line around. */
function plainText(text: string | undefined): string | undefined {
  const plain = text?.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain === undefined || plain === "" ? undefined : plain.slice(0, LONGEST_MODEL);
}
