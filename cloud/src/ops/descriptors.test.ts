/** A process without file descriptors says so, in words, once. */
import { type LogFields, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Descriptors } from "./descriptors.ts";

test.each(["EMFILE", "ENFILE"])(
  "with %s the log says so once, and once when descriptors are left again",
  async (code) => {
    const clock = new VirtualClock();
    const logged: string[] = [];
    const say = (_fields: LogFields, message: string) => void logged.push(message);
    let failure: Error | undefined;
    const take = () => {
      if (failure) throw failure;
    };
    using descriptors = Descriptors.start({ clock, log: { ...silentLog, error: say, warn: say }, take });
    await clock.advance(10_000);
    expect([descriptors.warning, logged.length]).toEqual([undefined, 0]);
    failure = Object.assign(new Error("too many open files"), { code });
    await clock.advance(15_000);
    expect(descriptors.warning).toContain("No file descriptor is left");
    expect(descriptors.shortages).toBe(3);
    expect(logged).toEqual([descriptors.warning]);
    failure = undefined;
    await clock.advance(5_000);
    expect(descriptors.warning).toBeUndefined();
    expect(logged.at(-1)).toBe("file descriptors are left again");
  },
);

test("another failure is none of them", async () => {
  const clock = new VirtualClock();
  const take = () => {
    throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  };
  using descriptors = Descriptors.start({ clock, log: silentLog, take });
  await clock.advance(5_000);
  expect(descriptors.warning).toBeUndefined();
});

test("a process that has descriptors finds one", async () => {
  const clock = new VirtualClock();
  using descriptors = Descriptors.start({ clock, log: silentLog });
  await clock.advance(5_000);
  expect(descriptors.shortages).toBe(0);
});
