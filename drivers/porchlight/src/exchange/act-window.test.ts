import { expect, test } from "vitest";
import { ActWindow } from "./exchanges.ts";

/** Begins as many as may be begun. */
function fill(window: ActWindow): number[] {
  const ids: number[] = [];
  while (window.mayBegin()) ids.push(window.begin());
  return ids;
}

test.each([1, 2, 3, 8])("a node that remembers %i is sent as many without an answer", (win) => {
  expect(fill(new ActWindow(win))).toHaveLength(win);
});

test("each answer in order lets the next one through", () => {
  const window = new ActWindow(3);
  const ids = fill(window);
  for (let round = 0; round < 100; round++) {
    window.end(ids.shift() ?? 0);
    expect(window.mayBegin()).toBe(true);
    ids.push(window.begin());
    expect(window.mayBegin()).toBe(false);
  }
});

test("answers to later ones let none through while the first is unanswered", () => {
  const window = new ActWindow(3);
  const [first = 0, second = 0, third = 0] = fill(window);
  window.end(second);
  window.end(third);
  expect(window.mayBegin()).toBe(false);
  window.end(first);
  expect(fill(window)).toHaveLength(3);
});

test("a repetition counts as carried out after those that left later, once", () => {
  const window = new ActWindow(3);
  const first = window.begin();
  const second = window.begin();
  expect(window.mayRepeat(first)).toBe(true);
  window.repeat(first);
  window.repeat(first);
  window.end(first);
  expect(window.mayBegin()).toBe(true);
  window.begin();
  expect(window.mayBegin()).toBe(false);
  window.end(second);
  expect(window.mayBegin()).toBe(true);
});

test("a repetition waits when it could push a later one out of the node's memory", () => {
  const window = new ActWindow(3);
  const [first, second, third] = [window.begin(), window.begin(), window.begin()];
  window.repeat(first);
  expect(window.mayRepeat(second)).toBe(true);
  window.end(first);
  window.end(third);
  expect(window.mayBegin()).toBe(false);
  expect(window.mayRepeat(second)).toBe(true);
});

test("the last that left may always be repeated, so that nothing waits for ever", () => {
  const window = new ActWindow(4);
  for (let round = 0; round < 50; round++) {
    const ids = fill(window);
    const last = ids.at(-1) ?? 0;
    expect(window.mayRepeat(last)).toBe(true);
    for (const id of ids) if (window.mayRepeat(id)) window.repeat(id);
    for (const id of ids) window.end(id);
  }
});

test("a node that remembers its last answers never forgets one that is still unanswered, with any loss", () => {
  for (let seed = 1; seed <= 300; seed++) {
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const win = 1 + random(8);
    const window = new ActWindow(win);
    const open = new Set<number>();
    const everCarriedOut = new Set<number>();
    let remembered: number[] = [];
    const arrives = (id: number) => {
      if (remembered.includes(id)) return;
      expect(everCarriedOut.has(id), `seed ${seed}: ${id} acts twice`).toBe(false);
      everCarriedOut.add(id);
      remembered = [...remembered, id].slice(-win);
    };
    for (let step = 0; step < 200; step++) {
      const ids = [...open];
      const id = ids[random(Math.max(1, ids.length))];
      const what = random(3);
      if (what === 0 && window.mayBegin()) {
        const fresh = window.begin();
        open.add(fresh);
        if (random(3) > 0) arrives(fresh);
      } else if (what === 1 && id !== undefined && window.mayRepeat(id)) {
        window.repeat(id);
        if (random(3) > 0) arrives(id);
      } else if (what === 2 && id !== undefined) {
        window.end(id);
        open.delete(id);
      }
    }
  }
});
