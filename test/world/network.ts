/** The internet between hubs and cloud: late, sometimes stalled, sometimes cut, sometimes silently dead; never out of order, as TCP is. */
import type { Random, VirtualClock } from "@porchlight/shared/kernel";
import { type MessageSocket, socketPair } from "@porchlight/shared/tunnel";
import type { WorldProcess } from "./process.ts";

export interface NetworkOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  /** Bounds of the one-way delay, ms. */
  readonly delayMs: readonly [number, number];
}

export type Way = "what the hub says" | "what the cloud says";

/** One connection of a hub, as the faults see it. */
export interface Connection {
  /** Whether bytes pass, or will when it is released. */
  readonly alive: boolean;
  /** Both ends notice at once. */
  cut(): void;
  /** Nothing passes any more, without a notice to either end: a cable pulled behind a switch. */
  die(): void;
  /** Nothing passes until it is released; nothing is lost. @param what only that way; both when left out */
  stall(what?: Way): void;
  release(): void;
}

export class Network {
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** Opens a connection between two living processes. */
  connect(
    hub: WorldProcess,
    cloud: WorldProcess,
  ): { hubEnd: MessageSocket; cloudEnd: MessageSocket; connection: Connection } {
    const { clock, random, delayMs } = this.#options;
    const [least, most] = delayMs;
    const due = { a: 0, b: 0 };
    let stalled: Way | "nothing" | "all" = "nothing";
    let held: (() => void)[] = [];
    let dead = false;

    const pair = socketPair((deliver, _bytes, from) => {
      const receiver = from === "a" ? cloud : hub;
      const send = () => {
        const delay = least + random.fraction() * (most - least);
        due[from] = Math.max(due[from], clock.monotonic() + delay);
        clock.timer("network", due[from] - clock.monotonic(), () => {
          if (dead) return;
          const isHeld = stalled === "all" || stalled === (from === "a" ? "what the hub says" : "what the cloud says");
          if (isHeld) held.push(() => receiver.enter(deliver));
          else receiver.enter(deliver);
        });
      };
      if (!dead) send();
    });
    const breakBoth = () => {
      if (dead) return;
      dead = true;
      hub.enter(() => pair.breakFor("a"));
      cloud.enter(() => pair.breakFor("b"));
    };
    hub.onKill(breakBoth);
    cloud.onKill(breakBoth);
    return {
      hubEnd: pair.a,
      cloudEnd: pair.b,
      connection: {
        get alive() {
          return !dead;
        },
        cut: breakBoth,
        die: () => {
          dead = true;
        },
        stall: (what) => {
          stalled = what ?? "all";
        },
        release: () => {
          const waiting = held;
          held = [];
          stalled = "nothing";
          for (const deliver of waiting) deliver();
        },
      },
    };
  }
}
