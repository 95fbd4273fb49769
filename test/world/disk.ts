/** The disk under a program of the world, which can refuse: what must be written then fails, as when it is full or broken, and works again later. */
import type { Random } from "@porchlight/shared/kernel";

/** What the program under test gets in the place of a commit. */
class DiskRefuses extends Error {
  constructor() {
    super("SQLITE_IOERR: the disk of the world refuses");
  }
}

export class Disk {
  readonly #random: Random;
  #chance = 0;
  #next = 0;
  #starting = 0;
  /** How often it has refused. */
  refusals = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** From now on it refuses with that chance; 0: never. */
  refuse(chance: number): void {
    this.#chance = chance;
  }

  /** It refuses the next so many times, and then no more. */
  refuseNext(times: number): void {
    this.#next = times;
  }

  /** Called by the program before it writes. @throws DiskRefuses */
  readonly write = (): void => {
    if (this.#starting > 0) return;
    const refuses = this.#next > 0 || (this.#chance > 0 && this.#random.fraction() < this.#chance);
    if (!refuses) return;
    this.#next = Math.max(0, this.#next - 1);
    this.refusals += 1;
    throw new DiskRefuses();
  };

  /** Starts a program: one whose disk refuses its first write does not start, and who started it tries again. */
  async start<T>(program: () => Promise<T>): Promise<T> {
    this.#starting += 1;
    try {
      return await program();
    } finally {
      this.#starting -= 1;
    }
  }
}
