/** Section 5, Requests: their number, their times, and ERROR 9. */
import { valuesEqual } from "@porchlight/shared/model";
import type { NodeBench } from "../node-bench.ts";
import { Broken, type Rule } from "../rule.ts";
import {
  anyTarget,
  canRead,
  canWrite,
  otherValue,
  playground,
  read,
  readOf,
  remember,
  type Target,
  targets,
  writeOf,
} from "../targets.ts";
import { isOf } from "./telling.ts";

/** Duration of the hub's try, ms (B2), and the time limit for the answer to a WRITE (B5). */
const TRY = 500;
const WRITE_WITHIN = 300;
const TRIES = 3;
/** Time for which a property may differ from WRITTEN without a report, ms. */
const SETTLES_WITHIN = 2000;

/** Duration of the fastest of several requests, ms; undefined when one was never answered. @param enough stop at a duration below this */
async function quickest(
  bench: NodeBench,
  tries: number,
  enough: number,
  ask: () => Promise<unknown>,
): Promise<number | undefined> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt++) {
    const from = bench.clock.monotonic();
    if ((await ask()) === undefined) return undefined;
    best = Math.min(best, bench.clock.monotonic() - from);
    if (best <= enough) break;
  }
  return best;
}

/**
 * Checks that a property reaches the value in its WRITTEN, at once or after a movement.
 * @throws Broken when it has another value and reports nothing
 */
async function isDone(bench: NodeBench, target: Target): Promise<void> {
  const present = await read(bench, target);
  const wanted = present === undefined ? undefined : otherValue(target.description, present);
  if (present === undefined || wanted === undefined) return;
  remember(bench, target, present);
  const from = bench.log.end;
  const mark = bench.mark;
  const written = await bench.ask(writeOf(target, bench.newSeq(), wanted));
  if (written?.type !== "WRITTEN") return;
  const end = bench.clock.monotonic() + SETTLES_WITHIN;
  while (bench.clock.monotonic() < end) {
    const now = await read(bench, target);
    if (now !== undefined && valuesEqual(now, written.value)) return;
    const isMoving = bench.all("REPORT", mark).some(({ message }) => isOf(target, message));
    if (isMoving) return;
    await bench.pass(250);
  }
  throw new Broken(
    `WRITTEN states that ${target.property} is ${JSON.stringify(written.value)}, but READ returns another value, and no change is reported.`,
    bench.log.since(from, 12),
  );
}

export const REQUESTS: readonly Rule<NodeBench>[] = [
  {
    id: "B1",
    looksAt: "as many READs at once as win in HELLO allows",
    async run(bench) {
      await bench.live();
      const readable = targets(bench, canRead);
      const target = anyTarget(bench, canRead, "Nothing can be read.");
      const win = bench.hello?.win ?? 1;
      const reads = Array.from({ length: win }, (_, at) =>
        readOf(readable[at % readable.length] ?? target, bench.newSeq()),
      );
      const from = bench.log.end;
      const mark = bench.mark;
      await Promise.all(reads.map((each) => bench.say(each)));
      for (const { seq } of reads) {
        const answer = await bench.next(mark, 2500, ({ message }) => message.seq === seq && message.type === "VALUE");
        if (!answer)
          throw new Broken(
            `Of ${win} READs at once, exactly the window, one was not answered with VALUE.`,
            bench.log.since(from),
          );
      }
      return `a window of ${win}`;
    },
  },
  {
    id: "B2",
    looksAt: "how soon every READ and DESCRIBE is answered, the quickest of three",
    async run(bench) {
      await bench.live();
      const asks = targets(bench, canRead).map((target) => ({
        what: `READ of ${target.property}`,
        ask: () => bench.ask(readOf(target, bench.newSeq())),
      }));
      for (const { place } of bench.devices)
        asks.push({
          what: `DESCRIBE of place ${place}`,
          ask: () => bench.ask({ type: "DESCRIBE", seq: bench.newSeq(), device: place, part: 0 }),
        });
      for (const { what, ask } of asks) {
        const from = bench.log.end;
        const took = await quickest(bench, TRIES, WRITE_WITHIN, ask);
        if (took === undefined || took > TRY + bench.jitter)
          throw new Broken(
            `${what} must be answered within ${TRY} ms; ${took === undefined ? "nothing came" : `it took ${Math.round(took)} ms`}.`,
            bench.log.since(from),
          );
      }
      return undefined;
    },
  },
  {
    id: "B5",
    looksAt: "how soon a WRITE is answered, the quickest of ten, and the value of every written property afterwards",
    async run(bench) {
      await bench.live();
      for (const each of targets(bench, (target) => canRead(target) && canWrite(target))) await isDone(bench, each);
      const { target, values } = await playground(bench);
      const from = bench.log.end;
      let turn = 0;
      const line = (await quickest(bench, 5, 0, () => bench.ask({ type: "PING", seq: bench.newSeq() }))) ?? 0;
      const took = await quickest(bench, 10, WRITE_WITHIN, () =>
        bench.ask(writeOf(target, bench.newSeq(), values[turn++ % 2 === 0 ? 0 : 1])),
      );
      if (took === undefined || took > WRITE_WITHIN + line + Math.min(bench.jitter, 60))
        throw new Broken(
          `A WRITE must be answered within ${WRITE_WITHIN} ms, with the target value; ${took === undefined ? "nothing came" : `it took ${Math.round(took)} ms`}.`,
          bench.log.since(from),
        );
      return undefined;
    },
  },
];
