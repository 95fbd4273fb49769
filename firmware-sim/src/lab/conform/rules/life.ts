/** Section 5, Life: PING after silence, which frames count as received, and the rest of a silent partner's view, for nodes and hubs. */
import { encodeFrame, encodeMessage } from "@porchlight/shared/wire";
import { badCrc, pingWith } from "../bytes.ts";
import type { Heard } from "../line-endpoint.ts";
import type { NodeBench } from "../node-bench.ts";
import type { Partner } from "../partner.ts";
import { Broken, NotApplicable, type Rule } from "../rule.ts";
import { Course, type Findings } from "./refusal.ts";

/** The party that is left alone, and its expected reaction. */
interface Lonely<B extends Partner> {
  readonly who: "node" | "hub";
  /** The message with which it starts again. */
  readonly back: "HELLO" | "WHO";
  /** Brings the party to the live state, then stays silent. */
  quiet(bench: B, findings: Findings): Promise<void>;
  /** The checks of A3 once the party is back. @throws Broken */
  returned(bench: B, mark: number): Promise<void>;
}

const SILENCE = 5000;
const PINGS = 3;
const PING_EVERY = 1000;
/** Tolerated earliness and delay of a PING, ms. */
const EARLY = 200;
const LATE = 500;
/** Number of PINGs after which to stop waiting for their end. */
const TOO_MANY = 6;
/** Interval of PINGs when the party took the bytes in between as a sign of life, ms. */
const CALMED = 4000;

const isPing = ({ message }: Heard) => message.type === "PING";

/** The course of a node or hub that receives nothing, then a PONG, then only damage and its own echo. */
export function silenceOf<B extends Partner>(lonely: Lonely<B>): Course<B> {
  return new Course(async (bench, findings) => {
    await lonely.quiet(bench, findings);
    const from = bench.log.end;
    const { ping, late } = await firstPing(bench, findings);
    await bench.say({ type: "PONG", seq: ping.message.seq });
    const mark = bench.mark;
    const since = bench.clock.monotonic();
    await findings.judge("A2", () => contentWithPong(bench, lonely, mark));
    const lastPing = since + SILENCE + late + LATE + bench.jitter;
    await bench.next(mark, lastPing - bench.clock.monotonic(), isPing);
    if (bench.all("PING", mark).length === 0)
      findings.broken(
        "A1",
        "A damaged frame does not count as received: PING must come 5 s after the last valid frame.",
        bench.log.since(from),
      );
    await echoed(bench, findings, lonely, mark);
    const pings = bench.all("PING", mark);
    await findings.judge("A2", () => inTime(bench, pings, from));
    await goneBack(bench, findings, lonely, mark, pings.length, from);
  });
}

/** The first PING after silence, and its delay, ms. @throws NotApplicable when none arrives */
async function firstPing(bench: Partner, findings: Findings): Promise<{ readonly ping: Heard; readonly late: number }> {
  const [from, mark, since] = [bench.log.end, bench.mark, bench.clock.monotonic()];
  const ping = await bench.next(mark, 2 * SILENCE + LATE + bench.jitter, isPing);
  const off = Math.round((ping?.at ?? 0) - since - SILENCE);
  if (ping && off >= -EARLY - bench.jitter && off <= LATE + bench.jitter) return { ping, late: 0 };
  const what = ping ? `it was off by ${off} ms` : "none came";
  findings.broken("A2", `PING 1 must come after 5 s of silence; ${what}.`, bench.log.since(from));
  if (ping) return { ping, late: Math.max(0, off) };
  findings.broken("A3", "Who hears nothing must send PING, and find that the link is down.", bench.log.since(from));
  throw new NotApplicable("No PING came, which breaks A2.");
}

/** Sends damaged frames for four seconds. @throws Broken when a PONG does not stop the PINGs for that time */
async function contentWithPong<B extends Partner>(bench: B, { who, back }: Lonely<B>, mark: number): Promise<void> {
  const from = bench.log.end;
  for (let second = 0; second < 4; second++) {
    await bench.pass(1000);
    await bench.send(badCrc(pingWith(bench.newSeq())));
  }
  if (bench.all("PING", mark).length + bench.all(back, mark).length > 0)
    throw new Broken(`After a PONG the ${who} must not send PING or ${back} for another 5 s.`, bench.log.since(from));
}

