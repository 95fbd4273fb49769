/** Maps announced services to nodes: one node for each edgeId, however many services claim it. Pure, except for its counts. */
import type { AnnouncedService } from "@porchlight/driver-kit/network";
import { type Announcement, type AnnouncementProblem, readAnnouncement } from "./announcement.ts";

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
      const said = readAnnouncement(txt);
      if (typeof said === "string") {
        if (this.#counted.get(instance) !== said) this.ignored[said] = (this.ignored[said] ?? 0) + 1;
        counted.set(instance, said);
        continue;
      }
      const endpoints = addresses.map((address) => ({ address, port }));
      const other = nodes.get(said.edgeId);
      // Two services claim one node: both places are tried, because either claim may be false.
      nodes.set(
        said.edgeId,
        other ? { ...other, endpoints: [...other.endpoints, ...endpoints] } : { ...said, endpoints },
      );
    }
    this.#counted = counted;
    return nodes;
  }
}
