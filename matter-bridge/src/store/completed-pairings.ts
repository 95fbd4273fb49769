/**
 * Which pairings with controllers were completed. The library keeps a controller as soon as it has sent its certificate: after a crash
 * between that and the end of the pairing it holds one that never comes, is "paired", and shows no code any more. A file of its own beside
 * the library's store.
 */
import { join } from "node:path";
import { z } from "zod";
import { readJson, writeDurably } from "./durable-file.ts";

const stored = z.object({ version: z.literal(1), completed: z.array(z.string()) });

export class CompletedPairings {
  readonly #path: string;
  #completed: ReadonlySet<string>;

  private constructor(path: string, completed: readonly string[]) {
    this.#path = path;
    this.#completed = new Set(completed);
  }

  /**
   * @param folder which is there
   * @param held what the library holds: without a file, or with a damaged one, these are taken for completed
   */
  static open(folder: string, held: readonly string[]): CompletedPairings {
    const path = join(folder, "pairings.json");
    const known = read(path);
    const pairings = new CompletedPairings(path, known ?? held);
    if (!known) pairings.are(held);
    return pairings;
  }

  /** Those that are held and were never completed. */
  unfinished(held: readonly string[]): readonly string[] {
    return held.filter((each) => !this.#completed.has(each));
  }

  /** From now on these are; on the disk when it returns. @param completed an identifier of each, never given twice */
  are(completed: readonly string[]): void {
    writeDurably(this.#path, JSON.stringify({ version: 1, completed }));
    this.#completed = new Set(completed);
  }
}

function read(path: string): readonly string[] | undefined {
  try {
    return stored.parse(readJson(path)).completed;
  } catch (failure) {
    // Nobody is sent away because of a damaged file.
    if (failure instanceof SyntaxError || failure instanceof z.ZodError) return undefined;
    throw failure;
  }
}
