/** Letting a Zigbee device join, against a bridge that speaks as zigbee2mqtt 2 does. */
import { SetupFailed, type SetupFind, type SetupQuestion, type SetupTalk } from "@porchlight/driver-kit";
import { settle } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { BrokerHome } from "../broker-home.fixture.ts";
import { zigbeeJoin } from "./join.ts";

const BULB = "0x00158d0001020304";
const EDGE_ID = "00-15-8D-00-01-02-03-04";

class Person implements SetupTalk {
  readonly ending = new AbortController();
  readonly signal = this.ending.signal;
  readonly texts: string[] = [];
  readonly finds: SetupFind[] = [];
  answer = "zigbee2mqtt";

  tell(text: string): void {
    this.texts.push(text);
  }

  async ask({ text }: SetupQuestion): Promise<string> {
    this.texts.push(text);
    return this.answer;
  }

  found(find: SetupFind): void {
    this.finds.push(find);
  }
}

/** A hub behind whose broker bridges let devices join. */
async function home(bases = ["zigbee2mqtt"], refusal?: string) {
  const one = new BrokerHome({ setups: [zigbeeJoin(bases)] });
  const opened: string[] = [];
  for (const base of bases)
    one.broker.on(`${base}/bridge/request/permit_join`, (payload) => {
      opened.push(`${base} ${JSON.parse(payload).time}`);
      const answer = refusal === undefined ? { status: "ok", data: {} } : { status: "error", error: refusal };
      one.broker.say(`${base}/bridge/response/permit_join`, answer);
    });
  await one.pass(100);
  const person = new Person();
  const run = () => {
    const ended = one.driver.setup("zigbee", person);
    ended.catch(() => undefined);
    return ended;
  };
  const says = async (type: string, data: object = {}) => {
    one.broker.say("zigbee2mqtt/bridge/event", { type, data: { ieee_address: BULB, friendly_name: BULB, ...data } });
    await settle();
  };
  return { one, person, run, says, opened, [Symbol.asyncDispose]: () => one[Symbol.asyncDispose]() };
}

test("the network is opened, what joins is reported as it says what it is, and the network is closed a while after", async () => {
  await using all = await home();
  const { one, person, run, says, opened } = all;
  expect(one.driver.setups()).toMatchObject([{ kind: "zigbee", title: "Let a Zigbee device join" }]);
  const ended = run();
  await one.pass(10);
  expect(opened).toEqual(["zigbee2mqtt 254"]);
  expect(person.texts.at(-1)).toMatch(/^The Zigbee network is open\./);
  await says("device_joined");
  await says("device_interview", { status: "started" });
  expect(person.finds.at(-1)).toEqual({ edgeId: EDGE_ID, name: BULB });
  await says("device_interview", { status: "successful", definition: { vendor: "IKEA", model: "LED1623G12" } });
  expect(person.finds.at(-1)).toEqual({ edgeId: EDGE_ID, name: "IKEA LED1623G12" });
  await one.pass(14_999);
  expect(opened).toHaveLength(1);
  await one.pass(2);
  await ended;
  expect(opened).toEqual(["zigbee2mqtt 254", "zigbee2mqtt 0"]);
  expect(one.broker.filters.filter((filter) => filter.includes("bridge/"))).toEqual([]);
});

test("a device that joins late keeps the network open until it has identified itself; one that fails may try again", async () => {
  await using all = await home();
  const { one, person, run, says, opened } = all;
  const ended = run();
  await one.pass(250_000);
  await says("device_joined");
  await says("device_interview", { status: "failed" });
  expect(person.texts.at(-1)).toMatch(/did not say what it is\. Keep it near/);
  await one.pass(60_000);
  expect(opened).toHaveLength(1);
  await says("device_joined");
  await says("device_interview", { status: "successful", definition: null });
  await one.pass(15_001);
  await ended;
  expect(opened.at(-1)).toBe("zigbee2mqtt 0");
});

test("a person who ends it closes the network", async () => {
  await using all = await home();
  const { one, person, run, opened } = all;
  const ended = run();
  await one.pass(10);
  person.ending.abort(new SetupFailed("ended"));
  await one.pass(10);
  await ended.catch(() => undefined);
  expect(opened.at(-1)).toBe("zigbee2mqtt 0");
  expect(one.clock.pending().filter((name) => name.includes("Zigbee"))).toEqual([]);
});

test("of two networks the person chooses one", async () => {
  await using all = await home(["zigbee2mqtt", "upstairs"]);
  const { one, person, run, opened } = all;
  person.answer = "upstairs";
  void run();
  await one.pass(10);
  expect(person.texts[0]).toBe("Which Zigbee network must the device join?");
  expect(opened).toEqual(["upstairs 254"]);
});

test("a bridge that refuses or does not answer is reported in words", async () => {
  await using refusing = await home(["zigbee2mqtt"], "the adapter is not connected");
  await expect(refusing.run()).rejects.toThrow("Zigbee2MQTT rejects the request: the adapter is not connected");
  await using silent = await home([]);
  const run = zigbeeJoin(["zigbee2mqtt"]).run(silent.person, {
    clock: silent.one.clock,
    publish: async () => undefined,
    listen: async () => ({ [Symbol.dispose]: () => undefined }),
  });
  run.catch(() => undefined);
  await silent.one.pass(10_001);
  await expect(run).rejects.toThrow("does not answer on zigbee2mqtt/bridge/response/permit_join");
});

test("nothing can be set up while the broker cannot be reached", async () => {
  await using all = await home();
  const { one, run } = all;
  one.broker.cut();
  await one.pass(10);
  expect(one.driver.setups()).toEqual([]);
  expect(one.driver.problem()).toMatch(/^The broker cannot be reached \(the network is gone\)/);
  await expect(run()).rejects.toThrow("not connected to the broker");
});
