/** The nodes that the announced services are: one for each edgeId, however many services say that they are it. Pure, but for its counts. */
import type { AnnouncedService } from "@porchlight/driver-kit/network";
import { type Announcement, type AnnouncementProblem, readAnnouncement } from "./announcement.ts";

/** A node as it is announced now. */
export interface Sighting extends Announcement {
  /** Where it says that it is, likeliest first. */
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export class Sightings {
  /** Announcements that are of no use, by reason: each counts once, until its service says something else. */
  readonly ignored: Partial<Record<AnnouncementProblem, number>> = {};
  #counted = new Map<string, AnnouncementProblem>();

  /** Every node that can be made out, by edgeId. @param services all that are announced now */
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
      // Two services for one node: both places are tried, and neither name is the truth.
      nodes.set(
        said.edgeId,
        other ? { ...other, endpoints: [...other.endpoints, ...endpoints] } : { ...said, endpoints },
      );
    }
    this.#counted = counted;
    return nodes;
  }
}
