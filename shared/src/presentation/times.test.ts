/** Times in sentences for people. */
import { describe, expect, it } from "vitest";
import { parseTime } from "../kernel/index.ts";
import { timeWords, withTimes } from "./times.ts";

const at = (time: string) => parseTime(time) ?? Number.NaN;
const MORNING = at("2026-11-25 11:14:03Z");

describe("a time for people", () => {
  it.each([
    ["in UTC", undefined, "2026-11-25 11:14:03Z", "25 November 2026, 11:14 UTC"],
    ["at midnight", undefined, "2026-03-01 00:00:59Z", "1 March 2026, 00:00 UTC"],
    ["in winter", "Europe/Berlin", "2026-11-25 11:14:03Z", "25 November 2026, 12:14 CET"],
    ["in summer, on the next day", "Europe/Berlin", "2026-07-31 22:05:00Z", "1 August 2026, 00:05 CEST"],
    ["in a zone without letters", "America/Sao_Paulo", "2026-11-25 02:14:03Z", "24 November 2026, 23:14 GMT-3"],
  ])("%s", (_case, zone, time, words) => {
    expect(timeWords(at(time), zone)).toBe(words);
  });
});

describe("times of a text", () => {
  const berlin = (ms: number) => timeWords(ms, "Europe/Berlin");
  it.each([
    ["as the API writes them", "offline since 2026-11-25 11:14:03Z.", "offline since 25 November 2026, 12:14 CET."],
    ["in words", "offline since 25 November 2026, 11:14 UTC.", "offline since 25 November 2026, 12:14 CET."],
    [
      "two of them",
      "2026-11-25 11:14:03Z, 1 May 2026, 09:00 UTC",
      "25 November 2026, 12:14 CET, 1 May 2026, 11:00 CEST",
    ],
    ["but not those in a name", "Hub “2026-11-25 11:14:03Z” is gone.", "Hub “2026-11-25 11:14:03Z” is gone."],
    ["but no time that does not exist", "31 June 2026, 11:14 UTC", "31 June 2026, 11:14 UTC"],
    ["but no text without any", "Quota “devices” is at 9 of 10.", "Quota “devices” is at 9 of 10."],
  ])("are written anew: %s", (_case, text, expected) => {
    expect(withTimes(text, berlin)).toBe(expected);
  });

  it("of every month are found again", () => {
    for (let month = 0; month < 12; month++) {
      const ms = MORNING - 3000 + month * 30 * 86_400_000;
      const found: number[] = [];
      withTimes(timeWords(ms), (each) => String(found.push(each)));
      expect(found).toEqual([ms]);
    }
  });
});
