import { encodeMessage, type Message } from "@porchlight/shared/wire";
import { describe, expect, test } from "vitest";
import { HubTalk } from "./hub-talk.ts";

const READ: Message = { type: "READ", seq: 1, device: 0, service: "Switch", index: 0, property: "on" };

/** A hub that has asked at 0, of a node that says something every 100 ms. */
function talkative(): (at: number) => string[] {
  const talk = new HubTalk(0);
  const hear = (at: number) => talk.heard(READ, encodeMessage(READ), at).map(({ rule }) => rule);
  expect(hear(0)).toEqual([]);
  for (let at = 100; at <= 3000; at += 100) talk.speaks(at);
  return hear;
}

describe("a hub that asks again", () => {
  test("while other bytes keep coming is too early before they have held it up for 1.5 s, and not after", () => {
    expect(talkative()(1900)).toEqual(["B2"]);
    expect(talkative()(2000)).toEqual([]);
  });

  test("after 500 ms of silence is in time", () => {
    const talk = new HubTalk(0);
    const hear = (at: number) => talk.heard(READ, encodeMessage(READ), at).map(({ rule }) => rule);
    expect([hear(0), hear(400)]).toEqual([[], ["B2"]]);
    expect(hear(900)).toEqual([]);
  });
});

describe("a hub that asks something else while a request is unanswered", () => {
  const WRITE: Message = { ...READ, type: "WRITE", value: true };
  const next: Message = { ...READ, seq: 2 };
  /** What is found of a READ at that moment, after a request at 0. */
  const found = (request: Message, at: number, isGreeted: boolean) => {
    const talk = new HubTalk(0);
    talk.boots(1);
    talk.heard(request, encodeMessage(request), 0);
    if (isGreeted) talk.greets();
    return talk.heard(next, encodeMessage(next), at).map(({ rule }) => rule);
  };

  test("exceeds the window, but not after the one try that a WRITE has when a HELLO follows it", () => {
    expect(found(WRITE, 1000, false)).toEqual(["B1"]);
    expect(found(WRITE, 400, true)).toEqual(["B1"]);
    expect(found(WRITE, 1000, true)).toEqual([]);
    expect(found(READ, 1000, true)).toEqual(["B1"]);
  });
});
