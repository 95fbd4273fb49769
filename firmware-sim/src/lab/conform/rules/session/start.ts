/** Section 5, Start, and the lines of section 1: HELLO, WHO and what goes between them. */
import type { NodeBench } from "../../node-bench.ts";
import { Broken, NotApplicable, type Rule } from "../../rule.ts";
import { canRead, readOf, targets } from "../../targets.ts";
import { endsWithAck, hellosEvery } from "./hellos.ts";

/** From the end of a connection to the next, ms. */
const CLOSED_FOR = 300;

/** Nothing that needs another line, where there is only one. */
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
      // The node learns of it before the next connection comes, which would else be a newer one (L5).
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
