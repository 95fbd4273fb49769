/** Section 5, Start, and the lines of section 1: HELLO, WHO and their exchange. */
import type { NodeBench } from "../node-bench.ts";
import { Broken, NotApplicable, type Rule } from "../rule.ts";
import { anyPlace, canRead, readOf, targets } from "../targets.ts";

/** Pause between two connections, ms. */
const CLOSED_FOR = 300;

/** Why rules that need another line do not apply, where there is only one. */
const needsLines = (bench: NodeBench) => (bench.connect ? undefined : "A serial line has one connection.");

export const START: readonly Rule<NodeBench>[] = [
  {
    id: "L5",
    looksAt: "a second connection, before and after its first good frame",
    applies: needsLines,
    async run(bench) {
      await bench.live();
      const before = bench.log.end;
      const second = await bench.connect?.();
      if (!second) throw new NotApplicable("No other connection could be opened.");
      await bench.fence();
      const closed = bench.closedLines;
      bench.turnTo(second);
      await bench.greet();
      if (bench.closedLines === closed) await bench.pass(1000);
      if (bench.closedLines === closed)
        throw new Broken(
          "The older connection must be closed after a newer one has taken over.",
          bench.log.since(before),
        );
      return undefined;
    },
  },
  {
    id: "L6",
    looksAt: "a closed connection, and the next one",
    applies: needsLines,
    async run(bench) {
      await bench.live();
      const { boot } = bench.hello ?? {};
      bench.close();
      // The node must notice the end before the next connection arrives, which would otherwise count as a newer one (L5).
      await bench.pass(CLOSED_FOR);
      const next = await bench.connect?.();
      if (!next) throw new NotApplicable("No other connection could be opened.");
      const from = bench.log.end;
      bench.turnTo(next);
      const hello = await bench.call(3);
      if (!hello)
        throw new Broken(
          "The connection after a closed one must be served: no HELLO came within 3 s of WHO.",
          bench.log.since(from),
        );
      if (hello.message.info.boot !== boot)
        throw new Broken("A closed connection is not a reboot: HELLO must have the same boot.", [hello.frame]);
      return undefined;
    },
  },
  {
    id: "S2",
    looksAt: "what the node sends before its HELLO is acknowledged, while it has something to report",
    async run(bench) {
      await bench.greet();
      const [stimulus] = bench.stimuli;
      await stimulus?.run();
      const [target] = targets(bench, canRead);
      if (target) await bench.expect(readOf(target, bench.newSeq()), "VALUE");
      await bench.expect({ type: "PING", seq: bench.newSeq() }, "PONG");
      await bench.pass(stimulus ? 1500 : 300);
      return stimulus ? undefined : "meanwhile nothing happened that must be reported";
    },
  },
  {
    id: "S3",
    looksAt: "WHO to a node that is live and to one that is not, and the HELLOs after it",
    async run(bench) {
      await bench.live();
      for (const when of ["A live node", "A node that is not live"]) {
        const from = bench.log.end;
        const mark = bench.mark;
        await bench.say({ type: "WHO", seq: bench.newSeq() });
        if (!(await bench.next(mark, 500 + bench.jitter, ({ message }) => message.type === "HELLO")))
          throw new Broken(`${when} must answer WHO with HELLO at once.`, bench.log.since(from));
      }
      await hellosEvery(bench, 1000, 2, "After WHO");
      await endsWithAck(bench);
      return undefined;
    },
  },
  {
    id: "S7",
    looksAt: "the boot in HELLO after a reset",
    applies: (bench) =>
      bench.reset
        ? bench.hello?.boot === 0
          ? "The node states boot 0: it cannot distinguish its boots."
          : undefined
        : "There is no command that resets the board (--reset).",
    async run(bench) {
      await bench.live();
      const before = bench.hello?.boot;
      bench.expectBoot();
      const mark = bench.mark;
      await bench.reset?.();
      const hello = await bench.next(mark, 15_000, ({ message }) => message.type === "HELLO");
      if (!hello) throw new Broken("After a reset the node must send HELLO by itself.");
      await bench.greet();
      if (bench.hello?.boot === before)
        throw new Broken(`After a reset the boot must be different; it is still ${before}.`, [hello.frame]);
      return undefined;
    },
  },
];

/** Tolerated earliness and delay of a repetition, ms: clocks of boards drift, and lines add delay. */
export const EARLY_HELLO = 200;
export const LATE_HELLO = 400;

/** @throws Broken when HELLOs do not come every `ms` with the same seq */
export async function hellosEvery(bench: NodeBench, ms: number, count: number, when: string): Promise<void> {
  const from = bench.log.end;
  const times = bench.all("HELLO", 0).slice(-1);
  const mark = bench.mark;
  await bench.next(mark, (ms + LATE_HELLO) * count, () => bench.all("HELLO", mark).length >= count);
  const hellos = [...times, ...bench.all("HELLO", mark)];
  if (hellos.length <= count)
    throw new Broken(
      `${when} HELLO must come every ${ms / 1000} s; only ${hellos.length - 1} of ${count} came.`,
      bench.log.since(from),
    );
  hellos.slice(1).forEach((hello, at) => {
    const gap = hello.at - (hellos[at]?.at ?? 0);
    if (gap < ms - EARLY_HELLO - bench.jitter || gap > ms + LATE_HELLO + bench.jitter)
      throw new Broken(
        `${when} HELLO must come every ${ms / 1000} s; one came after ${Math.round(gap)} ms.`,
        bench.log.since(from),
      );
    if (hello.message.seq !== hellos[at]?.message.seq)
      throw new Broken("HELLO must be repeated with the same seq.", bench.log.since(from));
  });
}

/** @throws Broken when a HELLO_ACK does not end the HELLOs */
export async function endsWithAck(bench: NodeBench): Promise<void> {
  const hello = bench.all("HELLO", 0).at(-1);
  if (!hello) throw new NotApplicable("No HELLO came.");
  const from = bench.log.end;
  await bench.acknowledge(hello.message.seq);
  await bench.fence();
  const mark = bench.mark;
  await bench.pass(1300);
  if (bench.all("HELLO", mark).length > 0)
    throw new Broken("The node must stop sending HELLO after HELLO_ACK.", bench.log.since(from));
  if (!(await bench.isLive(anyPlace(bench))))
    throw new Broken("The node must be live after HELLO_ACK.", bench.log.since(from));
}
