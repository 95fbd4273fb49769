/**
 * Devices that the network announces: the services as a driver sees them, and one line for each announced name, to the address that is
 * announced now.
 */

/** A service that is announced on the network (RFC 6763). */
export interface NetworkService {
  readonly instance: string;
  readonly address: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

/** Why announcements do not, or may not, reach the hub. */
export interface NetworkTrouble {
  /** `cannot_listen`: there is no interface, or no socket. `nothing_announced`: no announcement of any type has come for minutes. */
  readonly why: "cannot_listen" | "nothing_announced";
  /** A sentence for people. */
  readonly says: string;
  /** What people can do about it. */
  readonly cure: string;
}

/** Services of one type that are announced now. */
export interface NetworkServices {
  current(): readonly NetworkService[];
  subscribe(listener: () => void): Disposable;
  /** Absent when the trouble cannot be determined. */
  trouble?(): NetworkTrouble | undefined;
}

/**
 * A driver's troubles with the network on which it discovers its devices; none while it has devices, since then it does not need
 * announcements.
 */
export function networkTroubles(services: NetworkServices | undefined, hasDevices: boolean): readonly NetworkTrouble[] {
  const trouble = hasDevices ? undefined : services?.trouble?.();
  return trouble ? [trouble] : [];
}

/** The connection to the device of one place. */
interface AnnouncedLine {
  /** Undefined while it is not connected. */
  readonly device: unknown;
  /** Settles when the line has ended: with the driver, or because its place is no longer announced. Never rejects. */
  readonly ended: Promise<void>;
  /** Ends a wait for the next try at once. */
  poke(): void;
}

/** A place, by its announced name. */
export interface AnnouncedPlace {
  readonly name: string;
  /** The current announcement; undefined when there is none any more. */
  readonly service: () => NetworkService | undefined;
  /** The address of the announced service. */
  readonly endpoint: () => { readonly host: string; readonly port: number } | undefined;
}

interface AnnouncedPlacesDeps<L extends AnnouncedLine> {
  /** Undefined: the hub does not listen for announcements. */
  readonly services: NetworkServices | undefined;
  readonly open: (place: AnnouncedPlace) => L;
  /** Called with the number of announced devices beyond the maximum. */
  readonly tooMany: (count: number) => void;
}

/** Maximum number of announced devices that the hub connects to. */
const MOST_DEVICES = 250;

export class AnnouncedPlaces<L extends AnnouncedLine> implements AsyncDisposable {
  readonly #deps: AnnouncedPlacesDeps<L>;
  readonly #lines = new Map<string, L>();
  readonly #subscription: Disposable | undefined;
  #isEnding = false;
  #now: ReadonlyMap<string, NetworkService> = new Map();

  constructor(deps: AnnouncedPlacesDeps<L>) {
    this.#deps = deps;
    this.#subscription = deps.services?.subscribe(() => this.#look());
    this.#look();
  }

  get lines(): readonly L[] {
    return [...this.#lines.values()];
  }

  /** Settles when all lines have ended, by the signal that they were opened with. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    this.#subscription?.[Symbol.dispose]();
    await Promise.all(this.lines.map(({ ended }) => ended));
  }

  #look(): void {
    const before = this.#now;
    const announced = (this.#deps.services?.current() ?? []).map((each) => [each.instance, each] as const);
    this.#now = new Map(announced);
    let tooMany = 0;
    for (const [instance, service] of this.#now) {
      const line = this.#lines.get(instance);
      if (line) {
        if (isElsewhere(before.get(instance), service)) line.poke();
      } else if (this.#lines.size < MOST_DEVICES) this.#open(instance);
      else tooMany += 1;
    }
    this.#deps.tooMany(tooMany);
    // An announcement may be lost while its device is still there: a connected line stays until it disconnects.
    for (const [instance, line] of this.#lines) if (!this.#now.has(instance) && !line.device) line.poke();
  }

  #open(instance: string): void {
    const service = () => this.#now.get(instance);
    const endpoint = () => {
      const now = service();
      return now && { host: now.address, port: now.port };
    };
    const line = this.#deps.open({ name: instance, service, endpoint });
    this.#lines.set(instance, line);
    void line.ended.then(() => {
      this.#lines.delete(instance);
      if (!this.#isEnding) this.#look();
    });
  }
}

function isElsewhere(before: NetworkService | undefined, now: NetworkService): boolean {
  return before?.address !== now.address || before.port !== now.port;
}
