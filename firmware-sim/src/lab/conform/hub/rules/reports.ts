/** Section 5, Reports, Devices and Floods: what a hub acknowledges and rejects, and which devices it describes after a change of places. */
import type { MessageOf, Places } from "@porchlight/shared/wire";
import { Broken, type Rule } from "../../rule.ts";
import { type HubBench, readsOf, wanted } from "../hub-bench.ts";
import { BUTTON, LAMP, PLAIN, SENSOR } from "../persona.ts";

type Report = Omit<MessageOf<"REPORT">, "type">;

const ON = { device: 0, service: "Switch", index: 0, property: "on", value: true };
const LEVEL = { device: 0, service: "LightLevel", index: 0, property: "level", value: 30 };
const PERCENT = { device: 1, service: "Battery", index: 0, property: "percent", value: 55 };
/** Number of reports in a burst, and in a second. */
const BURST = 200;
const RATE = 50;

const isAnswerTo =
  (seq: number) =>
  ({ message }: { message: { type: string; seq: number } }) =>
    message.seq === seq && (message.type === "ACK" || message.type === "ERROR");

/** @throws Broken when CHANGED is not acknowledged */
async function changed(bench: HubBench, devices: Places): Promise<number> {
  const mark = bench.mark;
  const from = bench.log.end;
  const seq = bench.newSeq();
  if (bench.hello) bench.hello = { ...bench.hello, devices };
  bench.forgetKnown();
  await bench.say({ type: "CHANGED", seq, devices });
  if (await bench.next(mark, 2500, ({ message }) => message.type === "ACK" && message.seq === seq)) return mark;
  throw new Broken("CHANGED must be acknowledged.", bench.log.since(from));
}

export const HUB_REPORTS: readonly Rule<HubBench>[] = [
  {
    id: "P9",
    looksAt: "the ACK of a REPORT and of its repetition",
    async run(bench) {
      await bench.live();
      const seq = bench.newSeq();
      const from = bench.log.end;
      const mark = bench.mark;
      for (let time = 0; time < 3; time++)
        await bench.reports({ ...LEVEL, seq }, "ACK", "A REPORT, and its repetition,");
      await bench.pass(300);
      const answers = bench.since(mark).filter(isAnswerTo(seq)).length;
      if (answers !== 3)
        throw new Broken(
          `Each of three REPORTs must be acknowledged once; there were ${answers} answers.`,
          bench.log.since(from),
        );
      return "the line does not show whether the report was stored by then";
    },
  },
  {
    id: "P10",
    looksAt: "REPORTs before the device is described, of an unknown place, service and property",
    takes: "8 s",
    async run(bench) {
      await bench.live();
      let isHeld = true;
      bench.script = ({ type }) => (type === "DESCRIBE" && isHeld ? [] : undefined);
      const from = bench.log.end;
      const mark = await bench.reboot(PLAIN);
      await bench.next(mark, 8000, ({ message }) => message.type === "DESCRIBE");
      const early: Report = { ...ON, seq: bench.newSeq() };
      const since = bench.mark;
      await bench.say({ type: "REPORT", ...early });
      await bench.pass(300);
      if (bench.since(since).some(isAnswerTo(early.seq)))
        throw new Broken("A REPORT must not be acknowledged until its device is described.", bench.log.since(from));
      isHeld = false;
      await bench.asks(mark, wanted(PLAIN), 15_000);
      await bench.reports(early, "ACK", "A REPORT that is repeated after its device is described");
      await refuses(bench);
      return undefined;
    },
  },
  {
    id: "V1",
    looksAt: "a device that leaves",
    takes: "6 s",
    async run(bench) {
      await bench.live();
      await bench.reports({ ...PERCENT, seq: bench.newSeq() }, "ACK", "A REPORT of a device that is present");
      await changed(bench, [LAMP, null]);
      await bench.reports({ ...PERCENT, seq: bench.newSeq() }, 3, "A REPORT of a device that has left");
      await bench.reports({ ...ON, seq: bench.newSeq() }, "ACK", "A REPORT of a device that has stayed");
      return undefined;
    },
  },
  {
    id: "V2",
    looksAt: "which devices are described after CHANGED: those that are new or came back",
    takes: "6 s",
    async run(bench) {
      await bench.live();
      for (const [devices, place, reads] of [
        [[LAMP, BUTTON, SENSOR], 2, PLAIN.reads[2]],
        [[LAMP, null, SENSOR], undefined, []],
        [[LAMP, BUTTON, SENSOR], 1, PLAIN.reads[1]],
      ] as const) {
        const from = bench.log.end;
        const mark = await changed(bench, devices);
        const wants = place === undefined ? [] : [`DESCRIBE ${place} part 0`, ...readsOf(place, reads ?? [])];
        await bench.asks(mark, wants, wants.length === 0 ? 0 : 8000);
        await bench.pass(500);
        const asked = bench.asked(mark);
        const reported = `After CHANGED ${JSON.stringify(devices)} the hub must request: ${wants.join(", ") || "nothing"}; it requested`;
        if (asked.toSorted().join() !== wants.toSorted().join())
          throw new Broken(`${reported} ${asked.join(", ") || "none"}.`, bench.log.since(from));
      }
      return undefined;
    },
  },
  {
    id: "V3",
    looksAt: "a list with a duplicate device and the hub's own ID",
    takes: "6 s",
    async run(bench) {
      await bench.live();
      const from = bench.log.end;
      const devices = [LAMP, LAMP, bench.hubId ?? BUTTON];
      const reads = PLAIN.reads[0] ?? [];
      const mark = await bench.reboot({ ...PLAIN, devices, reads: [reads, [], []] });
      await bench.asks(mark, ["DESCRIBE 0 part 0", ...readsOf(0, reads)], 15_000);
      await bench.pass(500);
      bench.forgetKnown();
      const asked = bench.asked(mark);
      const extra = asked.filter((each) => !/^\w+ 0 /.test(each));
      if (extra.length > 0)
        throw new Broken(`Duplicates and the hub's own ID must be ignored; ${extra[0]} came.`, bench.log.since(from));
      if (!asked.includes("DESCRIBE 0 part 0"))
        throw new Broken("A duplicate device must be described at its first place.", bench.log.since(from));
      return undefined;
    },
  },
  {
    id: "V4",
    looksAt: "REPORTs with another type than described, out of range, and without a value",
    async run(bench) {
      await bench.live();
      await bench.reports({ ...ON, value: 5, seq: bench.newSeq() }, 2, "A REPORT with a number for a boolean");
      await bench.reports({ ...LEVEL, value: "much", seq: bench.newSeq() }, 2, "A REPORT with a text for a number");
      await bench.reports(
        { ...LEVEL, value: 1000, seq: bench.newSeq() },
        "ACK",
        "A REPORT with a value outside the range",
      );
      await bench.reports({ ...ON, value: null, seq: bench.newSeq() }, "ACK", "A REPORT with null");
      return undefined;
    },
  },
  {
    id: "X2",
    looksAt: "how many of 300 REPORTs at once are answered, a REPORT after them, and how many of 100 a second",
    takes: "13 s",
    async run(bench) {
      await bench.live();
      await bench.pass((BURST / RATE) * 1000);
      const from = bench.log.end;
      const mark = bench.mark;
      const began = bench.clock.monotonic();
      // Use a place that does not exist: rejected reports count too, and nothing has to be stored.
      for (let one = 0; one < 300; one++) await bench.say({ type: "REPORT", ...ON, device: 99, seq: bench.newSeq() });
      await bench.fence();
      await bench.pass(200);
      const seconds = (bench.clock.monotonic() - began) / 1000;
      const answered = bench.all("ERROR", mark).length;
      const most = BURST + Math.ceil(RATE * seconds) + 1;
      if (answered > most || answered < Math.min(BURST, 300))
        throw new Broken(
          `Of 300 REPORTs in ${seconds.toFixed(1)} s a hub must accept ${BURST} to ${most}; it answered ${answered}.`,
          bench.log.since(from),
        );
      await bench.pass(1000);
      await bench.reports({ ...ON, seq: bench.newSeq() }, "ACK", "A REPORT a second after the flood");
      await takesAtRate(bench);
      return undefined;
    },
  },
];