/** Echoes every PING unchanged until the party is back. */
async function echoed<B extends Partner>(
  bench: B,
  findings: Findings,
  { who, back }: Lonely<B>,
  mark: number,
): Promise<void> {
  const from = bench.log.end;
  for (let count = 0; count < TOO_MANY && bench.all(back, mark).length === 0; count++) {
    const last = bench.all("PING", mark)[count - 1]?.at ?? -1;
    const isNext = (heard: Heard) => heard.message.type === back || (isPing(heard) && heard.at > last);
    const next = await bench.next(mark, count === 0 ? 0 : CALMED + bench.jitter, isNext);
    if (!next) break;
    if (isPing(next)) await bench.send(encodeFrame(encodeMessage(next.message)));
  }
  if (bench.since(mark).some(({ message }) => message.type === "PONG"))
    bench.blame("W4", `The echo of the ${who}'s own PING must be ignored; PONG came.`, bench.log.since(from));
  const pings = bench.all("PING", mark);
  if (bench.all(back, mark).length > 0 || pings.length > 2) return;
  findings.broken(
    "A1",
    `While it receives only damaged frames and its own echo, the ${who} must return to ${back} after three PINGs.`,
    bench.log.since(from),
  );
}

/** Checks the times of PINGs. @throws Broken */
async function inTime(bench: Partner, pings: readonly Heard[], from: number): Promise<void> {
  if (new Set(pings.map(({ message }) => message.seq)).size < pings.length)
    throw new Broken("Every PING must have a new seq.", bench.log.since(from));
  for (const [which, { at }] of pings.entries()) {
    // A1 judges the time of the first one, and the echo affects the others too.
    const due = (pings[which - 1]?.at ?? at) + PING_EVERY;
    if (which === 0 || at - due > CALMED) continue;
    if (at < due - EARLY - bench.jitter || at > due + LATE + bench.jitter)
      throw new Broken(
        `PING ${which + 1} must come a second after the previous one; it was off by ${Math.round(at - due)} ms.`,
        bench.log.since(from),
      );
  }
}

/** Checks that it is back after three PINGs; without the echo, if the echo prevented it. */
async function goneBack<B extends Partner>(
  bench: B,
  findings: Findings,
  lonely: Lonely<B>,
  mark: number,
  pings: number,
  from: number,
): Promise<void> {
  const { who, back } = lonely;
  const isBack = ({ message }: Heard) => message.type === back;
  const kept = bench.all(back, mark).length === 0;
  if (kept) await bench.next(mark, SILENCE + (PINGS + 1) * PING_EVERY + LATE + bench.jitter, isBack);
  if (bench.all(back, mark).length === 0) {
    const what = `In silence the ${who} must return to ${back} after three PINGs.`;
    findings.broken("A2", what, bench.log.since(from));
    findings.broken("A3", what, bench.log.since(from));
    return;
  }
  if (!kept && pings !== PINGS)
    findings.broken("A2", `In silence there must be three PINGs before ${back}; ${pings} came.`, bench.log.since(from));
  await findings.judge("A3", () => lonely.returned(bench, mark));
}

const PONG_WITHIN = 1000;

const silence = silenceOf<NodeBench>({
  who: "node",
  back: "HELLO",
  async quiet(bench, findings) {
    await bench.live();
    await findings.judge("A2", () => pongsInTime(bench));
    await bench.live();
    bench.manners.pongs = false;
    bench.manners.acknowledges = false;
  },
  async returned(bench, mark) {
    const [hello] = bench.all("HELLO", mark);
    if (hello && hello.message.info.boot !== bench.hello?.boot)
      throw new Broken("The loss of the hub is not a reboot: HELLO must have the same boot.", [hello.frame]);
  },
});

/** The fastest of three PONGs. @throws Broken when it is late */
async function pongsInTime(bench: NodeBench): Promise<void> {
  const from = bench.log.end;
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3; time++) {
    const began = bench.clock.monotonic();
    await bench.expect({ type: "PING", seq: bench.newSeq() }, "PONG");
    best = Math.min(best, bench.clock.monotonic() - began);
  }
  if (best > PONG_WITHIN + bench.jitter)
    throw new Broken(`A PING must be answered within 1 s; it took ${Math.round(best)} ms.`, bench.log.since(from));
}

function rule(id: string, looksAt: string): Rule<NodeBench> {
  return {
    id,
    looksAt,
    takes: "14 s, for A1 to A3 together",
    async run(bench) {
      await silence.verdict(bench, id);
      return undefined;
    },
  };
}

export const LIFE: readonly Rule<NodeBench>[] = [
  rule("A1", "a node that receives only damaged frames and its own echo"),
  rule("A2", "how soon a PING is answered, and the PINGs of a node that receives nothing"),
  rule("A3", "the HELLO of a node that has lost its hub"),
];
