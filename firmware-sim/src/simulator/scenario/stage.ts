/** How time passes while a scenario is played: as in life with a hub on the line, or at once, without one. */
import { type Clock, sleep, type VirtualClock } from "@porchlight/shared/kernel";

export interface Stage {
  /** ms since the scenario began, on the clock of devices' lives. */
  readonly elapsed: number;
  pass(ms: number): Promise<void>;
  /** Whether it is true now, or comes to be within so many ms. */
  comesTrue(isSo: () => boolean, ms: number): Promise<boolean>;
}

/** How often it is looked whether something has come true, real ms. */
const LOOK_MS = 10;
/** Looks at least, however long the time: on a clock that runs fast a look costs what it costs. */
const LOOKS = 1000;

/** Time of the devices' clock while the real one goes on: hubs can be on the lines. */
export function liveStage(life: Clock, real: Clock): Stage {
  const from = life.monotonic();
  return {
    get elapsed() {
      return life.monotonic() - from;
    },
    pass: (ms) => sleep(life, "scenario", ms),
    comesTrue: async (isSo, ms) => {
      const end = life.monotonic() + ms;
      while (!isSo()) {
        if (life.monotonic() >= end) return false;
        await sleep(real, "scenario", LOOK_MS);
      }
      return true;
    },
  };
}

/** Time that passes as soon as nothing is left to be done in it. */
export function fastStage(clock: VirtualClock): Stage {
  const from = clock.monotonic();
  return {
    get elapsed() {
      return clock.monotonic() - from;
    },
    pass: (ms) => clock.advance(ms),
    comesTrue: async (isSo, ms) => {
      const end = clock.monotonic() + ms;
      while (!isSo()) {
        const left = end - clock.monotonic();
        if (left <= 0) return false;
        await clock.advance(Math.min(left, Math.max(LOOK_MS, ms / LOOKS)));
      }
      return true;
    },
  };
}
