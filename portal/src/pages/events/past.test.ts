import type { PorchlightEvent, StreamItem, StreamOptions } from "@porchlight/sdk";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pastEvents } from "./past.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const event = (sequence: number): StreamItem => ({ kind: "event", event: { sequence } as PorchlightEvent });
/** Says these, and then nothing more until it is ended. */
const saying = (...items: StreamItem[]) =>
  async function* ({ signal, onConnection }: StreamOptions): AsyncGenerator<StreamItem> {
    onConnection?.({ state: "connected" });
    yield* items;
    await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  };
const sequences = ({ events }: { readonly events: readonly PorchlightEvent[] }) =>
  events.map(({ sequence }) => sequence);

it("ends at the first event that is known already", async () => {
  const asked = { ecosystemId: "eco_1", after: 3, until: 5 };
  expect(sequences(await pastEvents(saying(event(4), event(5), event(6)), asked))).toEqual([4, 5]);
});

it("has caught up when nothing more comes", async () => {
  const past = pastEvents(saying(event(4)), { ecosystemId: "eco_1", after: 3, until: undefined });
  await vi.advanceTimersByTimeAsync(1500);
  expect(await past).toMatchObject({ events: [{ sequence: 4 }], isCut: false });
});

it("says that some are no longer kept", async () => {
  const past = pastEvents(saying({ kind: "reset" }), { ecosystemId: "eco_1", after: 3, until: undefined });
  await vi.advanceTimersByTimeAsync(1500);
  expect(await past).toEqual({ events: [], isCut: true });
});

it("tells of a refusal", async () => {
  // biome-ignore lint/correctness/useYield: it is refused before it says anything
  const refusing = async function* (): AsyncGenerator<StreamItem> {
    throw new Error("refused");
  };
  await expect(pastEvents(refusing, { ecosystemId: "eco_1", after: 3, until: 9 })).rejects.toThrow("refused");
});
