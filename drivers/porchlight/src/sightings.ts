/**
 * Nodes that are announced on the network: parses a node's TXT record, or refuses it with a named reason, and maps services to one node for
 * each edgeId, however many claim it. DP1, "Network".
 */
import type { AnnouncedService } from "@porchlight/driver-kit/network";
import { isEdgeId } from "@porchlight/shared/model";
import { PROTOCOL_VERSION } from "@porchlight/shared/wire";

/** The service type of nodes. */
export const SERVICE_TYPE = "_porchlight._tcp";

interface Announcement {
  readonly edgeId: string;
  /** For people; no decision depends on it. */
  readonly model?: string | undefined;
  readonly tls: boolean;
}

/** Why a TXT record is refused. */
type AnnouncementProblem = "otherVersion" | "badId" | "otherSecurity";

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

/** A currently announced node. */
export interface Sighting extends Announcement {
  /** Its announced places, the likeliest first. */
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export class Sightings {
  /** Numbers of ignored announcements, by reason: each counts once, until its service's TXT record changes. */
  readonly ignored: Partial<Record<AnnouncementProblem, number>> = {};
  #counted = new Map<string, AnnouncementProblem>();

  /** Every valid node, by edgeId. @param services all current announcements */
  nodes(services: readonly AnnouncedService[]): ReadonlyMap<string, Sighting> {
    const nodes = new Map<string, Sighting>();
    const counted = new Map<string, AnnouncementProblem>();
    for (const { instance, addresses, port, txt } of services) {
      const stated = readAnnouncement(txt);
      if (typeof stated === "string") {
        if (this.#counted.get(instance) !== stated) this.ignored[stated] = (this.ignored[stated] ?? 0) + 1;
        counted.set(instance, stated);
        continue;
      }
      const endpoints = addresses.map((address) => ({ address, port }));
      const other = nodes.get(stated.edgeId);
      // Two services claim one node: both places are tried, because either claim may be false.
      nodes.set(
        stated.edgeId,
        other ? { ...other, endpoints: [...other.endpoints, ...endpoints] } : { ...stated, endpoints },
      );
    }
    this.#counted = counted;
    return nodes;
  }
}