/** Sends 100 reports a second after the burst is used up. @throws Broken when the hub accepts more or less than its rate */
async function takesAtRate(bench: HubBench): Promise<void> {
  // First use up the rest of the burst of 200.
  for (let one = 0; one < BURST; one++) await bench.say({ type: "REPORT", ...ON, device: 99, seq: bench.newSeq() });
  await bench.fence();
  const from = bench.log.end;
  const mark = bench.mark;
  const began = bench.clock.monotonic();
  for (let one = 0; one < 4 * RATE; one++) {
    await bench.say({ type: "REPORT", ...ON, device: 99, seq: bench.newSeq() });
    await bench.pass(1000 / (2 * RATE));
  }
  await bench.fence();
  const seconds = (bench.clock.monotonic() - began) / 1000;
  const answered = bench.all("ERROR", mark).length;
  const most = Math.ceil(RATE * seconds * 1.2) + 5;
  const least = Math.min(Math.floor(RATE * seconds * 0.8) - 5, Math.floor(4 * RATE * 0.8));
  if (answered <= most && answered >= least) return;
  throw new Broken(
    `Of ${4 * RATE} REPORTs in ${seconds.toFixed(1)} s after a flood a hub must accept ${least} to ${most}; it answered ${answered}.`,
    bench.log.since(from, 20),
  );
}

/** @throws Broken when an unknown device or property is not rejected with its code */
async function refuses(bench: HubBench): Promise<void> {
  const refused: readonly (readonly [Partial<Report>, number, string])[] = [
    [{ device: 99 }, 3, "an unknown place"],
    [{ service: "Nothing" }, 4, "an undescribed service"],
    [{ index: 7 }, 4, "a service with another index"],
    [{ property: "off" }, 5, "an undescribed property"],
  ];
  for (const [other, code, what] of refused)
    await bench.reports({ ...ON, ...other, seq: bench.newSeq() }, code, `A REPORT of ${what}`);
}
