/** Parses a node's TXT record, or refuses it with a named reason. Pure. DP1, "Network". */
import { isEdgeId } from "@porchlight/shared/model";
import { PROTOCOL_VERSION } from "@porchlight/shared/wire";

/** The service type of nodes. */
export const SERVICE_TYPE = "_porchlight._tcp";

export interface Announcement {
  readonly edgeId: string;
  /** For people; no decision depends on it. */
  readonly model?: string | undefined;
  readonly tls: boolean;
}

/** Why a TXT record is refused. */
export type AnnouncementProblem = "otherVersion" | "badId" | "otherSecurity";

const LONGEST_MODEL = 64;

export function readAnnouncement(txt: Readonly<Record<string, string>>): Announcement | AnnouncementProblem {
  if (txt.v !== String(PROTOCOL_VERSION)) return "otherVersion";
  const edgeId = txt.id ?? "";
  if (!isEdgeId(edgeId)) return "badId";
  if (txt.tls !== undefined && txt.tls !== "psk") return "otherSecurity";
  return { edgeId, model: plainText(txt.mo), tls: txt.tls === "psk" };
}

/** A text that is safe to show: without characters that move the cursor or reverse the line. */
function plainText(text: string | undefined): string | undefined {
  const plain = text?.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain === undefined || plain === "" ? undefined : plain.slice(0, LONGEST_MODEL);
}
