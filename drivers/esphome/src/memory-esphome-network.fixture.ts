/** A home network in memory: fake devices at addresses, which announce themselves, and a cable that can be cut. */
import type { NetworkService, NetworkServices, NetworkTrouble } from "@porchlight/driver-kit";
import { memoryLinkPair } from "@porchlight/driver-kit/links/memory-link.fixture.ts";
import type { ByteLink } from "@porchlight/shared/wire";
import type { OpenEspHome } from "./esphome-line.ts";
import type { FakeEspHome } from "./fake-esphome.fixture.ts";

export class MemoryEspHomes implements NetworkServices {
  /** How often something was to be opened. */
  tries = 0;
  isThere = true;
  /** Announcements do not reach the hub. */
  blocked: NetworkTrouble | undefined;
  readonly #devices = new Map<string, FakeEspHome>();
  readonly #open = new Set<ByteLink>();
  readonly #announced = new Map<string, NetworkService>();
  readonly #listeners = new Set<() => void>();

  /** A device comes to an address. */
  add(host: string, device: FakeEspHome, isAnnounced = true): FakeEspHome {
    this.#devices.set(host, device);
    if (isAnnounced) this.announce(host, device);
    return device;
  }

  /** Without power: it is reached by nobody, and its connections are gone. */
  remove(host: string): void {
    const device = this.#devices.get(host);
    this.#devices.delete(host);
    for (const each of [...(device?.connections ?? [])]) each.close();
  }

  announce(host: string, { name, mac, key, options }: FakeEspHome, more: Record<string, string> = {}): void {
    const encryption = key === undefined ? {} : { api_encryption: "Noise_NNpsk0_25519_ChaChaPoly_SHA256" };
    const friendly = options.friendlyName === undefined ? {} : { friendly_name: options.friendlyName };
    const txt = {
      mac: mac.toLowerCase(),
      version: "2026.10.0",
      board: "esp32dev",
      ...encryption,
      ...friendly,
      ...more,
    };
    this.#announced.set(name, { instance: name, address: host, port: 6053, txt });
    this.#tellAll();
  }

  /** The announcement is over: a goodbye, or nothing for long. */
  conceal({ name }: FakeEspHome): void {
    this.#announced.delete(name);
    this.#tellAll();
  }

  get held(): number {
    return this.#open.size + this.#listeners.size;
  }

  cut(): void {
    this.isThere = false;
    for (const link of [...this.#open]) link.close();
  }

  mend(): void {
    this.isThere = true;
  }

  current(): readonly NetworkService[] {
    return [...this.#announced.values()];
  }

  trouble(): NetworkTrouble | undefined {
    return this.blocked;
  }

  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Opens a connection, a turn later. */
  readonly open: OpenEspHome = async ({ host }, signal) => {
    this.tries += 1;
    const device = this.#devices.get(host);
    if (!this.isThere || !device) throw new Error("connect EHOSTUNREACH");
    signal.throwIfAborted();
    const [ours, theirs] = memoryLinkPair();
    const link: ByteLink = {
      listen: (onBytes, onClosed) =>
        ours.listen(onBytes, (reason) => {
          this.#open.delete(link);
          onClosed(reason);
        }),
      write: (bytes) => ours.write(bytes),
      close: () => {
        this.#open.delete(link);
        ours.close();
      },
    };
    this.#open.add(link);
    device.accept(theirs);
    return link;
  };

  #tellAll(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
