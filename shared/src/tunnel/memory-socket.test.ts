/** The line in memory behaves as a WebSocket does, or what is proved on it proves nothing. */
import { expect, test } from "vitest";
import { settle } from "../kernel/index.ts";
import { type MessageSocket, socketPair } from "./memory-socket.ts";

function listener(socket: MessageSocket): string[] {
  const story: string[] = [];
  socket.listen({ message: (text) => story.push(text), closed: (code) => story.push(`closed ${code}`) });
  return story;
}

test("what was sent before anybody listened is not lost", async () => {
  const { a, b } = socketPair();
  a.send("early", () => undefined);
  await settle();
  expect(listener(b)).toEqual(["early"]);
});

test("a close comes after what was sent before it, with its code, once", async () => {
  const { a, b } = socketPair();
  const [near, far] = [listener(a), listener(b)];
  a.send("last words", () => undefined);
  a.close(4001, "superseded");
  a.close(1012, "restart");
  a.send("from the grave", () => undefined);
  await settle();
  expect([near, far]).toEqual([["closed 4001"], ["last words", "closed 4001"]]);
});

test("a line that breaks is heard without a close code, at each end when that end notices", async () => {
  const { a, b, breakFor } = socketPair();
  const [near, far] = [listener(a), listener(b)];
  breakFor("b");
  a.send("into the void", () => undefined);
  await settle();
  expect([near, far]).toEqual([[], ["closed 1006"]]);
  breakFor("a");
  breakFor("a");
  expect(near).toEqual(["closed 1006"]);
});
