/** Starts the long test files first: by size, as vitest does where it has never run, a long one may come last, and the other workers wait for it. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONG_FILES, startingOrder } from "./long-files.ts";

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, maxWorkers } = this.ctx.config;
    const order = startingOrder(LONG_FILES, maxWorkers).map(({ path }) => path);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = order.indexOf(relative(root, moduleId));
      return at < 0 ? order.length : at;
    };
    // A project's files stay together, and short files stay in vitest's own order.
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((each) => each.toSorted((one, other) => rank(one) - rank(other)));
  }
}
