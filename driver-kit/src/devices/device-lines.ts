/**
 * All lines of a driver with a connection for each device: lines to addresses in the settings, and lines to devices that the network
 * announces.
 *
 * Invariant: at most one line owns a device, and when that line releases it the others look for it at once.
 */
import { type Admission, type Admissions, type Admit, admission } from "../host/admission.ts";
import { type AnnouncedPlace, AnnouncedPlaces, type NetworkServices } from "./announced-places.ts";
import { DeviceLine, type DeviceLineDeps } from "./device-line.ts";
import type { DevicePlace, DeviceTrouble, LineCandidate, LineDevice } from "./line-connection.ts";

export interface DeviceLinesDeps<P extends DevicePlace> {
  /** Places in the settings. */
  readonly listed: readonly P[];
  /** Undefined: the hub does not listen for announcements. */
  readonly services: NetworkServices | undefined;
  readonly placeOf: (announced: AnnouncedPlace) => P;
  /** Called with the number of announced devices beyond the maximum. */
  readonly tooMany: (count: number) => void;
  readonly admit: Admit;
  /** Devices that people have admitted in addition to the settings. */
  readonly admissions: Admissions | undefined;
  /** Whether a device is connected in another way than by a line. */
  readonly isTaken?: (edgeId: string) => boolean;
  /** Ends the lines. */
  readonly signal: AbortSignal;
}

export class DeviceLines<D extends LineDevice, T extends DeviceTrouble, P extends DevicePlace>
  implements AsyncDisposable
{
  readonly #deps: DeviceLinesDeps<P>;
  readonly #owners = new Map<string, DeviceLine<D, T, P>>();
  /** edgeIds of devices whose address is in the settings. */
  readonly #listedIds = new Set<string>();
  #listed: readonly DeviceLine<D, T, P>[] = [];
  #announced: AnnouncedPlaces<DeviceLine<D, T, P>> | undefined;

  constructor(deps: DeviceLinesDeps<P>) {
    this.#deps = deps;
  }

  /** Opens the lines; called once. @param line what all lines need */
  open(line: DeviceLineDeps<D, T, P>): void {
    const { listed, services, placeOf, tooMany, admissions, signal } = this.#deps;
    const owners = {
      admission: (candidate: LineCandidate) => this.admission(candidate),
      claim: (edgeId: string, line: DeviceLine<D, T, P>) => this.#claim(edgeId, line),
      release: (edgeId: string, line: DeviceLine<D, T, P>) => this.#release(edgeId, line),
    };
    const lineTo = (place: P) => new DeviceLine(place, line, owners, signal);
    this.#listed = listed.map(lineTo);
    this.#announced = new AnnouncedPlaces({ services, open: (place) => lineTo(placeOf(place)), tooMany });
    const unlisten = admissions?.listen(() => {
      for (const line of this.all) line.reconsider();
    });
    signal.addEventListener("abort", () => unlisten?.(), { once: true });
  }

  get all(): readonly DeviceLine<D, T, P>[] {
    return [...this.#listed, ...(this.#announced?.lines ?? [])];
  }

  /** The device of the line that owns it. */
  device(edgeId: string): D | undefined {
    return this.#owners.get(edgeId)?.device;
  }

  /** Whether the hub may use a device. A device whose address is in the settings is admitted as `all` would admit it. */
  admission({ isListed, ...candidate }: LineCandidate): Admission {
    const { admit, admissions } = this.#deps;
    if (isListed) this.#listedIds.add(candidate.edgeId);
    const all = admit.all || this.#listedIds.has(candidate.edgeId);
    return admission({ ...admit, all }, candidate, admissions);
  }

  yield(edgeIds: readonly string[]): void {
    for (const line of this.all) line.yield(edgeIds);
  }

  /** Settles when all lines have ended, by the signal. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#listed.map(({ ended }) => ended), this.#announced?.[Symbol.asyncDispose]()]);
  }

  #claim(edgeId: string, line: DeviceLine<D, T, P>): boolean {
    if ((this.#owners.get(edgeId) ?? line) !== line || this.#deps.isTaken?.(edgeId)) return false;
    this.#owners.set(edgeId, line);
    return true;
  }

  #release(edgeId: string, line: DeviceLine<D, T, P>): void {
    if (this.#owners.get(edgeId) !== line) return;
    this.#owners.delete(edgeId);
    // Another address of the same device may now be the better one.
    for (const other of this.all) if (other !== line && other.trouble?.kind === "reached_otherwise") other.poke();
  }
}
