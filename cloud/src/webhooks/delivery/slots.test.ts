/** Who gets to send when many want to: no tenant waits for another's dead endpoint. */
import { cpuUsage } from "node:process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Slots } from "./slots.ts";

describe("slots", () => {
  it("are given at once while there are any, and in turn afterwards", () => {
    const slots = new Slots({ total: 2, slow: 2, perTenant: 2, slowPerTenant: 2 });
    const begun: string[] = [];
    const releases: (() => void)[] = [];
    const ask = (tenant: string, name: string) =>
      slots.ask(tenant, false, (release) => {
        begun.push(name);
        releases.push(release);
      });
    for (const name of ["a1", "a2", "a3", "a4"]) ask("a", name);
    ask("b", "b1");
    expect(begun).toEqual(["a1", "a2"]);
    for (let turn = 0; turn < 3; turn++) releases.shift()?.();
    expect(begun).toEqual(["a1", "a2", "a3", "b1", "a4"]);
  });

  it("leave room for the quick, however many dead endpoints wait", () => {
    const slots = new Slots({ total: 10, slow: 4, perTenant: 10, slowPerTenant: 10 });
    let dead = 0;
    for (let endpoint = 0; endpoint < 1_000; endpoint++)
      slots.ask("a", true, () => {
        dead += 1;
      });
    let quick = false;
    slots.ask("b", false, () => {
      quick = true;
    });
    expect([dead, quick]).toEqual([4, true]);
  });

  it("are found in few steps, however many wait for which there is no room", () => {
    const slots = new Slots({ total: 10, slow: 4, perTenant: 10, slowPerTenant: 10 });
    const start = () => undefined;
    for (let endpoint = 0; endpoint < 30_000; endpoint++) {
      slots.ask(`tenant ${endpoint}`, true, start);
      slots.ask("one", true, start);
    }
    let quick = 0;
    const before = cpuUsage().user;
    for (let count = 0; count < 30_000; count++)
      slots.ask("one", false, (release) => {
        quick += 1;
        release();
      });
    expect(quick).toBe(30_000);
    // Going through all that wait would be 900 million steps.
    expect(cpuUsage().user - before).toBeLessThan(1_000_000);
  });

  it("leave room for a tenant's own quick ones, however many dead ones it has", () => {
    const slots = new Slots({ total: 10, slow: 10, perTenant: 6, slowPerTenant: 4 });
    let dead = 0;
    for (let endpoint = 0; endpoint < 100; endpoint++)
      slots.ask("a", true, () => {
        dead += 1;
      });
    let quick = false;
    slots.ask("a", false, () => {
      quick = true;
    });
    expect([dead, quick]).toEqual([4, true]);
  });

  it("leave room for others, however much one tenant sends", () => {
    const slots = new Slots({ total: 10, slow: 10, perTenant: 6, slowPerTenant: 6 });
    let own = 0;
    for (let count = 0; count < 100; count++)
      slots.ask("a", false, () => {
        own += 1;
      });
    let other = false;
    slots.ask("b", false, () => {
      other = true;
    });
    expect([own, other]).toEqual([6, true]);
  });

  it("are never more than there are, and everybody who asks gets one", () => {
    const wish = fc.record({ tenant: fc.constantFrom("a", "b", "c"), slow: fc.boolean(), lasts: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 100 }), (wishes) => {
        const limits = { total: 5, slow: 3, perTenant: 3, slowPerTenant: 2 };
        const slots = new Slots(limits);
        const held: { tenant: string; slow: boolean; left: number; release: () => void }[] = [];
        let begun = 0;
        const check = () => {
          expect(held.length).toBeLessThanOrEqual(limits.total);
          expect(held.filter(({ slow }) => slow).length).toBeLessThanOrEqual(limits.slow);
          for (const one of held) {
            const slow = held.filter((other) => other.slow && other.tenant === one.tenant);
            expect(slow.length).toBeLessThanOrEqual(limits.slowPerTenant);
            expect(held.filter(({ tenant }) => tenant === one.tenant).length).toBeLessThanOrEqual(limits.perTenant);
          }
        };
        for (const { tenant, slow, lasts } of wishes)
          slots.ask(tenant, slow, (release) => {
            begun += 1;
            held.push({ tenant, slow, left: lasts, release });
            check();
          });
        while (held.length > 0) {
          for (const one of held) one.left -= 1;
          const at = held.findIndex(({ left }) => left < 0);
          const [ended] = at < 0 ? [] : held.splice(at, 1);
          // Twice is once.
          ended?.release();
          ended?.release();
        }
        expect([begun, slots.taken]).toEqual([wishes.length, 0]);
      }),
    );
  });
});
