/** Section 4, DESCRIPTION: judged by a hub's requests and reads, for a node with every form of description. */
import { Broken, NotApplicable, type Rule } from "../../rule.ts";
import { type HubBench, readsOf } from "../hub-bench.ts";
import { WORDY } from "../persona.ts";

const MOST_PARTS = 64;

/** @throws Broken when a request in `wants` is missing, or one in `unwanted` was sent */
function judge(asked: readonly string[], wants: readonly string[], unwanted: readonly string[], why: string): void {
  const missing = wants.filter((each) => !asked.includes(each));
  const extra = unwanted.filter((each) => asked.includes(each));
  if (missing.length > 0) throw new Broken(`${why} Not requested: ${missing.join(", ")}.`);
  if (extra.length > 0) throw new Broken(`${why} Requested: ${extra.join(", ")}.`);
}

function rule(
  id: string,
  looksAt: string,
  why: string,
  wants: readonly string[],
  unwanted: readonly string[],
): Rule<HubBench> {
  return {
    id,
    looksAt,
    async run(bench) {
      await bench.live();
      if (!readsAlike(bench.askedPlain))
        throw new NotApplicable("Of two properties that are described in the same way it reads one, which breaks S4.");
      judge(await bench.askedAs(WORDY), wants, unwanted, why);
      return undefined;
    },
  };
}

/** Whether the hub read both of two standard properties, or neither. */
function readsAlike(asked: readonly string[]): boolean {
  const [one, other] = readsOf(0, ["Switch:0.on", "LightLevel:0.level"]).map((each) => asked.includes(each));
  return one === other;
}

const parts = (place: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `DESCRIBE ${place} part ${from + at}`);

export const HUB_DESCRIPTIONS: readonly Rule<HubBench>[] = [
  rule(
    "D1",
    "reads of the properties of described services",
    "Every described property must be read.",
    readsOf(0, ["Lab:0.probe"]),
    [],
  ),
  rule(
    "D2",
    "which properties of a custom class are read, by their access",
    "Properties with access 1 must be read, those with 2 and 4 must not.",
    readsOf(0, ["Lab:0.probe"]),
    readsOf(0, ["Lab:0.wish", "Lab:0.shout"]),
  ),
  rule(
    "D3",
    "which standard properties are read",
    "Switch.on must be read, and Button.event must not: it can only notify.",
    readsOf(0, ["Switch:0.on"]),
    readsOf(0, ["Button:0.event"]),
  ),
  rule(
    "D4",
    "a description in three parts, with a service that continues in the next part",
    "Every part must be requested, and a service may continue in the next.",
    [...parts(0, 0, 3), ...readsOf(0, ["Lab:0.second", "Lab:0.good"])],
    parts(0, 3, 4),
  ),
  rule(
    "D5",
    "a device with a name outside ASCII, and a key of a later version",
    "What a device states about itself must not prevent anything.",
    readsOf(1, ["Battery:0.low"]),
    [],
  ),
  rule(
    "D6",
    "a description of seventy parts",
    `A description has at most ${MOST_PARTS} parts; the rest must be left out.`,
    [...parts(1, 0, MOST_PARTS), ...readsOf(1, ["Battery:0.low"])],
    parts(1, MOST_PARTS, MOST_PARTS + 1),
  ),
  rule(
    "D7",
    "properties that contradict themselves, among valid ones",
    "What contradicts itself must be left out, and the rest used.",
    readsOf(0, ["Lab:0.good", "Lab:0.probe"]),
    readsOf(0, ["Lab:0.upside", "Lab:0.ranged", "Lab:0.odd", "Lab:0.un it", "1bad:0.x"]),
  ),
  rule(
    "D8",
    "whether the hub reads Identify if a node describes it",
    "The hub gives Identify to every device and must not read it.",
    [],
    readsOf(0, ["Identify:0.active"]),
  ),
];
