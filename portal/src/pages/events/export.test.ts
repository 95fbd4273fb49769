import type { EventLogPage, Porchlight, PorchlightEvent } from "@porchlight/sdk";
import { expect, it } from "vitest";
import { exportEvents } from "./export.ts";

const event = (sequence: number) =>
  ({
    ...{ sequence, id: `evt_${sequence}`, type: "zone.created", createdAt: "2026-11-05 14:03:07Z" },
    ...{ ecosystemId: "eco_1", data: { alias: 'a "zone", big' } },
  }) as unknown as PorchlightEvent;
const page = (sequences: number[], newest = 5): EventLogPage => ({
  items: sequences.map(event),
  range: { first: sequences[0] ?? 1, last: sequences.at(-1) ?? 0 },
  log: { oldest: 1, newest },
});
function having(...pages: EventLogPage[]): Pick<Porchlight, "eventLog"> {
  const collection = {
    async *pages() {
      yield* pages;
    },
  };
  return { eventLog: () => collection } as unknown as Pick<Porchlight, "eventLog">;
}
const { signal } = new AbortController();

it("is every event of every page, one a line, as a webhook would get it", async () => {
  const seen: [number, number][] = [];
  const made = await exportEvents(
    having(page([1, 2]), page([3, 5])),
    { filter: {}, format: "ndjson", signal },
    (...at) => seen.push(at),
  );
  expect(made.text.map((line) => JSON.parse(line).sequence)).toEqual([1, 2, 3, 5]);
  expect(made).toMatchObject({ count: 4, isCut: false });
  expect(seen).toEqual([
    [2, 0.4],
    [4, 1],
  ]);
});

it("is a table with the data as JSON, quoted as tables are", async () => {
  const { text } = await exportEvents(having(page([5])), { filter: {}, format: "csv", signal }, () => undefined);
  expect(text.join("")).toBe(
    "sequence,id,type,createdAt,ecosystemId,environmentId,data\r\n" +
      '5,evt_5,zone.created,2026-11-05 14:03:07Z,eco_1,,"{""alias"":""a \\""zone\\"", big""}"\r\n',
  );
});

it("states that it was cut off, and leaves out later events", async () => {
  const asked = { filter: {}, format: "ndjson", signal } as const;
  expect(await exportEvents(having(page([1, 2, 3])), { ...asked, most: 2 }, () => undefined)).toMatchObject({
    ...{ count: 2, isCut: true },
  });
  const grown = having(page([1, 2, 3]), page([4, 5, 6, 7], 7));
  expect(await exportEvents(grown, asked, () => undefined)).toMatchObject({ count: 5, isCut: false });
});

it("ends when it is cancelled", async () => {
  const aborted = AbortSignal.abort(new Error("cancelled"));
  const asked = { filter: {}, format: "ndjson", signal: aborted } as const;
  await expect(exportEvents(having(page([1])), asked, () => undefined)).rejects.toThrow("cancelled");
});
