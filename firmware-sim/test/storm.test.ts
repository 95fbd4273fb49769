/** Hundreds of thousands of frames, most of them sensible, many damaged, into the C code under the sanitizers. */
import { expect, it } from "vitest";
import { rounds } from "../../test/parts/rounds.ts";
import { Programs } from "./build.ts";
import { Harness } from "./harness.ts";

const SEEDS = rounds(2, 10);
const FRAMES = rounds(60_000, 1_000_000);

it.each([160, 1024, 4095])(
  `takes ${SEEDS} times ${FRAMES} frames of at most %i bytes, and writes outside none of its buffers`,
  async (limit) => {
    await using programs = await Programs.make();
    const program = await programs.build("harness", ["test/harness.c"], [`PL_FRAME_MAX=${limit}`, "PL_DEVICES_MAX=2"]);
    for (let seed = 1; seed <= SEEDS; seed++) {
      await using node = new Harness(program);
      await node.boot(seed);
      const [frames, damaged, live, acted] = (await node.ask(`storm ${seed} ${FRAMES}`)).split(" ").map(Number);
      const share = (count = 0) => count / FRAMES;
      expect(
        [share(frames) > 0.5, share(damaged) > 0.1, share(live) > 0.3, share(acted) > 0.005],
        "of all kinds",
      ).toEqual([...[true, true, true, true]]);
    }
  },
);
