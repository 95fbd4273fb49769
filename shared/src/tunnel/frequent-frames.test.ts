/** What is good at a glance is good by its schema, and the same: for frames as they come, and for each of them with something wrong. */
import fc from "fast-check";
import { expect, it } from "vitest";
import * as frames from "./frames.ts";
import { goodCommand, goodCommandAnswer, goodRecords } from "./frequent-frames.ts";

const TARGET = { device: "02-FF-FF-00-00-01", service: "LightColor", index: "0", property: "hue" };
const COMMAND = { at: 1.5, deadline: 9_000, id: "cmd_1", ...TARGET, value: 12.5, requestId: "req_1", trace: true };
const VALUE = { kind: "value", n: 7, ...TARGET, value: 12.5, observedAt: 1_795_248_774_106, cause: "report" };
const RESULT = {
  ...{ kind: "result", n: 8, command: "cmd_1", ...TARGET, requested: 12.5 },
  ...{ outcome: "confirmed", value: 12.5, observedAt: 1_795_248_774_106 },
};
const ANSWER = { ...RESULT, hops: { turn: 0.1, journal: 3.2, device: 0 } };
const PRESENCE = { kind: "presence", n: 9, device: TARGET.device, online: true, observedAt: 1 };

interface Kind {
  readonly name: string;
  readonly frame: Readonly<Record<string, unknown>>;
  readonly atAGlance: (given: unknown) => unknown;
  /** What of a schema is asked: its whole type is too deep for the compiler in a table. */
  readonly schema: { parse(given: unknown): unknown; safeParse(given: unknown): { readonly data?: unknown } };
}

const KINDS: readonly Kind[] = [
  { name: "command", frame: COMMAND, atAGlance: goodCommand, schema: frames.command },
  { name: "value record", frame: VALUE, ...ofRecords() },
  { name: "result record", frame: RESULT, ...ofRecords() },
  { name: "answer of a command", frame: ANSWER, atAGlance: goodCommandAnswer, schema: frames.commandAnswer },
];

function ofRecords(): Pick<Kind, "atAGlance" | "schema"> {
  return {
    atAGlance: (record: unknown) => goodRecords({ records: [record] })?.[0],
    schema: frames.record,
  };
}

it.each(KINDS)("a $name as a hub or the cloud sends it is good at a glance", ({ frame, atAGlance, schema }) => {
  expect(atAGlance(frame)).toStrictEqual(frame);
  expect(schema.parse(frame)).toStrictEqual(frame);
});

it.each(KINDS)(
  "a $name with something wrong, missing or unknown is good at a glance only if its schema accepts it",
  (kind) => {
    const { frame, atAGlance, schema } = kind;
    const names = [...Object.keys(frame), "scene", "failure", "hops", "nobody", "toString"];
    const strange = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        ...[
          -1,
          0.5,
          -0,
          2 ** 53,
          Number.POSITIVE_INFINITY,
          Number.NaN,
          null,
          undefined,
          "",
          "x".repeat(65),
          "007",
          "1000",
        ],
      ),
      fc.constantFrom(
        ...[
          "report",
          "local",
          "result",
          "value",
          "unknown",
          "rejected",
          TARGET.device.toLowerCase(),
          {},
          [],
          { turn: -1 },
          { other: 1 },
        ],
      ),
      fc.constantFrom(
        "x".repeat(20_000),
        { id: "scn_1", by: "schedule" },
        { turn: 1, journal: Number.POSITIVE_INFINITY },
      ),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), strange, { maxKeys: 3 }),
        fc.option(fc.constantFrom(...names)),
        (more, missing) => {
          const { [missing ?? ""]: _, ...changed }: Record<string, unknown> = { ...frame, ...more };
          const good = atAGlance(changed);
          if (good !== undefined) expect(schema.safeParse(changed).data).toStrictEqual(good);
        },
      ),
      { numRuns: 2_000 },
    );
  },
);

it("what is seldom, or not of a frame, is left to the schema", () => {
  expect(goodRecords({ records: [VALUE, PRESENCE] })).toBeUndefined();
  expect(goodRecords({ records: [] })).toBeUndefined();
  expect(goodRecords({ records: Array.from({ length: 501 }, () => VALUE) })).toBeUndefined();
  expect(goodRecords({ records: [VALUE], more: 1 })).toBeUndefined();
  expect(goodRecords({ records: [{ ...VALUE, value: { deep: 1 } }] })).toBeUndefined();
  expect(goodCommandAnswer({ ...ANSWER, outcome: "unknown" })).toBeUndefined();
  for (const none of [null, undefined, 1, "text", [], [VALUE]]) {
    expect(goodCommand(none)).toBeUndefined();
    expect(goodCommandAnswer(none)).toBeUndefined();
    expect(goodRecords(none)).toBeUndefined();
  }
});
