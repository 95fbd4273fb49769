import { SetupFailed, type SetupFind, type SetupQuestion, type SetupTalk } from "@porchlight/driver-kit";
import { VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, it } from "vitest";
import type { KeptBridge } from "./kept-bridges.ts";
import { type BridgeFacts, type KeyAnswer, OLDEST_SOFTWARE, pairBridge } from "./pair-bridge.ts";

const FACTS: BridgeFacts = { bridgeId: "001788FFFEAABBCC", name: "Hall", software: OLDEST_SOFTWARE };
const OTHER: BridgeFacts = { bridgeId: "001788FFFE000000", name: "Loft", software: OLDEST_SOFTWARE };
const PAIRED: BridgeFacts = { bridgeId: "001788FFFE000001", name: "Attic", software: OLDEST_SOFTWARE };
const WAITING: KeyAnswer = { kind: "waiting" };
const PRESSED: KeyAnswer = { kind: "pressed", key: "k", pinned: "AA:BB" };

class Person implements SetupTalk {
  readonly ending = new AbortController();
  readonly signal = this.ending.signal;
  readonly shown: string[] = [];
  readonly finds: SetupFind[] = [];
  answer = "";

  tell(text: string): void {
    this.shown.push(text);
  }

  async ask(question: SetupQuestion): Promise<string> {
    this.shown.push(question.ask === "choice" ? question.choices.join(" | ") : question.text);
    return this.answer;
  }

  found(find: SetupFind): void {
    this.finds.push(find);
  }
}

/** Bridges by their hosts; what is no facts does not answer. */
function pairing(bridges: Readonly<Record<string, BridgeFacts | undefined>>, answers: readonly KeyAnswer[] = []) {
  const clock = new VirtualClock();
  const person = new Person();
  const kept = new Map<string, KeptBridge>();
  let asked = 0;
  const run = () => {
    const ended = pairBridge(person, {
      clock,
      places: Object.keys(bridges).map((host) => ({ host, port: 443 })),
      api: {
        facts: async ({ host }) => {
          const facts = bridges[host];
          if (!facts) throw new Error("connection refused");
          return facts;
        },
        askKey: async () => answers[asked++] ?? WAITING,
      },
      isPaired: (id) => id === PAIRED.bridgeId,
      wasSigned: () => false,
      keep: async (id, bridge) => void kept.set(id, bridge),
    });
    ended.catch(() => undefined);
    return ended;
  };
  return { clock, person, kept, run, asked: () => asked };
}

describe("pairing with a Hue bridge", () => {
  it("waits for its button, and keeps the key and what identifies the bridge", async () => {
    const { clock, person, kept, run } = pairing({ "10.0.0.9": FACTS }, [WAITING, WAITING, PRESSED]);
    const ended = run();
    await clock.advance(5000);
    await ended;
    expect(person.shown).toEqual(["Press the button on the bridge “Hall”."]);
    expect(kept.get(FACTS.bridgeId)).toEqual({
      key: "k",
      pinned: "AA:BB",
      host: "10.0.0.9",
      port: 443,
      pairedAt: "10.0.0.9",
    });
    expect(person.finds).toEqual([{ name: "Hue bridge “Hall”" }]);
  });

  it("asks which, where there are several, and lists none twice", async () => {
    const { clock, person, kept, run } = pairing({ a: FACTS, b: OTHER, c: FACTS, d: PAIRED }, [PRESSED]);
    person.answer = "Loft (001788FFFE000000, b)";
    const ended = run();
    await clock.advance(1000);
    await ended;
    expect(person.shown[0]).toBe("Hall (001788FFFEAABBCC, c) | Loft (001788FFFE000000, b)");
    expect([...kept.keys()]).toEqual([OTHER.bridgeId]);
  });

  it("reports that the button was not pressed, after a minute", async () => {
    const { clock, kept, run, asked } = pairing({ a: FACTS });
    const ended = run();
    await clock.advance(61_000);
    await expect(ended).rejects.toThrow("was not pressed within 60 seconds");
    expect([kept.size, asked()]).toEqual([0, 60]);
  });

  it.each<[what: string, bridges: Readonly<Record<string, BridgeFacts | undefined>>, says: string]>([
    ["there is none", {}, "No Hue bridge that is not paired was found"],
    ["there is none but what is paired", { a: PAIRED }, "No Hue bridge that is not paired was found"],
    ["none answers", { "10.0.0.9": undefined }, "No Hue bridge answers (10.0.0.9: connection refused)."],
    ["its software is too old", { a: { ...FACTS, software: 1_940_000_000 } }, "Update it in the Hue app"],
  ])("reports that %s", async (_, bridges, says) => {
    const ended = pairing(bridges).run();
    await expect(ended).rejects.toThrow(SetupFailed);
    await expect(ended).rejects.toThrow(says);
  });

  it("ends with the person", async () => {
    const { clock, person, run } = pairing({ a: FACTS });
    const ended = run();
    await clock.advance(1000);
    person.ending.abort(new Error("gone"));
    await expect(ended).rejects.toThrow("gone");
  });
});
