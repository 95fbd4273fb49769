/** What was started is ended: in the opposite order, once, also when endings fail. */
import { expect, test } from "vitest";
import { settle } from "../time/virtual-clock.ts";
import { Scope } from "./scope.ts";

test("things end in the opposite order, each after the one before it has ended", async () => {
  const ended: string[] = [];
  const part = (name: string) => ({
    async [Symbol.asyncDispose]() {
      await settle(1);
      ended.push(name);
    },
  });
  {
    await using scope = new Scope();
    scope.use(part("store"));
    scope.use({ [Symbol.dispose]: () => void ended.push("socket") });
    scope.defer(() => void ended.push("timer"));
  }
  expect(ended).toEqual(["timer", "socket", "store"]);
});

test("ending twice ends once, and the second waits for the first", async () => {
  const scope = new Scope();
  let endings = 0;
  scope.defer(async () => {
    await settle(2);
    endings += 1;
  });
  const first = scope[Symbol.asyncDispose]();
  await scope[Symbol.asyncDispose]();
  expect(endings).toBe(1);
  await first;
});

test("a failed ending keeps no other from ending, and is thrown afterwards", async () => {
  const scope = new Scope();
  const ended: string[] = [];
  scope.defer(() => void ended.push("first"));
  scope.defer(() => Promise.reject(new Error("stuck")));
  scope.defer(() => {
    throw new Error("broken");
  });
  const failure = await scope[Symbol.asyncDispose]().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(AggregateError);
  expect(failure instanceof AggregateError && failure.errors.map(String)).toEqual(["Error: broken", "Error: stuck"]);
  expect(ended).toEqual(["first"]);
});

test("waits are aborted before the first ending", async () => {
  const scope = new Scope();
  let abortedThen: boolean | undefined;
  scope.defer(() => {
    abortedThen = scope.signal.aborted;
  });
  expect(scope.signal.aborted).toBe(false);
  await scope[Symbol.asyncDispose]();
  expect(abortedThen).toBe(true);
});

test("what is handed to a scope that has ended is ended at once", async () => {
  const scope = new Scope();
  await scope[Symbol.asyncDispose]();
  let ended = false;
  scope.use({
    [Symbol.dispose]: () => {
      ended = true;
    },
  });
  expect(ended).toBe(true);
});
