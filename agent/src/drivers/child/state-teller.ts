/** Reports of a driver's state from the child to the agent, bounded in number and size. */
import type { StatedDriver } from "@porchlight/driver-kit";
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { foundDevice, setupKind, unpairedDevice } from "./message-parts.ts";
import type { FromChild } from "./messages.ts";

/** Minimum interval between two reports of a driver's state, ms. */
const SPACING_MS = 1000;

const MOST_FOUND = 100;

const MOST_SETUPS = 32;

/** Largest status, characters of JSON. */
const MOST_STATUS = 64 * 1024;

/** Reports a driver's state to the agent: when it has changed, at most once a second, and never because of a clock alone. */
export class StateTeller {
  readonly #clock: Clock;
  readonly #driver: StatedDriver;
  readonly #send: (message: FromChild) => void;
  #sent = "";
  #timer: Timer | undefined;
  #isOver = false;

  constructor(clock: Clock, driver: StatedDriver, send: (message: FromChild) => void) {
    this.#clock = clock;
    this.#driver = driver;
    this.#send = send;
  }

  /** Schedules a report of the state, after an event or at the next check. */
  look(): void {
    if (this.#isOver) return;
    this.#timer ??= this.#clock.timer("state of a driver", SPACING_MS, () => {
      this.#timer = undefined;
      this.tell();
    });
  }

  /** Sends the state now, unless it equals the last one sent. @throws what the driver throws: it is its author's mistake */
  tell(): void {
    const message = this.#message();
    const json = JSON.stringify(message);
    if (json === this.#sent) return;
    this.#sent = json;
    this.#send(message);
  }

  end(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  #message(): FromChild {
    const driver = this.#driver;
    const found = (driver.found?.() ?? []).flatMap((each) => foundDevice.safeParse(each).data ?? []);
    const unpaired = (driver.unpaired?.() ?? []).flatMap((each) => unpairedDevice.safeParse(each).data ?? []);
    const setups = (driver.setups?.() ?? []).flatMap((each) => setupKind.safeParse(each).data ?? []);
    const status = driver.status?.() ?? {};
    const isShown = (JSON.stringify(status) ?? "").length <= MOST_STATUS;
    return {
      type: "state",
      found: found.slice(0, MOST_FOUND),
      unpaired: unpaired.slice(0, MOST_FOUND),
      problem: driver.problem?.()?.slice(0, 1024),
      setups: setups.slice(0, MOST_SETUPS),
      status: isShown ? status : { status: "too long" },
    };
  }
}
