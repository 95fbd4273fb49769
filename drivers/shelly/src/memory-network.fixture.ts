/** A home network in memory: fake devices at addresses, which announce themselves, and a cable that can be cut. */
import type { NetworkService, NetworkServices } from "@porchlight/driver-kit";
import type { TextSocket, TextSocketEvents } from "@porchlight/driver-kit/links";
import type { FakeChannel, FakeShelly } from "./fake-shelly.fixture.ts";
import {
  type ListenForDevices,
  NotReached,
  type OpenCalled,
  type ShellyEndpoint,
  type ShellyNetwork,
  TooManyConnections,
} from "./web-socket.ts";

interface OpenSocket {
  readonly shelly: FakeShelly;
  readonly channel: FakeChannel;
  readonly lose: () => void;
}

export class MemoryNetwork implements ShellyNetwork, NetworkServices {
  /** How often a device was asked for its introduction, or for a channel. */
  tries = 0;
  isThere = true;
  /** Channels that each device bears. */
  mostChannels = 6;
  /** Answered in place of a device's introduction, by its address. */
  readonly introductions = new Map<string, unknown>();
  readonly #devices = new Map<string, FakeShelly>();
  readonly #sockets = new Set<OpenSocket>();
  readonly #listeners = new Set<() => void>();
  #take: ((open: OpenCalled) => void) | undefined;
  readonly #announced = new Map<string, NetworkService>();

  /** A device comes to an address. */
  add(host: string, shelly: FakeShelly, isAnnounced = true): FakeShelly {
    this.#devices.set(host, shelly);
    if (isAnnounced) this.announce(host, shelly);
    return shelly;
  }

  announce(host: string, { id, info }: FakeShelly): void {
    const txt = { gen: String(info.gen), app: String(info.app), ver: String(info.ver) };
    this.#announced.set(id, { instance: id, address: host, port: 80, txt });
    for (const listener of [...this.#listeners]) listener();
  }

  /** The announcement is over: a goodbye, or nothing for long. */
  conceal({ id }: FakeShelly): void {
    this.#announced.delete(id);
    for (const listener of [...this.#listeners]) listener();
  }

  /** A device gets another address, and says so; its connections are gone. */
  move(from: string, to: string): void {
    const shelly = this.#devices.get(from);
    if (!shelly) return;
    this.#devices.delete(from);
    for (const each of [...this.#sockets]) if (each.shelly === shelly) each.lose();
    this.add(to, shelly);
  }

  /** Connections of a device that are open. */
  channelsOf(shelly: FakeShelly): number {
    return [...this.#sockets].filter((each) => each.shelly === shelly).length;
  }

  get held(): number {
    return this.#sockets.size + this.#listeners.size + (this.#take ? 1 : 0);
  }

  /** Devices can call the hub. */
  readonly listen: ListenForDevices = async (take) => {
    this.#take = take;
    const end = async () => {
      this.#take = undefined;
    };
    return { [Symbol.asyncDispose]: end };
  };

  /** A device wakes, calls, and says all that is so; gives what hangs up. */
  call(shelly: FakeShelly): () => void {
    const ends: (() => void)[] = [];
    this.#take?.((events) => {
      const [socket, lose] = this.#opened(shelly, events);
      ends.push(lose);
      // A device that calls does not wait to be asked.
      for (const channel of shelly.channels) channel.src ??= "hub";
      queueMicrotask(() => shelly.notify("NotifyFullStatus", shelly.status));
      return socket;
    });
    return () => {
      for (const end of ends) end();
    };
  }

  cut(): void {
    this.isThere = false;
    for (const { lose } of [...this.#sockets]) lose();
  }

  mend(): void {
    this.isThere = true;
  }

  current(): readonly NetworkService[] {
    return [...this.#announced.values()];
  }

  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async introduce({ host }: ShellyEndpoint, signal: AbortSignal): Promise<unknown> {
    const shelly = await this.#reach(host, signal);
    return structuredClone(this.introductions.get(host) ?? shelly.info);
  }

  async open({ host }: ShellyEndpoint, events: TextSocketEvents, signal: AbortSignal): Promise<TextSocket> {
    const shelly = await this.#reach(host, signal);
    if (this.channelsOf(shelly) >= this.mostChannels)
      throw new TooManyConnections("The device has no connection left.");
    return this.#opened(shelly, events)[0];
  }

  #opened(shelly: FakeShelly, events: TextSocketEvents): [TextSocket, lose: () => void] {
    const channel: FakeChannel = { say: (text) => (this.#sockets.has(open) ? events.text(text) : undefined) };
    const end = () => {
      shelly.channels.delete(channel);
      return this.#sockets.delete(open);
    };
    const lose = () => {
      if (end()) events.closed("the network is gone");
    };
    const open: OpenSocket = { shelly, channel, lose };
    shelly.channels.add(channel);
    this.#sockets.add(open);
    const socket: TextSocket = {
      send: (text) => {
        if (this.#sockets.has(open)) shelly.take(channel, text);
      },
      ping: () => {
        if (this.#sockets.has(open) && !shelly.isSilent) events.pong();
      },
      close: () => void end(),
    };
    return [socket, lose];
  }

  /** A device without power is as silent as one that does not answer. */
  async #reach(host: string, signal: AbortSignal): Promise<FakeShelly> {
    this.tries += 1;
    const shelly = this.#devices.get(host);
    if (!this.isThere || !shelly) throw new NotReached("connect EHOSTUNREACH");
    signal.throwIfAborted();
    if (!shelly.isSilent) return shelly;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  }
}
